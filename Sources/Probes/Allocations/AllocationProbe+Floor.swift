import Clocks
import Results

/// What counting itself costs the thread that asks.
package struct AllocationFloor: Hashable, Sendable {
    /// What two readings with nothing between them differ by: nothing at all.
    package var counts: AllocationCounts
    /// A reading of the thread's counts, and one of the process's.
    package var threadRead: Nanoseconds
    package var processRead: Nanoseconds
}

extension AllocationProbe {
    /// Measures the floor; takes about a millisecond. What counting adds to each allocation cannot be measured from within, for
    /// the way through the library is taken whether it counts or not.
    package func floor() -> AllocationFloor {
        let clock = MonotonicClock()
        func cost(_ read: () -> Void) -> Nanoseconds {
            let rounds = 100
            // The smallest of several: what is above it was the machine's doing.
            let batches = (0..<20).map { _ in
                let begin = clock.now()
                for _ in 0..<rounds { read() }
                return (clock.now() - begin).count / Int64(rounds)
            }
            return Nanoseconds(batches.min() ?? 0)
        }
        let threadRead = cost { _ = ofThread() }
        let processRead = cost { _ = ofProcess() }
        guard let before = ofThread(), let after = ofThread() else {
            return AllocationFloor(counts: AllocationCounts(), threadRead: threadRead, processRead: processRead)
        }
        return AllocationFloor(counts: after - before, threadRead: threadRead, processRead: processRead)
    }
}
