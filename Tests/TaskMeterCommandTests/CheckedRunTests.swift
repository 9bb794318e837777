import Analysis
import FoundationEssentials
import Glibc
import Results
import Statistics
import Testing

/// The run whose files are checked: `make test` names the quick run that it made just before.
let checkedRun = getenv("TASKMETER_CHECKED_RUN").map { RunFolder(String(cString: $0)) }

@Suite("A real run of the own suites", .enabled(if: checkedRun != nil, "TASKMETER_CHECKED_RUN names no run"))
struct CheckedRunTests {
    let folder = checkedRun ?? RunFolder("")

    @Test("has in tasks.csv only rows whose columns agree, and as many as were submitted")
    func rowsAgree() throws {
        let run = try folder.readRun()
        let trials = try TrialCSV.read(folder.trialsFile)
        let reader = try CSVReader(folder.tasksFile, columns: TaskCSV.columns)
        var counted: [Int: TaskCounts] = [:]
        let manners = Dictionary(uniqueKeysWithValues: run.benchmarks.map { ($0.id, $0.manner) })
        let ofTasks = Set(trials.filter { manners[$0.benchmark] == .tasks }.map(\.number))
        while try reader.next() {
            let trial = Int(try reader.requiredInteger(1, "trial"))
            let submitted = try reader.requiredInteger(5, "submitted_ns")
            // What observes may keep tasks that come before they are due, such as timers.
            if ofTasks.contains(trial) { #expect(try reader.requiredInteger(4, "due_ns") <= submitted) }
            switch reader.text(10) {
            case "ok": counted[trial, default: TaskCounts()].count(.ok)
            case "failed": counted[trial, default: TaskCounts()].count(.failed(reason: ""))
            case "cancelled": counted[trial, default: TaskCounts()].count(.cancelled)
            default: counted[trial, default: TaskCounts()].count(.unfinished)
            }
            guard reader.text(10) != "unfinished" else { continue }
            let begin = try reader.requiredInteger(6, "begin_ns")
            let end = try reader.requiredInteger(7, "end_ns")
            let wait = try reader.requiredInteger(8, "wait_ns")
            let spent = try reader.requiredInteger(9, "spent_ns")
            // One expectation a row costs more than reading it: the agreeing rows are passed over.
            guard spent == end - begin, wait == begin - submitted, wait >= 0, spent >= 0 else {
                Issue.record("line \(reader.line) of tasks.csv does not agree with itself")
                return
            }
        }
        #expect(!reader.tornRow)
        #expect(trials.count == run.plannedTrials)
        for trial in trials {
            let description = try #require(run.benchmarks.first { $0.id == trial.benchmark })
            #expect(trial.status == .completed, "\(trial.benchmark): \(trial.reason)")
            guard description.manner != .samples else { continue }
            #expect(trial.tasks == counted[trial.number] ?? TaskCounts())
            #expect(trial.faults == .none)
            guard description.manner == .tasks else { continue }
            #expect(trial.tasks.submitted == description.tasks)
            #expect(trial.tasks.ok == description.tasks, "\(trial.benchmark): \(trial.tasks)")
            #expect(trial.warmupTasks == description.warmupTasks)
        }
        #expect(ofTasks.isSubset(of: counted.keys))
    }

    @Test("has no number for what could not be measured, but a reason; and every metric is described")
    func costs() throws {
        let run = try folder.readRun()
        let known = Set(run.metrics.map(\.name))
        #expect(known.count == run.metrics.count, "metrics have names of their own")
        let reader = try CSVReader(folder.samplesFile, columns: SampleCSV.columns)
        var lacking = 0
        while try reader.next() {
            let (metric, value, status, reason) = (reader.text(3), reader.text(5), reader.text(8), reader.text(10))
            let isNumber = ["measured", "estimated"].contains(status)
            guard known.contains(metric), isNumber == !value.isEmpty, isNumber == reason.isEmpty else {
                Issue.record("line \(reader.line) of samples.csv: \(metric) “\(value)” \(status) “\(reason)”")
                return
            }
            if !isNumber { lacking += 1 }
        }
        #expect(lacking > 0, "no machine measures everything: no split of little processor time, for one")
        for summary in run.summaries {
            let costs = try #require(summary.costs, "\(summary.benchmark)")
            #expect(costs.contains { $0.metric == "cpu_time" && $0.estimate != nil }, "\(summary.benchmark)")
            #expect(summary.warnings.isEmpty, "\(summary.benchmark): \(summary.warnings)")
            for cost in costs where cost.estimate == nil {
                #expect(!cost.gaps.isEmpty && cost.gaps.allSatisfy { $0.reading.reason?.isEmpty == false }, "\(cost)")
            }
        }
    }

    @Test("has of every sampled trial samples of work and of nothing, as they were read and in order of time")
    func samples() throws {
        let run = try folder.readRun()
        let rows = Dictionary(grouping: try SampleCSV.read(folder.samplesFile), by: \.trial)
        let described = run.benchmarks.filter { $0.manner == .samples }
        let sampled = Set(described.map(\.id))
        let trials = try TrialCSV.read(folder.trialsFile).filter { sampled.contains($0.benchmark) && $0.mode == .timed }
        #expect(trials.count == described.reduce(0) { $0 + run.timedTrials(of: $1) })
        for trial in trials {
            #expect(trial.status == .completed, "\(trial.benchmark): \(trial.reason)")
            let samples = (rows[trial.number] ?? []).map(\.sample)
            #expect(samples.map(\.number) == Array(samples.indices), "\(trial.benchmark)")
            let timed = samples.filter { $0.at != nil }
            #expect(timed.contains { $0.metric == Metric.iterationTime.name }, "\(trial.benchmark)")
            #expect(timed.contains { $0.metric == Metric.emptyTime.name }, "\(trial.benchmark)")
            #expect(timed.allSatisfy { $0.value == $0.value?.rounded() && $0.iterations > 0 }, "\(trial.benchmark)")
            let moments = timed.compactMap(\.at)
            #expect(moments == moments.sorted(), "\(trial.benchmark)")
            for metric in [Metric.clockCost, .clockResolution, .processorTime] {
                #expect(samples.contains { $0.metric == metric.name }, "\(metric.name) of \(trial.benchmark)")
            }
        }
    }

    @Test("has every strategy for every workload of Requests, Compute and Blocking")
    func everyStrategy() throws {
        let run = try folder.readRun()
        #expect(Set(run.benchmarks.map(\.id.suite)).isSuperset(of: ["Requests", "Compute", "Blocking"]))
        let strategies = Set([
            "serial-queue", "global-queue", "concurrent-queue-8", "thread-per-task", "resident-thread", "pool-8",
            "cooperative-pool",
        ])
        let ofTasks = run.benchmarks.filter { $0.manner == .tasks }
        // In some workloads of Requests, the stacks are what is compared.
        let stacks = Set(["curl-easy", "curl-multi"])
        for workload in Set(ofTasks.map(\.id.workload)) {
            let found = run.benchmarks.filter { $0.id.workload == workload }.compactMap(\.id.strategy)
            #expect(Set(found) == strategies || Set(found).isSuperset(of: stacks), "\(workload)")
        }
    }

    @Test("moved exactly the bytes that its requests asked for")
    func requestsMovedTheirBytes() throws {
        let reader = try TaskCSV.Reader(folder.tasksFile)
        var rows = 0
        while let row = try reader.next() {
            guard row.benchmark.suite == "Requests", let bytes = row.benchmark["bytes"].flatMap({ Int64($0) }) else {
                continue
            }
            guard row.record.bytes == bytes else {
                Issue.record("\(row.record.id) of trial \(row.trial) moved \(row.record.bytes) bytes, not \(bytes)")
                return
            }
            rows += 1
        }
        #expect(rows > 1_000)
    }

    @Test("has an answer to every experiment, with what each compared value measured")
    func experiments() throws {
        let data = try RunData.load(folder)
        let experiments = data.experiments()
        #expect(
            Set(experiments.map(\.suite)).isSuperset(of: [
                "Laboratory", "Timers", "Synchronisation", "Ownership", "Stalls",
            ]))
        for experiment in experiments {
            #expect(experiment.description.question.hasSuffix("?"))
            // Under some conditions nobody may have a number, such as a peak of memory below what can be read.
            #expect(
                experiment.conditions.contains { !$0.ranking.places.isEmpty }, "\(experiment.name) has no number at all"
            )
            for condition in experiment.conditions {
                for member in condition.members where member.values.isEmpty {
                    #expect(!member.gaps.isEmpty, "\(member.description.id) has neither a number nor a reason")
                }
            }
        }
    }

    @Test("has a report with a plot of each kind for each workload")
    func report() throws {
        let page = try String(contentsOfFile: folder.reportFile, encoding: .utf8)
        let workloads = Set(try folder.readRun().benchmarks.filter { $0.manner == .tasks }.map(\.id.workload)).count
        #expect(page.components(separatedBy: "<svg").count - 1 >= 4 * workloads)
        #expect(!page.contains("<script src"))
        #expect(page.contains("</html>"))
    }

    @Test("never has more requests in flight than the load of the benchmark says")
    func closedLoop() throws {
        let reader = try TaskCSV.Reader(folder.tasksFile)
        var spans: [Int: (begins: [Int64], ends: [Int64])] = [:]
        while let row = try reader.next() {
            guard row.benchmark.suite == "Requests", let end = row.record.end else { continue }
            spans[row.trial, default: ([], [])].begins.append(row.record.submitted.sinceOrigin)
            spans[row.trial, default: ([], [])].ends.append(end.sinceOrigin)
        }
        let peaks = spans.values.map { peakOverlap(begins: $0.begins, ends: $0.ends) }
        // A slot is given back just after the end was recorded, so that the next submission never comes before it.
        #expect(peaks.allSatisfy { $0 <= 32 })
        #expect(peaks.contains(32), "and the load is really kept up: \(peaks.max() ?? 0)")
    }
}
