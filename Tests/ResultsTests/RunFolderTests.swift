import FoundationEssentials
import Results
import Statistics
import TestSupport
import Testing

@Suite struct RunFolderTests {
    private let folder = TemporaryFolder()
    private var runFolder: RunFolder { RunFolder(folder.path) }

    private func fullRun() -> Run {
        var run = exampleRun()
        run.state = .complete
        run.duration = .seconds(3)
        run.environment.processorQuota = .known("no quota")
        run.warnings = ["a \"warning\"\nof two lines"]
        var summary = BenchmarkSummary(benchmark: run.benchmarks[0].id, trialsPlanned: 2)
        summary.throughput = MedianEstimate(of: [1, 2, 3, 4, 5, 6])
        summary.elapsed = MedianEstimate(of: [0.1])
        summary.spent = Distribution(
            count: 3, p50: .value(Nanoseconds(2)), p90: .unavailable(reason: "needs 100 tasks, 3 ended"),
            p99: .value(.init(.max)), p999: .unavailable(reason: ""), max: Nanoseconds(.max), mean: Nanoseconds(2),
            medianOverTrials: MedianEstimate(of: [2, 2])!)
        summary.workers = WorkerGrowth(workersAtStart: 2, workersInAll: 9, workersPerSecond: nil, peakRunning: 8.5)
        summary.failureReasons = [.init(reason: "r", count: 2)]
        run.summaries = [summary]
        run.selfCost = SelfCost(
            clockRead: 21.5, clockResolution: 1, submit: 40, beginEnd: 62.25, insideSpent: 31, mark: 30, sample: 45)
        run.clock = ClockFacts(
            source: "tsc", reason: "it is \"constant\"", readCost: 9.5, resolution: 0.4, driftAgainstRaw: -0.02,
            suspended: .seconds(2), misbehaviour: ["It stood still."])
        return run
    }

    @Test("a run reads back as it was written")
    func roundTrip() throws {
        let run = fullRun()
        try runFolder.write(run)
        let read = try runFolder.readRun()
        #expect(read.state == .complete && read.duration == .seconds(3))
        #expect(read.configuration == run.configuration)
        #expect(read.environment == run.environment && read.revision == run.revision)
        #expect(read.benchmarks == run.benchmarks && read.metrics == run.metrics)
        #expect(read.summaries == run.summaries && read.warnings == run.warnings)
        #expect(read.selfCost == run.selfCost && read.clock == run.clock)
        #expect(read.clock?.backwardSteps == nil)
        #expect(folder.names == ["run.json"])
    }

    @Test("a run of an older taskmeter, without facts that came later, reads as a run that did not ask for them")
    func olderFields() throws {
        try runFolder.write(exampleRun())
        #expect(!folder.text(of: "run.json").contains("processorQuota"))
        let read = try runFolder.readRun()
        #expect(read.environment.processorQuota == nil && read.selfCost == nil && read.clock == nil)
    }

    @Test("a folder without run.json is no run folder")
    func notARun() {
        #expect(throws: ResultsError.notARunFolder(path: folder.path)) { try runFolder.readRun() }
        #expect(throws: ResultsError.notARunFolder(path: "/nowhere")) { try RunFolder("/nowhere").readRun() }
    }

    @Test("run.json that is cut off anywhere is truncated, not a crash and not a smaller run")
    func truncated() throws {
        try runFolder.write(fullRun())
        let bytes = folder.bytes(of: "run.json")
        for length in stride(from: 0, to: bytes.count - 2, by: 97) {
            folder.write(bytes.prefix(length), to: "run.json")
            let error = #expect(throws: ResultsError.self) { try runFolder.readRun() }
            guard case .truncated = error else {
                Issue.record("\(length) bytes: \(String(describing: error))")
                continue
            }
        }
    }

    @Test("a newer schema is refused by its number, whatever else it holds")
    func newerSchema() {
        folder.write("{\"schema\": 2, \"everything\": \"is different\"}", to: "run.json")
        #expect(throws: ResultsError.newerSchema(path: runFolder.runFile, found: 2)) { try runFolder.readRun() }
    }

    @Test("JSON of the right schema that is no run is malformed")
    func malformed() {
        folder.write("{\"schema\": 1}", to: "run.json")
        let error = #expect(throws: ResultsError.self) { try runFolder.readRun() }
        guard case .malformed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a complete run whose files are shorter or longer than they were, or gone, is refused, and told why")
    func shorterFiles() throws {
        var run = fullRun()
        run.files = [FileSize(name: "tasks.csv", bytes: 10)]
        try runFolder.write(run)
        #expect(throws: ResultsError.missing(path: runFolder.tasksFile)) {
            try runFolder.readRun()
        }
        folder.write("123456789", to: "tasks.csv")
        #expect(throws: ResultsError.truncated(path: runFolder.tasksFile, detail: "9 bytes where run.json says 10")) {
            try runFolder.readRun()
        }
        folder.write("12345678901", to: "tasks.csv")
        #expect(throws: ResultsError.changed(path: runFolder.tasksFile, detail: "11 bytes where run.json says 10")) {
            try runFolder.readRun()
        }
        folder.write("1234567890", to: "tasks.csv")
        _ = try runFolder.readRun()
    }
}
