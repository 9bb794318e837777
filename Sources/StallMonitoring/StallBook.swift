import Results

/// What a monitor found, for whoever asks.
struct StallBook: Sendable {
    /// Older ones are let go of: a monitor may live as long as its program.
    static let mostKept = 4_096

    private(set) var stalls: [Stall] = []
    private(set) var gaps: [MonitorGap] = []
    /// Delays that were longer than the threshold only with the gaps that they fell into.
    var doubtful = 0
    private(set) var numbered = 0

    mutating func append(_ gap: MonitorGap) {
        if gaps.count == Self.mostKept { gaps.removeFirst(Self.mostKept / 2) }
        gaps.append(gap)
    }

    /// Stores a stall under the next number.
    mutating func append(_ stall: Stall) -> Stall {
        if stalls.count == Self.mostKept { stalls.removeFirst(Self.mostKept / 2) }
        var stall = stall
        stall.number = numbered
        numbered += 1
        stalls.append(stall)
        return stall
    }

    /// Stores how a stall ended; nil when it was let go of.
    mutating func end(_ number: Int, at end: Instant, unobserved: Nanoseconds) -> Stall? {
        let place = number - (numbered - stalls.count)
        guard stalls.indices.contains(place) else { return nil }
        stalls[place].end = end
        stalls[place].unobserved = unobserved
        return stalls[place]
    }

    /// How much of a time falls into gaps.
    func unobserved(from begin: Instant, to end: Instant) -> Nanoseconds {
        var sum = Nanoseconds.zero
        for gap in gaps.reversed() {
            guard gap.end > begin else { break }
            sum += max(min(gap.end, end) - max(gap.begin, begin), .zero)
        }
        return sum
    }
}
