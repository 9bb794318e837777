import Analysis
import Clocks
import Recording
import Results
import Statistics
import TestSupport
import Testing

/// A run folder made by hand: two strategies of one workload, and whatever trials a test writes.
private struct HandMadeRun {
    let folder = TemporaryFolder()
    let a = BenchmarkID("S/n[strategy=a]")!
    let b = BenchmarkID("S/n[strategy=b]")!
    let trials: TrialCSV.Writer
    let tasks: TaskCSV.Writer
    let samples: SampleCSV.Writer

    var runFolder: RunFolder { RunFolder(folder.path) }

    init(
        state: Run.State = .complete, trials planned: Int = 2, change: (inout Run) -> Void = { _ in }
    ) throws {
        var run = exampleRun(trials: planned)
        run.state = state
        change(&run)
        let runFolder = RunFolder(folder.path)
        try runFolder.write(run)
        trials = try TrialCSV.Writer(creating: runFolder.trialsFile)
        tasks = try TaskCSV.Writer(creating: runFolder.tasksFile)
        samples = try SampleCSV.Writer(creating: runFolder.samplesFile)
    }

    /// Tasks by when they were submitted, began and ended, and on which worker.
    func addTrial(
        _ benchmark: BenchmarkID, number: Int, block: Int, status: Trial.Status = .completed, reason: String = "",
        tasks times: [(submitted: Int64, begin: Int64?, end: Int64?, worker: Int)] = [],
        statuses: [Int: TaskStatus] = [:], throughput: Double? = nil, processorTime: Double? = nil,
        faults: RecordingFaults = .none
    ) throws {
        var counts = TaskCounts()
        let records = times.enumerated().map { index, time in
            let status = statuses[index] ?? (time.end == nil ? .unfinished : .ok)
            counts.count(status)
            return TaskRecord(
                id: TaskID(index), due: Instant(sinceOrigin: time.submitted),
                submitted: Instant(sinceOrigin: time.submitted), begin: time.begin.map(Instant.init(sinceOrigin:)),
                end: time.end.map(Instant.init(sinceOrigin:)), worker: time.begin == nil ? nil : time.worker,
                status: status, bytes: 0)
        }
        try tasks.append(benchmark: benchmark, trial: number, records)
        var list: [Sample] = []
        func add(_ metric: Metric, _ value: Double?, _ iterations: Int) {
            guard let value else { return }
            list.append(
                Sample(
                    number: list.count, metric: metric.name, unit: metric.unit, value: value, iterations: iterations))
        }
        add(.throughput, throughput, counts.ended)
        add(.elapsed, throughput.map { Double(counts.ended) / $0 * 1e9 }, counts.ended)
        add(.processorTime, processorTime, counts.ended)
        try samples.append(benchmark: benchmark, trial: number, list)
        try trials.append(
            Trial(
                benchmark: benchmark, number: number, block: block, status: status, reason: reason,
                started: Instant(sinceOrigin: 0), measureBegin: Instant(sinceOrigin: 0),
                measureEnd: Instant(sinceOrigin: 5_000_000_000), tasks: counts, faults: faults))
    }

    func load() throws -> RunData { try RunData.load(runFolder) }
}

@Suite struct RunDataTests {
    @Test("a summary is what arithmetic by hand gives")
    func summary() throws {
        let run = try HandMadeRun()
        // Spent 10, 30, 20 and waits 5, 0, 100; then spent 40, 50 and waits 1, 2.
        try run.addTrial(
            run.a, number: 0, block: 0,
            tasks: [(0, 5, 15, 0), (10, 10, 40, 1), (10, 110, 130, 0)], statuses: [1: .failed(reason: "x")],
            throughput: 4, processorTime: 300)
        try run.addTrial(
            run.a, number: 3, block: 1, tasks: [(0, 1, 41, 0), (0, 2, 52, 1)], statuses: [1: .cancelled], throughput: 2,
            processorTime: 100)
        try run.addTrial(run.b, number: 1, block: 0, tasks: [(0, 0, 1, 0)], throughput: 1)
        try run.addTrial(run.b, number: 2, block: 1, tasks: [(0, 0, 1, 0)], throughput: 1)
        let data = try run.load()
        #expect(data.missing == [])
        let summary = data.summary(of: run.a)
        #expect(summary.trialsPlanned == 2 && summary.trialsCompleted == 2 && summary.trialsFailed == 0)
        #expect(summary.tasks == TaskCounts(submitted: 5, ok: 3, failed: 1, cancelled: 1))
        #expect(
            summary.throughput?.median == 3 && summary.throughput?.count == 2 && summary.throughput?.interval == nil)
        #expect(summary.processorTimePerTask?.median == 75)  // of 100 and 50
        let spent = try #require(summary.spent)
        #expect(spent.count == 5)
        #expect(spent.p50 == .value(Nanoseconds(30)))  // third of 10, 20, 30, 40, 50
        #expect(spent.p90 == .unavailable(reason: "needs 100 tasks, 5 ended"))
        #expect(spent.max == Nanoseconds(50) && spent.mean == Nanoseconds(30))
        #expect(spent.medianOverTrials.median == 30)  // of 20 and, by nearest rank, 40
        let wait = try #require(summary.wait)
        #expect(wait.p50 == .value(Nanoseconds(2)) && wait.max == Nanoseconds(100))  // of 0, 1, 2, 5, 100
        #expect(wait.mean == Nanoseconds(22))  // 21.6
        #expect(summary.workers?.peakRunning == 2 && summary.workers?.workersInAll == 2)
        #expect(summary.failureReasons == [.init(reason: "x", count: 1)])
        #expect(summary.warnings == ["1 task failed: x.", "1 task was cancelled."])
    }

    @Test("a percentile is shown as soon as ten tasks, of all trials together, lie beyond it")
    func percentiles() throws {
        let run = try HandMadeRun(trials: 2)
        let half = (1...50).map { (submitted: Int64(0), begin: Int64?.some(0), end: Int64?.some(Int64($0)), worker: 0) }
        let rest = (51...100).map {
            (submitted: Int64(0), begin: Int64?.some(0), end: Int64?.some(Int64($0)), worker: 0)
        }
        try run.addTrial(run.a, number: 0, block: 0, tasks: rest)
        try run.addTrial(run.a, number: 1, block: 1, tasks: half)
        let spent = try #require(try run.load().summary(of: run.a).spent)
        #expect(spent.p50 == .value(Nanoseconds(50)) && spent.p90 == .value(Nanoseconds(90)))
        #expect(spent.p99.value == nil && spent.p999.value == nil)
    }

    @Test("trials that failed or were interrupted are told and kept out of the statistics")
    func failed() throws {
        let run = try HandMadeRun(state: .interrupted, trials: 3)
        try run.addTrial(run.a, number: 0, block: 0, tasks: [(0, 0, 10, 0)], throughput: 5)
        try run.addTrial(
            run.a, number: 1, block: 1, status: .failed, reason: "it crashed",
            tasks: [(0, 0, 999, 0), (1_000_000_000, nil, nil, 0)], throughput: 900,
            faults: RecordingFaults(endedTwice: 2))
        try run.addTrial(
            run.a, number: 2, block: 2, status: .interrupted, reason: "stopped", tasks: [(0, 0, 888, 0)],
            throughput: 900)
        let data = try run.load()
        let summary = data.summary(of: run.a)
        #expect(summary.trialsCompleted == 1 && summary.trialsFailed == 1)
        #expect(summary.throughput?.median == 5 && summary.throughput?.count == 1)
        #expect(summary.spent?.max == Nanoseconds(10) && summary.spent?.count == 1)
        #expect(summary.tasks == TaskCounts(submitted: 4, ok: 3, unfinished: 1))
        // Submitted at 1 s, and the trial stopped waiting at 5 s.
        #expect(summary.oldestUnfinished == .seconds(4))
        #expect(
            summary.warnings == [
                "Trial 1 failed: it crashed.", "Trial 2 interrupted: stopped.",
                "1 task was unfinished when its trial ended; the oldest was 4.00 s old.",
                "The recorder was misused: 2 × ended twice.",
            ])
        #expect(data.summary(of: run.b).warnings == ["No trial completed: there is nothing to judge."])
        #expect(data.summary(of: run.b).spent == nil && data.summary(of: run.b).throughput == nil)
        #expect(data.missing.first == "The run was stopped: 4 of 6 planned trials are missing.")
        #expect(data.missing.last == "1 benchmark has no trial at all: S/n[strategy=b].")
    }

    @Test("a failed trial of a run that otherwise ended is not missing")
    func nothingMissing() throws {
        let run = try HandMadeRun(trials: 1)
        try run.addTrial(run.a, number: 0, block: 0, status: .failed, reason: "r")
        try run.addTrial(run.b, number: 1, block: 0)
        #expect(try run.load().missing == [])
    }

    @Test("strategies are ranked by throughput, paired by block")
    func ranking() throws {
        let run = try HandMadeRun(trials: 6)
        for block in 0..<6 {
            // The machine becomes twice as fast in each block; b is always a tenth faster.
            let speed = Double(1 << block)
            try run.addTrial(run.a, number: 2 * block, block: block, throughput: speed)
            try run.addTrial(run.b, number: 2 * block + 1, block: block, throughput: 1.1 * speed)
        }
        let data = try run.load()
        #expect(data.workloads.map(\.description) == ["S/n"])
        let ranking = data.ranking(of: data.workloads[0])
        #expect(ranking.places.map(\.name) == ["b", "a"])
        #expect(ranking.places[1].isToldApartFromBest)
        #expect(abs(ranking.places[1].ratioToBest!.median - 1 / 1.1) < 1e-12)
    }

    @Test("workers that come late are a rate, and the peak is of those that run at once")
    func growth() throws {
        let run = try HandMadeRun(trials: 1)
        let second: Int64 = 1_000_000_000
        // Two workers at once, a third after one second, a fourth after two: two more in two seconds.
        try run.addTrial(
            run.a, number: 0, block: 0,
            tasks: [
                (0, 1_000, 3 * second, 0), (0, 2_000, 3 * second, 1), (0, second, 3 * second, 2),
                (0, 2 * second, 3 * second, 3), (0, 3 * second, 4 * second, 0),
            ])
        let workers = try #require(try run.load().summary(of: run.a).workers)
        #expect(
            workers == WorkerGrowth(workersAtStart: 2, workersInAll: 4, workersPerSecond: 1, peakRunning: 4))
    }

    @Test("workers that are all there at the start have no rate")
    func noGrowth() throws {
        let run = try HandMadeRun(trials: 1)
        try run.addTrial(run.a, number: 0, block: 0, tasks: [(0, 1_000, 2_000, 0), (0, 1_000, 2_000_000_000, 1)])
        let workers = try #require(try run.load().summary(of: run.a).workers)
        #expect(workers.workersPerSecond == nil && workers.workersAtStart == 2)
    }

    private func leaveLog(_ run: HandMadeRun, trial: Int) throws {
        run.folder.write("", to: "records/.keep")
        let recorder = try TaskRecorder(
            path: run.runFolder.logsFolder + "/\(trial).log", benchmark: run.b.description, trial: trial,
            expectedTasks: 0, clock: MonotonicClock())
        recorder.note(measureBegin: Instant(sinceOrigin: 1))
        for number in 0..<3 {
            let task = recorder.submit()
            if number < 2 { recorder.begin(task) }
            if number == 0 { recorder.end(task, .failed(reason: "why")) }
        }
    }

    @Test("the record log of a trial that a kill left is taken up, told, and kept out of the statistics")
    func leftLog() throws {
        let run = try HandMadeRun(state: .running, trials: 2)
        try run.addTrial(run.a, number: 0, block: 0, tasks: [(0, 0, 10, 0)])
        try leaveLog(run, trial: 3)
        let data = try run.load()
        let left = try #require(data.trials.last)
        #expect(left.number == 3 && left.block == 1 && left.status == .interrupted && left.benchmark == run.b)
        #expect(left.tasks == TaskCounts(submitted: 3, failed: 1, unfinished: 2))
        #expect(data.tasks[3]?.count == 1)
        #expect(data.summary(of: run.b).spent == nil)
        #expect(data.summary(of: run.b).failureReasons == [.init(reason: "why", count: 1)])
        #expect(
            data.missing == [
                "The run is still going on, or was killed: 3 of 4 planned trials are missing.",
                "Trial 3 of S/n[strategy=b] was under way; 1 ended and 2 unfinished tasks of it were saved, and take no "
                    + "part in the statistics.",
            ])
    }

    @Test("of a log that a kill cut off it is told of how many tasks nothing is stored")
    func tornLog() throws {
        let run = try HandMadeRun(state: .running, trials: 2)
        try leaveLog(run, trial: 3)
        let log = run.folder.bytes(of: "records/3.log")
        run.folder.write(log.prefix(LogLayout.headerSize + RecordLogLayout.recordSize), to: "records/3.log")
        let missing = try run.load().missing
        #expect(missing.contains("Of 2 more tasks of it nothing but the ID had been stored."), "\(missing)")
    }

    @Test("a log whose trial had been told already is not taken twice, and a broken log does no harm")
    func toldLog() throws {
        let run = try HandMadeRun(state: .running, trials: 2)
        try run.addTrial(run.b, number: 3, block: 1, tasks: [(0, 0, 10, 0)])
        try leaveLog(run, trial: 3)
        run.folder.write("garbage", to: "records/9.log")
        let data = try run.load()
        #expect(data.trials.count == 1 && data.trials[0].status == .completed)
        #expect(data.tasks[3]?.count == 1)
    }

    @Test("reasons of a trial that was told stay when a log of the same benchmark is taken up")
    func reasonsOfBoth() throws {
        let run = try HandMadeRun(state: .running, trials: 2)
        try run.addTrial(
            run.b, number: 1, block: 0, tasks: [(0, 0, 10, 0), (0, 0, 10, 0)],
            statuses: [0: .failed(reason: "why"), 1: .failed(reason: "other")])
        try leaveLog(run, trial: 3)
        #expect(
            try run.load().summary(of: run.b).failureReasons == [
                .init(reason: "why", count: 2), .init(reason: "other", count: 1),
            ])
    }

    @Test("rows that reached tasks.csv before the kill are not counted twice with their log")
    func rowsAndLog() throws {
        let run = try HandMadeRun(state: .running, trials: 2)
        try leaveLog(run, trial: 3)
        _ = try run.tasks.append(RecordLogReader(run.runFolder.logsFolder + "/3.log"))
        let data = try run.load()
        #expect(data.tasks[3]?.count == 1)
        #expect(data.summary(of: run.b).failureReasons == [.init(reason: "why", count: 1)])
        #expect(data.summary(of: run.b).tasks.submitted == 3)
    }

    @Test("a torn last row of a killed run is told and left out")
    func torn() throws {
        let run = try HandMadeRun(state: .running, trials: 1)
        try run.addTrial(run.a, number: 0, block: 0, tasks: [(0, 0, 10, 0), (0, 0, 20, 0)])
        run.folder.write(run.folder.bytes(of: "tasks.csv").dropLast(3), to: "tasks.csv")
        let data = try run.load()
        #expect(data.tasks[0]?.count == 1)
        #expect(data.missing.contains("The last row of tasks.csv was cut off, and is left out."))
    }

    @Test("a run that was killed before its first trial has nothing but what is missing")
    func nothing() throws {
        let run = try HandMadeRun(state: .running)
        let data = try run.load()
        #expect(data.summaries().count == 2 && data.summaries().allSatisfy { $0.spent == nil })
        #expect(
            data.missing == [
                "The run is still going on, or was killed: 4 of 4 planned trials are missing.",
                "2 benchmarks have no trial at all: S/n[strategy=a], S/n[strategy=b].",
            ])
        #expect(data.ranking(of: data.workloads[0]).places.isEmpty)
    }

    @Test("of many reasons the five most frequent are kept, those alike in the order of their names")
    func reasons() throws {
        let run = try HandMadeRun(trials: 1)
        let reasons = ["f", "a", "b", "c", "d", "e", "f"]
        try run.addTrial(
            run.a, number: 0, block: 0, tasks: reasons.map { _ in (0, 0, 1, 0) },
            statuses: Dictionary(uniqueKeysWithValues: reasons.enumerated().map { ($0, .failed(reason: $1)) }))
        #expect(try run.load().summary(of: run.a).failureReasons.map(\.reason) == ["f", "a", "b", "c", "d"])
    }

    @Test("of tasks that are short against the instrument it is said what share of spent is the instrument's")
    func instrumentCost() throws {
        let run = try HandMadeRun(
            trials: 1,
            change: {
                $0.selfCost = SelfCost(
                    clockRead: 20, clockResolution: 1, submit: 30, beginEnd: 60, insideSpent: 31, mark: 20, sample: 40)
            })
        try run.addTrial(run.a, number: 0, block: 0, tasks: [(0, 0, 1476, 0)], throughput: 1)
        try run.addTrial(run.b, number: 1, block: 0, tasks: [(0, 0, 3100, 0)], throughput: 1)
        let data = try run.load()
        let doubts = try #require(data.summary(of: run.a).doubts)
        #expect(doubts.map(\.kind) == [.tooFewTrials, .instrumentCost])
        #expect(doubts[1].sentence.hasPrefix("Spent includes about 31 ns of the instrument, 2.1 % of it."))
        #expect(data.summary(of: run.b).doubts?.map(\.kind) == [.tooFewTrials])
    }

    @Test("a throughput that falls from trial to trial is a doubt, and told as becoming slower")
    func taskDrift() throws {
        let run = try HandMadeRun(trials: 12)
        for block in 0..<12 {
            try run.addTrial(run.a, number: 2 * block, block: block, throughput: 1000 - 10 * Double(block))
            try run.addTrial(run.b, number: 2 * block + 1, block: block, throughput: 1000 + Double(block % 3))
        }
        let data = try run.load()
        let doubts = try #require(data.summary(of: run.a).doubts)
        #expect(doubts.map(\.kind) == [.drift] && doubts[0].sentence.contains("becomes slower by 1"))
        #expect(data.summary(of: run.b).doubts == [])
    }
}
