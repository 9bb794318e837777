import Statistics

/// The order of a run's trials: in each block every benchmark once, in an order drawn anew from the seed.
///
/// Blocks make neighbours in time of what is to be compared, so that a machine that drifts moves all alike.
package struct RunPlan: Sendable {
    package struct Entry: Hashable, Sendable {
        package var trial: Int
        package var block: Int
        /// Which of the selected benchmarks.
        package var benchmark: Int
    }

    package var entries: [Entry]

    package init(benchmarks: Int, trials: Int, seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        entries = []
        for block in 0..<trials {
            for benchmark in generator.shuffled(Array(0..<benchmarks)) {
                entries.append(Entry(trial: entries.count, block: block, benchmark: benchmark))
            }
        }
    }
}
