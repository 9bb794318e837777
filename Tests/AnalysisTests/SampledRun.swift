import Analysis
import Results
import TestSupport

/// A run folder of sampled benchmarks made by hand.
struct SampledRun {
    typealias Batch = (elapsed: Double, iterations: Int)

    let folder = TemporaryFolder()
    let trials: TrialCSV.Writer
    let samples: SampleCSV.Writer
    var runFolder: RunFolder { RunFolder(folder.path) }

    init(
        _ benchmarks: [String] = ["S/n"], trials planned: Int = 2, state: Run.State = .complete,
        change: (inout Run) -> Void = { _ in }
    ) throws {
        var run = exampleRun(benchmarks, trials: planned)
        for index in run.benchmarks.indices {
            run.benchmarks[index].sampling = "batches of about 1 ms"
            run.benchmarks[index].tasks = 0
        }
        run.state = state
        change(&run)
        let runFolder = RunFolder(folder.path)
        try runFolder.write(run)
        trials = try TrialCSV.Writer(creating: runFolder.trialsFile)
        samples = try SampleCSV.Writer(creating: runFolder.samplesFile)
        _ = try TaskCSV.Writer(creating: runFolder.tasksFile)
    }

    /// A trial of one second.
    ///
    /// - Parameter facts: of the whole trial, by the names of their metrics.
    func addTrial(
        _ benchmark: String = "S/n", number: Int, block: Int? = nil, status: Trial.Status = .completed,
        reason: String = "", started: Int64 = 0, work: [Batch], empty: [Batch] = [], facts: [String: Double] = [:]
    ) throws {
        let id = BenchmarkID(benchmark)!
        var list = facts.sorted { $0.key < $1.key }.map {
            Sample(number: 0, metric: $0.key, unit: "1", value: $0.value, iterations: 0)
        }
        func add(_ metric: Metric, _ batches: [Batch]) {
            for (index, batch) in batches.enumerated() {
                list.append(
                    Sample(
                        number: 0, metric: metric.name, unit: metric.unit, value: batch.elapsed,
                        iterations: batch.iterations, at: Instant(sinceOrigin: Int64(index) * 1_000_000)))
            }
        }
        add(.iterationTime, work)
        add(.emptyTime, empty)
        for index in list.indices { list[index].number = index }
        try samples.append(benchmark: id, trial: number, list)
        try trials.append(
            Trial(
                benchmark: id, number: number, block: block ?? number, status: status, reason: reason,
                started: Instant(sinceOrigin: started), measureBegin: Instant(sinceOrigin: 0),
                measureEnd: Instant(sinceOrigin: 1_000_000_000)))
    }

    /// A trial whose samples are all of 1,000 iterations.
    func addTrial(
        _ benchmark: String = "S/n", number: Int, perIteration: [Double], empty: Double? = 0.5, started: Int64 = 0,
        facts: [String: Double] = [:]
    ) throws {
        try addTrial(
            benchmark, number: number, started: started, work: perIteration.map { ($0 * 1000, 1000) },
            empty: empty.map { [($0 * 1000, 1000)] } ?? [], facts: facts)
    }

    func load() throws -> RunData { try RunData.load(runFolder) }
}

extension RunData {
    /// What the run says of a benchmark that it has.
    func summary(of benchmark: BenchmarkID) -> BenchmarkSummary {
        summary(of: run.benchmarks.first { $0.id == benchmark }!)
    }
}
