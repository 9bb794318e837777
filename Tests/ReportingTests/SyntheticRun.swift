import Analysis
import Foundation
import Results
import Statistics

/// Writes real run folders with made-up but plausible tasks, always the same ones.
struct SyntheticRun {
    /// How a strategy behaves on a workload.
    enum Behaviour {
        /// A fixed number of workers from the start.
        case pool(Int)
        /// Two workers, and one more a second while tasks wait.
        case starved
        case threadPerTask
    }

    struct Contender {
        var name: String
        var behaviour: Behaviour
        /// Factor on what a task spends.
        var slowness = 1.0
        /// What each trial tells beside its times: amounts as of one task.
        var costs: [Cost] = []
    }

    /// What is known of one cost.
    struct Cost {
        var metric: Metric
        var reading: Reading

        init(_ metric: Metric, _ reading: Reading) {
            self.metric = metric
            self.reading = reading
        }

        /// What a trial of so many tasks or iterations tells.
        func sample(_ number: Int, of count: Int) -> Sample {
            var sample = Sample(
                metric, metric.kind == .amount ? reading.map { $0 * Double(count) } : reading, iterations: count)
            sample.number = number
            return sample
        }
    }

    struct Workload {
        var suite: String
        var name: String
        var parameters: [BenchmarkID.Parameter] = []
        var contenders: [Contender]
        var tasks: Int
        /// What a task spends, in nanoseconds; 0 gives tasks that all spend nothing.
        var spent: Int64
        /// Relative spread of spent; 0 makes all tasks alike.
        var spread = 0.2
        /// Every so manieth task fails; 0 for none.
        var failEvery = 0
        var unfinished = 0
    }

    /// A benchmark that is timed in batches.
    struct Sampled {
        var suite: String
        var name: String
        var parameters: [BenchmarkID.Parameter] = []
        /// What an iteration takes, in nanoseconds, beside what an empty one does.
        var time: Double
        var empty = 0.4
        var samples = 60
        /// Iterations of a batch.
        var iterations = 10_000
        /// Relative spread of the samples of a trial.
        var spread = 0.01
        /// Relative spread of the trials.
        var trialSpread = 0.01
        /// By how much the last sample of a trial is slower than the first, as a share.
        var drift = 0.0
        /// By how much every second sample or so is slower, as a share.
        var secondMode = 0.0
        /// Of the whole trial, by the names of their metrics.
        var facts: [String: Double] = [:]
        /// What each trial tells beside its times: amounts as of one iteration.
        var costs: [Cost] = []

        var id: BenchmarkID { BenchmarkID(suite: suite, name: name, parameters: parameters) }
    }

    var workloads: [Workload]
    var sampled: [Sampled] = []
    var trials = 8
    var state = Run.State.complete
    /// Trials left out at the end, as a kill leaves them out.
    var lostTrials = 0
    /// Trials that end with a crash after half of their tasks, by number.
    var crashedTrials: Set<Int> = []
    var command = ["taskmeter", "run", "--suite", "Blocking"]
    var originUTC = "2026-01-31T12:00:00.123456789Z"
    var selfCost: SelfCost?
    var clock: ClockFacts?
    var counting: [RunConfiguration.CountingTrials]?
    var counters: [String]?

    static let usual: [Contender] = [
        Contender(name: "serial-queue", behaviour: .pool(1)),
        Contender(name: "global-queue", behaviour: .starved),
        Contender(name: "concurrent-queue-4", behaviour: .pool(4), slowness: 1.05),
        Contender(name: "thread-per-task", behaviour: .threadPerTask),
        Contender(name: "resident-thread", behaviour: .pool(1), slowness: 1.02),
        Contender(name: "pool-8", behaviour: .pool(8)),
        Contender(name: "cooperative", behaviour: .pool(2)),
    ]

    /// Writes the folder and reads it back.
    func write(to path: String) throws -> RunData {
        let folder = RunFolder(path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var descriptions: [BenchmarkDescription] = []
        var jobs: [(Workload, Contender, BenchmarkID)] = []
        for workload in workloads {
            for contender in workload.contenders {
                let id = BenchmarkID(
                    suite: workload.suite, name: workload.name,
                    parameters: workload.parameters + [.init(axis: "strategy", value: contender.name)])
                jobs.append((workload, contender, id))
                descriptions.append(
                    BenchmarkDescription(
                        id: id, about: "A task that keeps its worker for a while.", tasks: workload.tasks,
                        warmupTasks: workload.tasks / 10, load: "closed loop, all tasks submitted at once",
                        strategyNote: "Work that blocks keeps its worker until it ends (\(contender.name)).",
                        declaredAt: "Blocking.swift:12"))
            }
        }
        descriptions += sampled.map {
            BenchmarkDescription(
                id: $0.id, about: "Something short: \($0.name).", tasks: 0, warmupTasks: 0, load: "", strategyNote: "",
                declaredAt: "Short.swift:7", sampling: "batches of about 0.1 ms after a warm-up of 100 ms")
        }
        var run = Run(
            id: "5f0c7a52-0000-4000-8000-000000000000", originUTC: originUTC,
            revision: Revision(
                commit: .known("0123456789abcdef0123456789abcdef01234567"), branch: .known("main"),
                differenceHash: "a1b2c3"),
            environment: Environment(
                operatingSystem: .known("Debian GNU/Linux 12"), kernel: .known("6.1.0"), architecture: .known("x86_64"),
                processor: .known("Example Processor 3000 @ 2.80GHz"), usableProcessors: 2,
                memoryBytes: .known("25276968960"), clockSource: .known("tsc"), clockResolution: Nanoseconds(1),
                governor: .unavailable(reason: "this machine has no frequency scaling"),
                simultaneousMultithreading: .known("on"), virtualMachine: .known("kvm"), loadAtStart: .known("0.31"),
                swiftVersion: .known("Swift version 6.3"), buildConfiguration: .known("release")),
            configuration: RunConfiguration(
                command: command, trials: trials, seed: 42, quick: false, timeLimit: .seconds(60), allowDebug: false,
                counting: counting, counters: counters),
            benchmarks: descriptions, metrics: Metric.standard + unusualMetrics)
        let tasks = try TaskCSV.Writer(creating: folder.tasksFile)
        let samples = try SampleCSV.Writer(creating: folder.samplesFile)
        let trialRows = try TrialCSV.Writer(creating: folder.trialsFile)
        var random = SplitMix64(seed: 7)
        var now: Int64 = 1_000_000
        var number = 0
        for block in 0..<trials {
            for (workload, contender, id) in jobs {
                defer { number += 1 }
                if number >= (jobs.count + sampled.count) * trials - lostTrials { continue }
                var records = Self.records(workload, contender, from: now, &random)
                let crashed = crashedTrials.contains(number)
                if crashed { records.removeLast(records.count / 2) }
                var counts = TaskCounts()
                for record in records { counts.count(record.status) }
                let end = records.compactMap { $0.end?.sinceOrigin }.max() ?? now
                let elapsed = Double(max(end - now, 1))
                try tasks.append(benchmark: id, trial: number, records)
                try samples.append(
                    benchmark: id, trial: number,
                    [
                        Sample(
                            number: 0, metric: "throughput", unit: "1/s",
                            value: Double(counts.ok) / elapsed * 1e9, iterations: counts.ended),
                        Sample(number: 1, metric: "elapsed", unit: "ns", value: elapsed, iterations: counts.ended),
                        Sample(
                            number: 2, metric: "cpu_time", unit: "ns", value: elapsed * 0.4, iterations: counts.ended),
                    ] + contender.costs.enumerated().map { $0.element.sample(3 + $0.offset, of: counts.ended) })
                try trialRows.append(
                    Trial(
                        benchmark: id, number: number, block: block, status: crashed ? .failed : .completed,
                        reason: crashed ? "the suite ended with signal 6 (Aborted)" : "",
                        started: Instant(sinceOrigin: now - 1000), measureBegin: Instant(sinceOrigin: now),
                        measureEnd: Instant(sinceOrigin: end), tasks: counts, warmupTasks: workload.tasks / 10))
                now = end + 1_000_000
            }
            for benchmark in sampled {
                defer { number += 1 }
                if number >= (jobs.count + sampled.count) * trials - lostTrials { continue }
                let crashed = crashedTrials.contains(number)
                let batches = crashed ? [] : Self.batches(benchmark, from: now, &random)
                let end = now + Int64(batches.count + 1) * 120_000
                try samples.append(
                    benchmark: benchmark.id, trial: number,
                    batches
                        + benchmark.costs.enumerated().map {
                            $0.element.sample(batches.count + $0.offset, of: benchmark.iterations)
                        })
                try trialRows.append(
                    Trial(
                        benchmark: benchmark.id, number: number, block: block, status: crashed ? .failed : .completed,
                        reason: crashed ? "the suite ended with signal 6 (Aborted)" : "",
                        started: Instant(sinceOrigin: now - 1000), measureBegin: Instant(sinceOrigin: now),
                        measureEnd: Instant(sinceOrigin: end)))
                now = end + 1_000_000
            }
        }
        run.selfCost = selfCost
        run.clock = clock
        run.state = state
        run.duration = Nanoseconds(now)
        try folder.write(run)
        return try RunData.load(folder)
    }

    /// Of what trials tell, that which is not known before a run.
    private var unusualMetrics: [Metric] {
        var seen = Set(Metric.standard.map(\.name))
        return (workloads.flatMap(\.contenders).flatMap(\.costs) + sampled.flatMap(\.costs)).map(\.metric)
            .filter { seen.insert($0.name).inserted }
    }

    private static func batches(_ benchmark: Sampled, from start: Int64, _ random: inout SplitMix64) -> [Sample] {
        // Between -1 and 1, mostly near 0.
        func wobble() -> Double { Double(random.next(below: 1001) + random.next(below: 1001)) / 1000 - 1 }
        var list = benchmark.facts.sorted { $0.key < $1.key }.map {
            Sample(number: 0, metric: $0.key, unit: "1", value: $0.value, iterations: 0)
        }
        func add(_ metric: Metric, _ perIteration: Double) {
            list.append(
                Sample(
                    number: list.count, metric: metric.name, unit: metric.unit,
                    value: (perIteration * Double(benchmark.iterations)).rounded(), iterations: benchmark.iterations,
                    at: Instant(sinceOrigin: start + Int64(list.count) * 120_000)))
        }
        let level = benchmark.time * (1 + benchmark.trialSpread * wobble())
        for number in 0..<benchmark.samples {
            var time = level * (1 + benchmark.drift * Double(number) / Double(max(benchmark.samples - 1, 1)))
            if benchmark.secondMode != 0, random.next(below: 2) == 0 { time *= 1 + benchmark.secondMode }
            // One in 300 is disturbed.
            if benchmark.spread > 0, random.next(below: 300) == 0 { time *= 3 }
            add(
                .iterationTime, max(benchmark.empty + time + (level + benchmark.empty) * benchmark.spread * wobble(), 0)
            )
            if number % 4 == 0 { add(.emptyTime, benchmark.empty * (1 + benchmark.spread * wobble())) }
        }
        return list
    }

    private static func records(
        _ workload: Workload, _ contender: Contender, from start: Int64, _ random: inout SplitMix64
    ) -> [TaskRecord] {
        // Trials differ by a few percent, as processes do.
        let trialFactor = 1 + Double(random.next(below: 60)) / 1000
        /// When each worker is free, in the order in which workers come.
        var free: [Int64]
        switch contender.behaviour {
        case .pool(let width): free = Array(repeating: start + 20_000, count: width)
        case .starved: free = Array(repeating: start + 30_000, count: 2)
        case .threadPerTask: free = []
        }
        return (0..<workload.tasks).map { number in
            let submitted = start + Int64(number) * 300
            let isUnfinished = number >= workload.tasks - workload.unfinished
            let wobble = 1 + workload.spread * (Double(random.next(below: 2001)) / 1000 - 1)
            // One in 500 is slow: the tail that percentiles are for.
            let tail = workload.spread > 0 && random.next(below: 500) == 0 ? 6.0 : 1
            let spent = Int64(Double(workload.spent) * contender.slowness * trialFactor * wobble * tail)
            var worker = number
            var begin = submitted + 40_000 + Int64(random.next(below: 30_000))
            if case .threadPerTask = contender.behaviour {
            } else {
                if case .starved = contender.behaviour {
                    let next = start + Int64(free.count - 1) * 1_000_000_000
                    if free.min()! > next { free.append(next) }
                }
                worker = free.indices.min { (free[$0], $0) < (free[$1], $1) }!
                begin = max(free[worker], submitted + 2000)
                free[worker] = begin + spent + 2000
            }
            let fails = workload.failEvery > 0 && number % workload.failEvery == 0
            return TaskRecord(
                id: TaskID(number), due: Instant(sinceOrigin: submitted), submitted: Instant(sinceOrigin: submitted),
                begin: Instant(sinceOrigin: begin), end: isUnfinished ? nil : Instant(sinceOrigin: begin + spent),
                worker: worker,
                status: isUnfinished ? .unfinished : fails ? .failed(reason: "the server said “503”") : .ok, bytes: 0)
        }
    }
}

/// A folder of its own for a test, gone afterwards.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}
