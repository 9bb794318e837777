import FoundationEssentials
import Results
import Words

/// All of a run folder in memory: what it set out to do, what it did, and what is missing.
///
/// A task costs 28 bytes here, a run of two million tasks 56 MB; a batch of iterations costs 24. Of phases only the summaries stay, and a
/// few traces; while they are read each segment of a task costs 8 bytes.
package struct RunData: Sendable {
    package var folder: RunFolder
    package var run: Run
    /// In the order of execution. A trial of a killed run that never reached `trials.csv` is here as interrupted
    /// when its record log was found.
    package var trials: [Trial]
    /// Ended tasks by number of the trial.
    package var tasks: [Int: TaskColumns]
    /// Samples of whole trials by number of the trial: all that are no batch of iterations.
    package var samples: [Int: [Sample]]
    /// Batches of iterations by number of the trial.
    package var batches: [Int: TrialBatches]
    /// Reasons of failed tasks, by number of the trial, with how often each occurred.
    package var failureReasons: [Int: [String: Int]]
    /// When the oldest unfinished task of a trial was submitted, by number of the trial.
    package var oldestUnfinished: [Int: Instant]
    /// What the phases of each benchmark's tasks say; none of a benchmark whose tasks have no phases.
    package var phases: [BenchmarkID: PhaseSummary] = [:]
    /// A few tasks of one trial of each benchmark that has phases.
    package var traces: [BenchmarkID: TaskTraces] = [:]
    /// Tasks of a trial that was under way when the run was killed that were given an ID and of which nothing was stored,
    /// by number of the trial.
    var torn: [Int: Int] = [:]
    /// What a killed or interrupted run lacks, in sentences; empty for a run that is whole.
    package var missing: [String]

    /// Reads a run folder, of a run that ended or was killed.
    package static func load(_ folder: RunFolder) throws(ResultsError) -> RunData {
        let run = try folder.readRun()
        var data = RunData(
            folder: folder, run: run, trials: try TrialCSV.read(folder.trialsFile), tasks: [:], samples: [:],
            batches: [:], failureReasons: [:], oldestUnfinished: [:], missing: [])
        try data.readSamples()
        let torn = try data.readTasks()
        try data.readPhases()
        try data.readLeftLogs()
        data.readLeftSampleLogs()
        data.explainWhatIsMissing(tornRow: torn)
        return data
    }

    /// Timed trials of a benchmark that completed, in the order of their blocks.
    package func completedTrials(of benchmark: BenchmarkID) -> [Trial] {
        trials.filter { $0.benchmark == benchmark && $0.status == .completed && $0.mode == .timed }
            .sorted { $0.block < $1.block }
    }

    private mutating func readSamples() throws(ResultsError) {
        let reader = try SampleCSV.Reader(folder.samplesFile)
        // Kept out of the dictionary like the columns of tasks.
        var current = TrialBatches()
        var number = -1
        while let row = try reader.next() {
            guard let series = SampleSeries.allCases.first(where: { $0.metric.name == row.sample.metric }) else {
                samples[row.trial, default: []].append(row.sample)
                continue
            }
            guard row.sample.iterations > 0, let moment = row.sample.at, let elapsed = row.sample.value else {
                throw reader.malformed("a batch of iterations needs a value, at_ns, and one iteration or more")
            }
            if row.trial != number {
                if number >= 0 { batches[number] = current }
                number = row.trial
                current = batches[number] ?? TrialBatches()
            }
            current.append(series, at: moment, elapsed: elapsed, iterations: row.sample.iterations)
        }
        if number >= 0 { batches[number] = current }
    }

    private mutating func readTasks() throws(ResultsError) -> Bool {
        let reader = try TaskCSV.Reader(folder.tasksFile)
        // The columns of the trial at hand are kept out of the dictionary, so that appending never copies them.
        var current = TaskColumns()
        var number = -1
        while let row = try reader.next() {
            if row.trial != number {
                if number >= 0 { tasks[number] = current }
                number = row.trial
                current = tasks[number] ?? TaskColumns()
            }
            take(row.record, trial: number, into: &current)
        }
        if number >= 0 { tasks[number] = current }
        return reader.tornRow
    }

    private mutating func take(_ record: TaskRecord, trial: Int, into columns: inout TaskColumns) {
        columns.append(record)
        switch record.status {
        case .failed(let reason): failureReasons[trial, default: [:]][reason, default: 0] += 1
        case .unfinished: oldestUnfinished[trial] = min(oldestUnfinished[trial] ?? record.submitted, record.submitted)
        case .ok, .cancelled: break
        }
    }

    /// Takes up the record logs of trials that were under way when the run was killed.
    private mutating func readLeftLogs() throws(ResultsError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.logsFolder)) ?? []
        for name in names.sorted() where name.hasSuffix(".log") {
            guard let log = try? RecordLogReader(folder.logsFolder + "/" + name),
                !trials.contains(where: { $0.number == log.trial })
            else { continue }
            // Rows that reached tasks.csv before the kill are in the log as well: the log is the whole of them.
            var columns = TaskColumns()
            var counts = TaskCounts()
            failureReasons[log.trial] = nil
            oldestUnfinished[log.trial] = nil
            let found = try log.forEachRecord { record throws(ResultsError) in
                counts.count(record.status)
                take(record, trial: log.trial, into: &columns)
            }
            tasks[log.trial] = columns
            torn[log.trial] = found.missing
            trials.append(
                Trial(
                    benchmark: log.benchmark, number: log.trial, block: log.trial / max(run.benchmarks.count, 1),
                    status: .interrupted, reason: "the run was killed while this trial ran",
                    started: log.log.started, measureBegin: log.measureBegin,
                    measureEnd: log.measureEnd, tasks: counts, faults: log.faults, warmupTasks: log.warmupTasks))
        }
    }

    private mutating func explainWhatIsMissing(tornRow: Bool) {
        let told = trials.count { $0.status != .interrupted }
        let lacking = run.plannedTrials - told
        let saved = trials.filter { $0.status == .interrupted }
        guard run.state != .complete || lacking > 0 else { return }
        let cause =
            switch run.state {
            case .running: "The run is still going on, or was killed"
            case .interrupted: run.stopReason ?? "The run was stopped"
            case .complete: "The run is marked complete"
            }
        let are = lacking == 1 ? "trial is" : "trials are"
        missing.append(
            "\(cause)\(run.stopReason == nil ? ":" : ";") \(lacking) of \(run.plannedTrials) planned \(are) missing.")
        for trial in saved {
            let saved =
                isSampled(trial.benchmark)
                ? "\(PlainNumber.counted(batches[trial.number]?.work.count ?? 0, "sample")) of it were saved, and take"
                : "\(trial.tasks.ended) ended and \(trial.tasks.unfinished) unfinished tasks of it were saved, and take"
            missing.append(
                "Trial \(trial.number) of \(trial.benchmark) was under way; \(saved) no part in the statistics.")
            if let torn = torn[trial.number], torn > 0 {
                missing.append("Of \(PlainNumber.counted(torn, "more task")) of it nothing but the ID had been stored.")
            }
        }
        if tornRow { missing.append("The last row of tasks.csv was cut off, and is left out.") }
        let unmeasured = run.benchmarks.filter { benchmark in !trials.contains { $0.benchmark == benchmark.id } }
        if !unmeasured.isEmpty {
            let names = unmeasured.prefix(5).map(\.id.description).joined(separator: ", ")
            let more = unmeasured.count > 5 ? " and \(unmeasured.count - 5) more" : ""
            let have = unmeasured.count == 1 ? "benchmark has" : "benchmarks have"
            missing.append("\(unmeasured.count) \(have) no trial at all: \(names)\(more).")
        }
    }
}
