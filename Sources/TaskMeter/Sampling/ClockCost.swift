import Clocks
import Recording
import Results

/// What the clock itself adds to a sample, and how finely it tells times apart, as measured just now.
package struct ClockCost: Sendable {
    /// What a read costs, in nanoseconds: the median over batches of reads.
    package let cost: Double
    /// The smallest difference between two reads that differ. No finer than the cost of a read allows to see.
    package let resolution: Nanoseconds

    /// Takes about a millisecond.
    package init(_ clock: MonotonicClock) {
        let batches = 21
        let reads = 1_000
        var costs: [Double] = []
        var smallest = Int64.max
        for _ in 0..<batches {
            let begin = clock.now()
            var previous = begin
            for _ in 0..<reads {
                let now = clock.now()
                if now > previous { smallest = min(smallest, (now - previous).count) }
                previous = now
            }
            costs.append(Double((previous - begin).count) / Double(reads))
        }
        cost = costs.sorted()[batches / 2]
        // A clock that did not move during thousands of reads is no finer than all of them took.
        resolution = Nanoseconds(smallest < .max ? smallest : 1_000_000)
    }

    /// How long a batch must last so that neither is more than a thousandth of it.
    package var target: Nanoseconds { Nanoseconds(Int64((1_000 * max(cost, Double(resolution.count))).rounded(.up))) }
}
