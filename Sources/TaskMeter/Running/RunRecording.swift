import FoundationEssentials
import Glibc
import Results

/// The files of a run while it is being made: each trial's rows are written out when the trial ends.
struct RunRecording {
    let folder: RunFolder
    let log: SuiteLog
    private let tasks: TaskCSV.Writer
    private let phases: PhaseCSV.Writer
    let samples: SampleCSV.Writer
    private let trials: TrialCSV.Writer

    init(_ folder: RunFolder) throws(ResultsError) {
        self.folder = folder
        log = try SuiteLog(creating: folder.logFile)
        tasks = try TaskCSV.Writer(creating: folder.tasksFile)
        phases = try PhaseCSV.Writer(creating: folder.phasesFile)
        samples = try SampleCSV.Writer(creating: folder.samplesFile)
        trials = try TrialCSV.Writer(creating: folder.trialsFile)
    }

    /// Where a trial keeps what it measures while it runs.
    func recordsPath(_ trial: Int, of benchmark: BenchmarkDescription) -> String {
        "\(folder.logsFolder)/\(trial).\(benchmark.sampling == nil ? "log" : "samples")"
    }

    /// Copies what a trial left behind into the run's files.
    ///
    /// The log is removed last: a kill in between leaves it, and a reader takes the trial from there.
    ///
    /// - Returns: the trial, how many samples were written of it, and those of it as a whole.
    func take(
        _ outcome: TrialProcess.Outcome, _ entry: RunPlan.Entry, _ benchmark: BenchmarkDescription,
        started: Instant, ended: Instant
    ) throws(ResultsError) -> (Trial, written: Int, samples: [Sample]) {
        var trial = Trial(
            benchmark: benchmark.id, number: entry.trial, block: entry.block, mode: entry.mode, status: outcome.status,
            reason: outcome.reason, started: started)
        let path = recordsPath(entry.trial, of: benchmark)
        let (isReadable, written, samples) =
            benchmark.sampling == nil
            ? try takeRecords(path, outcome, &trial, ended: ended) : try takeSamples(path, outcome, &trial)
        try trials.append(trial)
        // What cannot be read now is left where it is: it may be worth reading by other means.
        if isReadable {
            unlink(path)
            unlink(path + RecordLogLayout.phasesSuffix)
        }
        return (trial, written, samples)
    }

    /// Copies the task records of a trial and their phases; false when either cannot be read.
    private func takeRecords(
        _ path: String, _ outcome: TrialProcess.Outcome, _ trial: inout Trial, ended: Instant
    ) throws(ResultsError) -> (isReadable: Bool, written: Int, samples: [Sample]) {
        var samples: [(Metric, Double)] = []
        var isWhole = true
        if fileSize(path) != nil {
            let records: RecordLogReader
            do { records = try RecordLogReader(path) } catch {
                trial.fail("its task records cannot be read: \(error)")
                return (false, 0, [])
            }
            let totals = try tasks.append(records)
            trial.tasks = totals.counts
            trial.faults = records.faults
            trial.warmupTasks = records.warmupTasks
            trial.measureBegin = records.measureBegin
            trial.measureEnd = records.measureBegin == nil ? nil : records.measureEnd ?? ended
            let lostPhases = try takePhases(path + RecordLogLayout.phasesSuffix, &trial)
            isWhole = lostPhases != nil
            if trial.status == .completed {
                judge(
                    &trial, outcome, lost: records.log.lost, torn: totals.missing - records.log.lost,
                    lostPhases: lostPhases ?? 0)
            }
            // What is counted takes its time: a trial that counts tells of none.
            if trial.mode == .timed {
                if records.log.late > 0 { samples.append((.lateLogParts, Double(records.log.late))) }
                if let throughput = totals.throughput { samples.append((.throughput, throughput)) }
                if let elapsed = totals.elapsed { samples.append((.elapsed, Double(elapsed.count))) }
            }
        } else if trial.status == .completed, trial.mode != .simulated {
            trial.status = .failed
            trial.reason = "it left no task records"
        }
        let all = try append(samples, outcome.samples, to: trial)
        return (isWhole, all.count, all)
    }

    /// Records a trial that is not made because those before it failed.
    func passOver(
        _ entry: RunPlan.Entry, _ benchmark: BenchmarkDescription, at now: Instant
    ) throws(ResultsError) -> Trial {
        let trial = Trial(
            benchmark: benchmark.id, number: entry.trial, block: entry.block, mode: entry.mode, status: .failed,
            reason: "not run, because the benchmark had failed in three trials in a row", started: now)
        try trials.append(trial)
        return trial
    }

    /// Writes the samples of a trial, those from its records first.
    private func append(
        _ ownSamples: [(Metric, Double)], _ suiteSamples: [Sample], to trial: Trial
    ) throws(ResultsError) -> [Sample] {
        let own = ownSamples.map { metric, value in
            Sample(number: 0, metric: metric.name, unit: metric.unit, value: value, iterations: trial.tasks.ended)
        }
        var all = own + suiteSamples
        for index in all.indices { all[index].number = index }
        try samples.append(benchmark: trial.benchmark, trial: trial.number, all)
        return all
    }

    /// Copies the phases of a trial's tasks; returns how many were lost, or nil when they cannot be read: a suite may have
    /// ended, or its disk have been full, before their log had a header.
    private func takePhases(_ path: String, _ trial: inout Trial) throws(ResultsError) -> Int? {
        guard fileSize(path) != nil else { return 0 }
        let log: PhaseLogReader
        do { log = try PhaseLogReader(path) } catch {
            trial.fail("the phases of its tasks cannot be read: \(error)")
            return nil
        }
        try phases.append(log)
        return log.lost
    }

    /// A process that said it finished may still have left tasks undone.
    private func judge(
        _ trial: inout Trial, _ outcome: TrialProcess.Outcome, lost: Int, torn: Int, lostPhases: Int
    ) {
        let counts = trial.tasks
        if counts.unfinished > 0 {
            trial.reason =
                "\(counts.unfinished) of \(counts.submitted) tasks had not ended when "
                + (outcome.allEnded ? "the strategy said that all were done" : "the time limit came")
        } else if !outcome.allEnded {
            trial.reason = "the last task ended only after the time limit, when nobody waited any more"
        } else if lost > 0 {
            trial.reason = "\(lost) task records were lost: the record log could not grow (is the disk full?)"
        } else if torn > 0 {
            trial.reason = "of \(torn) tasks that were given an ID nothing was stored"
        } else if lostPhases > 0 {
            trial.reason =
                "\(lostPhases) phases of tasks were lost: there are more than "
                + "\(PhaseLogLayout.Header.mostNames) of them, or their log could not grow (is the disk full?)"
        } else if counts.submitted < outcome.tasksMeant {
            trial.reason =
                "only \(counts.submitted) of \(outcome.tasksMeant) tasks were submitted before the time limit"
        } else {
            return
        }
        trial.status = .failed
    }
}

extension Trial {
    /// Tells of a further failure. A trial that the person interrupted stays interrupted, for then the run ends.
    mutating func fail(_ sentence: String) {
        if status == .completed { status = .failed }
        reason += (reason.isEmpty ? "" : "; ") + sentence
    }
}
