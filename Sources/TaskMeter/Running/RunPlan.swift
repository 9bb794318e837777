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
        package var mode: Trial.Mode

        package init(trial: Int, block: Int, benchmark: Int, mode: Trial.Mode = .timed) {
            self.trial = trial
            self.block = block
            self.benchmark = benchmark
            self.mode = mode
        }
    }

    package var entries: [Entry]

    /// The plan of a run as it is described.
    package init(_ benchmarks: [BenchmarkDescription], _ configuration: RunConfiguration) {
        let timed = (0..<configuration.trials).map { block in
            (Trial.Mode.timed, { (benchmark: Int) in benchmarks[benchmark].trials.map { block < $0 } ?? true })
        }
        let counting = (configuration.counting ?? []).flatMap { trials in
            Array(repeating: (trials.mode, { trials.concern(benchmarks[$0]) }), count: trials.trials)
        }
        self.init(benchmarks: benchmarks.count, seed: configuration.seed, blocks: timed + counting)
    }

    /// A plan in which every benchmark is timed so many times.
    package init(benchmarks: Int, trials: Int, seed: UInt64) {
        self.init(benchmarks: benchmarks, seed: seed, blocks: Array(repeating: (.timed, { _ in true }), count: trials))
    }

    private init(benchmarks: Int, seed: UInt64, blocks: [(mode: Trial.Mode, has: (Int) -> Bool)]) {
        var generator = SplitMix64(seed: seed)
        entries = []
        for (block, (mode, has)) in blocks.enumerated() {
            for benchmark in generator.shuffled(Array(0..<benchmarks)) where has(benchmark) {
                entries.append(Entry(trial: entries.count, block: block, benchmark: benchmark, mode: mode))
            }
        }
    }
}
