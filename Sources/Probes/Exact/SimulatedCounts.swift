import Results

/// What valgrind's tool callgrind counted between two marks, of all threads: instructions, and what its model of caches
/// and of branch prediction makes of them. No processor has exactly these caches: misses tell of changes, not of time.
///
/// Not comparable with `ExactCounts`: other libraries' code is chosen for the processor that valgrind shows.
package struct SimulatedCounts: Hashable, Sendable {
    /// An event by callgrind's name for it.
    package enum Event: String, Hashable, Sendable, CaseIterable {
        case instructions = "Ir"
        case dataReads = "Dr"
        case dataWrites = "Dw"
        case firstLevelInstructionMisses = "I1mr"
        case firstLevelReadMisses = "D1mr"
        case firstLevelWriteMisses = "D1mw"
        case lastLevelInstructionMisses = "ILmr"
        case lastLevelReadMisses = "DLmr"
        case lastLevelWriteMisses = "DLmw"
        case conditionalBranches = "Bc"
        case mispredictedConditionalBranches = "Bcm"
        case indirectBranches = "Bi"
        case mispredictedIndirectBranches = "Bim"
    }

    /// The name under which the counts were told.
    package var name: String
    package private(set) var counts: [Event: Int]

    package init(name: String, counts: [Event: Int]) {
        self.name = name
        self.counts = counts
    }

    /// A count, or why there is none.
    package func reading(_ event: Event) -> Reading {
        counts[event].map { .measured(Double($0)) }
            ?? .unsupported(reason: "this version of valgrind does not count \(event.rawValue)")
    }

    /// Nothing, of each event.
    package init(none name: String) {
        self.init(name: name, counts: Dictionary(uniqueKeysWithValues: Event.allCases.map { ($0, 0) }))
    }

    /// Of which there are some in each file; 0 where a version of valgrind told none.
    package var instructions: Int { counts[.instructions] ?? 0 }

    /// What two brackets took together; what one of them has not, the sum has not.
    package static func + (one: SimulatedCounts, other: SimulatedCounts) -> SimulatedCounts {
        var counts: [Event: Int] = [:]
        for (event, count) in one.counts {
            if let more = other.counts[event] { counts[event] = count + more }
        }
        return SimulatedCounts(name: one.name, counts: counts)
    }

    /// Event by event; what one of them has not, the difference has not.
    package static func - (whole: SimulatedCounts, part: SimulatedCounts) -> SimulatedCounts {
        var counts: [Event: Int] = [:]
        for (event, count) in whole.counts {
            if let other = part.counts[event] { counts[event] = count - other }
        }
        return SimulatedCounts(name: whole.name, counts: counts)
    }
}

extension SimulatedCounts {
    private static let trigger = "desc: Trigger: Client Request: "

    /// Reads a file that callgrind wrote (its manual, “Callgrind Format Specification”); nil for one that no mark asked for.
    ///
    /// Its line `summary:` has one number for each name of its line `events:`; zeros at the end are left out.
    package init?(file text: String) {
        var (name, events, sums): (String?, [Substring]?, [Int]?)
        for line in text.split(separator: "\n") {
            if line.hasPrefix(Self.trigger) { name = String(line.dropFirst(Self.trigger.count)) }
            if line.hasPrefix("events:") { events = line.split(separator: " ").dropFirst().map { $0 } }
            if line.hasPrefix("summary:") { sums = line.split(separator: " ").dropFirst().compactMap { Int($0) } }
        }
        guard let name, let events, let sums, sums.count <= events.count else { return nil }
        self.init(name: name, counts: [:])
        for (place, event) in events.enumerated() {
            if let event = Event(rawValue: String(event)) { counts[event] = place < sums.count ? sums[place] : 0 }
        }
    }
}
