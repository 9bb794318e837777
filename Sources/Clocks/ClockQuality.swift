import Glibc
import Results

/// What reading a clock costs, and how finely it steps, as measured just now.
package struct ClockQuality: Sendable {
    /// The least that a read cost, over batches: what it costs when nothing disturbs it.
    package var readCost: Double
    /// The smallest difference seen between two reads that differ; nil when none differed.
    package var smallestStep: Int64?

    /// Measures the clock of a run for about so many reads.
    package init(_ clock: MonotonicClock, reads: Int = 20_000) {
        self.init(reads: reads) { clock.now().sinceOrigin }
    }

    /// Measures a clock of the kernel for about `reads` reads.
    package init(_ clock: clockid_t, reads: Int = 20_000) {
        self.init(reads: reads) { MonotonicClock.reading(clock) }
    }

    @inline(__always)
    private init(reads: Int, _ reading: () -> Int64) {
        let batches = 20
        let perBatch = max(reads / batches, 2)
        readCost = .infinity
        for _ in 0..<batches {
            var previous = reading()
            let begin = MonotonicClock.reading(CLOCK_MONOTONIC)
            for _ in 0..<perBatch {
                let now = reading()
                if now > previous { smallestStep = min(smallestStep ?? .max, now - previous) }
                previous = now
            }
            readCost = min(readCost, Double(MonotonicClock.reading(CLOCK_MONOTONIC) - begin) / Double(perBatch))
        }
    }

    /// How long a sample must last so that neither what reading the clock costs nor its step is more than a thousandth of it.
    package var shortestSample: Nanoseconds {
        Nanoseconds(Int64((1_000 * max(readCost, Double(smallestStep ?? 0))).rounded(.up)))
    }

    /// `a read costs 32 ns, smallest step seen 20 ns`.
    package var text: String {
        let step = smallestStep.map { ", smallest step seen \($0) ns" } ?? ", no step seen"
        return "a read costs \(Int(readCost.rounded())) ns" + step
    }
}

/// The smallest step that the kernel states for the monotonic clock.
package func clockResolution() -> Nanoseconds {
    var resolution = timespec()
    clock_getres(CLOCK_MONOTONIC, &resolution)
    return Nanoseconds(Int64(resolution.tv_sec) * 1_000_000_000 + Int64(resolution.tv_nsec))
}
