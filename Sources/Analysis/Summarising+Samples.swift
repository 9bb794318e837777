import Results
import Statistics

/// Code that was timed in batches: from samples to a value of each trial, and from those to what the run says.
extension RunData {
    /// Whether a benchmark is timed in batches, and has no tasks.
    package func isSampled(_ benchmark: BenchmarkID) -> Bool {
        run.benchmarks.contains { $0.id == benchmark && $0.manner == .samples }
    }

    /// What an iteration took in a trial, in nanoseconds: the median of its samples less that of its empty batches, which
    /// is negative where noise outweighs the work. Nil for a trial without samples.
    package func iterationTime(of trial: Trial) -> Double? {
        batches[trial.number].flatMap { median($0.work.perIteration) }.map { $0 - (emptyTime(of: trial) ?? 0) }
    }

    /// What an iteration that does nothing took in a trial; nil where none was timed, and nothing is subtracted.
    package func emptyTime(of trial: Trial) -> Double? {
        batches[trial.number].flatMap { median($0.empty.perIteration) }
    }

    /// The benchmarks that are timed in batches, in the order of their declaration.
    package var sampledBenchmarks: [BenchmarkDescription] {
        run.benchmarks.filter { $0.manner == .samples && $0.experiment == nil }
    }

    func iterationSummary(_ completed: [Trial]) -> IterationSummary? {
        let sampled = completed.filter { (batches[$0.number]?.work.count ?? 0) > 0 }
        guard let time = MedianEstimate(of: sampled.compactMap { iterationTime(of: $0) }) else { return nil }
        let work = sampled.compactMap { batches[$0.number]?.work }
        let iterations = work.flatMap(\.iterations).sorted()
        return IterationSummary(
            time: time, empty: MedianEstimate(of: sampled.compactMap { emptyTime(of: $0) }), samples: iterations.count,
            iterationsPerSample: Int(nearestRank(0.5, ofSorted: iterations)),
            scatter: median(work.map { Self.scatter($0.perIteration) }) ?? 0)
    }

    /// The median absolute deviation over the median. Where the median is nothing, at least half of the values are, and do not
    /// scatter.
    private static func scatter(_ values: [Double]) -> Double {
        guard let middle = median(values), middle != 0, let deviation = medianAbsoluteDeviation(values) else {
            return 0
        }
        return deviation / abs(middle)
    }
}
