import Results
import Statistics

/// The order of a run's trials: in each block every benchmark once, in an order drawn anew from the seed.
///
/// Blocks make neighbours in time of what is to be compared, so that a machine that drifts moves all alike. Trials that count
/// come after those that are timed, for it does not matter when they are made.
package struct RunPlan: Sendable {
    package struct Entry: Hashable, Sendable {
        package var trial: Int
        package var block: Int
        /// Which of the selected benchmarks.
        package var benchmark: Int
        package var mode = Trial.Mode.timed
    }

    package var entries: [Entry]

    package init(
        benchmarks: Int, trials: Int, seed: UInt64, counting: [RunConfiguration.CountingTrials] = []
    ) {
        var generator = SplitMix64(seed: seed)
        entries = []
        let blocks =
            Array(repeating: Trial.Mode.timed, count: trials)
            + counting.flatMap { Array(repeating: $0.mode, count: $0.trials) }
        for (block, mode) in blocks.enumerated() {
            for benchmark in generator.shuffled(Array(0..<benchmarks)) {
                entries.append(Entry(trial: entries.count, block: block, benchmark: benchmark, mode: mode))
            }
        }
    }
}
