import Results

/// A question, and how benchmarks answer it: the values of one axis are compared, by one metric, under each combination of the
/// others. The report makes the answer from the numbers: a sentence, a plot and a table.
public struct Experiment: Sendable {
    let description: ExperimentDescription

    /// - Parameters:
    ///   - question: a sentence with a question mark.
    ///   - axis: whose values are compared; nil for the strategies of a benchmark of tasks.
    ///   - along: an axis of numbers along which the comparison is drawn; nil where there is none.
    ///   - metric: what decides: one that the benchmark observes, `.iterationTime` of a sampled one, `.throughput` or
    ///     `.tasks(.wait, .p99)` and the like of one of tasks.
    public init(
        _ question: String, comparing axis: (any AnyAxis)? = nil, along: (any AnyAxis)? = nil, by metric: Metric
    ) {
        description = ExperimentDescription(
            question: question, compares: axis?.name ?? BenchmarkID.strategyAxis, along: along?.name, decides: metric)
    }
}

extension Benchmark {
    /// The same benchmark as an experiment.
    public func answering(_ experiment: Experiment) -> Benchmark {
        var benchmark = self
        benchmark.experiment = experiment
        return benchmark
    }

    /// The same benchmark with at most so many timed trials in a run, for trials that take long. A run whose number of trials is
    /// asked for by `--trials` makes that many all the same.
    public func trials(atMost count: Int) -> Benchmark {
        var benchmark = self
        benchmark.mostTrials = count
        return benchmark
    }

    /// The same benchmark with trials under the emulator in every run, where there is one: for a question that retains, allocations
    /// or instructions answer.
    public func countedExactly() -> Benchmark {
        var benchmark = self
        benchmark.isCountedExactly = true
        return benchmark
    }

    /// The same benchmark with the kind of its work as a part of a sentence, by which reports speak of it: “blocking work of 20 ms”.
    public func called(_ workClass: String) -> Benchmark {
        var benchmark = self
        benchmark.workClass = workClass
        return benchmark
    }
}
