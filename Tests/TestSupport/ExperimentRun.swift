import Results

/// A run folder of an experiment made by hand, which asks who waits: each trial tells one number, or why it has none.
package struct ExperimentRun {
    /// What decides.
    package static let wait = Metric("probe_wait", "ns", .suite, .process, .level, title: "wait of a probe")

    package let folder = TemporaryFolder()
    package var runFolder: RunFolder { RunFolder(folder.path) }
    private let trials: TrialCSV.Writer
    private let samples: SampleCSV.Writer
    private var number = 0

    package init(
        _ benchmarks: [String], along: String? = nil, direction: Metric.Direction = .lowerIsBetter,
        trials planned: Int = 4
    ) throws {
        var run = exampleRun(benchmarks, trials: planned)
        var metric = Self.wait
        metric.direction = direction
        run.state = .complete
        run.metrics.append(metric)
        for index in run.benchmarks.indices {
            run.benchmarks[index].observes = [metric]
            run.benchmarks[index].tasks = 0
            run.benchmarks[index].experiment = ExperimentDescription(
                question: "Who waits?", compares: "way", along: along, decides: metric)
        }
        try RunFolder(folder.path).write(run)
        trials = try TrialCSV.Writer(creating: RunFolder(folder.path).trialsFile)
        samples = try SampleCSV.Writer(creating: RunFolder(folder.path).samplesFile)
        _ = try TaskCSV.Writer(creating: RunFolder(folder.path).tasksFile)
    }

    /// Adds trials of a benchmark, one in each block.
    package mutating func add(_ benchmark: String, _ readings: [Reading]) throws {
        guard let id = BenchmarkID(benchmark) else { return }
        for (block, reading) in readings.enumerated() {
            try samples.append(benchmark: id, trial: number, [Sample(Self.wait, reading, iterations: 1)])
            try trials.append(
                Trial(
                    benchmark: id, number: number, block: block, status: .completed, reason: "",
                    started: Instant(sinceOrigin: 0), measureBegin: Instant(sinceOrigin: 0),
                    measureEnd: Instant(sinceOrigin: 1)))
            number += 1
        }
    }
}
