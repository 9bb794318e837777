import CLinux
import Glibc
import Results
import Synchronization
import Threading

/// The largest step backwards, in nanoseconds, between readings of a clock on different processors, each of which was made
/// after the other was known: 0 when there was none; nil where there is one processor only, or threads may not choose theirs.
///
/// Two threads on two processors hand a reading to and fro, as fast as a cache line travels; the first processor plays
/// against each of the others (64 at most). A pair that exchanged next to nothing, on a machine that is busy, counts as not
/// tested. Takes some milliseconds.
package func largestBackwardStep(_ clock: MonotonicClock) -> Int64? {
    var processors: [Int32] = []
    while processors.count <= 64 {
        let next = clinux_usable_processor(Int32(processors.count))
        guard next >= 0 else { break }
        processors.append(next)
    }
    var largest: Int64?
    for other in processors.dropFirst() {
        let rally = Rally(clock)
        guard rally.play(processors[0], other) else { continue }
        largest = max(largest ?? 0, rally.largestStepBack.load(ordering: .relaxed))
    }
    return largest
}

private final class Rally: Sendable {
    private let clock: MonotonicClock
    private let deadline: Instant
    /// Whose turn it is: 0 or 1. The reading belongs to whose turn it is.
    private let turn = Atomic<Int>(0)
    private let reading = Atomic<Int64>(.min)
    let largestStepBack = Atomic<Int64>(0)
    /// How many readings were held against the other processor's.
    private let comparisons = Atomic<Int>(0)
    private let playing = Monitor(2)
    private let failed = Atomic<Bool>(false)

    private static let exchanges = 500
    /// Fewer of them (a busy machine may not run both threads at once) show nothing.
    private static let fewestComparisons = 100
    private static let longest = Nanoseconds.milliseconds(20)

    init(_ clock: MonotonicClock) {
        self.clock = clock
        deadline = clock.now() + Self.longest
    }

    /// Whether both threads could be had, each on its processor, and exchanged readings enough.
    func play(_ first: Int32, _ second: Int32) -> Bool {
        for (player, processor) in [(0, first), (1, second)] {
            let refusal = startThread(named: "tm-clock") { [self] in
                if clinux_pin_thread(processor) == 0 {
                    exchange(player)
                } else {
                    failed.store(true, ordering: .relaxed)
                }
                playing.withLock { $0 -= 1 }
                playing.wakeAll()
            }
            if refusal != 0 {
                failed.store(true, ordering: .relaxed)
                playing.withLock { $0 -= 1 }
            }
        }
        playing.wait { $0 == 0 ? () : nil }
        // A step that was seen counts, however short the game was.
        return !failed.load(ordering: .relaxed)
            && (largestStepBack.load(ordering: .relaxed) > 0
                || comparisons.load(ordering: .relaxed) >= Self.fewestComparisons)
    }

    private func exchange(_ player: Int) {
        for _ in 0..<Self.exchanges {
            while turn.load(ordering: .acquiring) != player {
                // The other may not have got its processor, on a busy machine or at all.
                if clock.now() > deadline || failed.load(ordering: .relaxed) { return }
            }
            let before = reading.load(ordering: .relaxed)
            let now = clock.now().sinceOrigin
            if before != .min {
                comparisons.add(1, ordering: .relaxed)
                if before - now > largestStepBack.load(ordering: .relaxed) {
                    largestStepBack.store(before - now, ordering: .relaxed)
                }
            }
            reading.store(now, ordering: .relaxed)
            turn.store(1 - player, ordering: .releasing)
        }
    }
}
