import FoundationEssentials
import Glibc
import Results

/// The files of a run while it is being made: each trial's rows are written out when the trial ends.
struct RunRecording {
    let folder: RunFolder
    let log: SuiteLog
    private let tasks: TaskCSV.Writer
    private let samples: SampleCSV.Writer
    private let trials: TrialCSV.Writer

    init(_ folder: RunFolder) throws(ResultsError) {
        self.folder = folder
        log = try SuiteLog(creating: folder.logFile)
        tasks = try TaskCSV.Writer(creating: folder.tasksFile)
        samples = try SampleCSV.Writer(creating: folder.samplesFile)
        trials = try TrialCSV.Writer(creating: folder.trialsFile)
    }

    func recordsPath(_ trial: Int) -> String { "\(folder.logsFolder)/\(trial).log" }

    /// Copies what a trial left behind into the run's files.
    ///
    /// The record log is removed last: a kill in between leaves the log, from which a reader takes the trial.
    func take(
        _ outcome: TrialProcess.Outcome, _ entry: RunPlan.Entry, _ benchmark: BenchmarkDescription,
        started: Instant, ended: Instant
    ) throws(ResultsError) -> Trial {
        var trial = Trial(
            benchmark: benchmark.id, number: entry.trial, block: entry.block, status: outcome.status,
            reason: outcome.reason, started: started)
        let path = recordsPath(entry.trial)
        if fileSize(path) != nil, let records = try? RecordLogReader(path) {
            trial.tasks = try tasks.append(records)
            trial.faults = records.faults
            trial.warmupTasks = records.warmupTasks
            trial.measureBegin = records.measureBegin
            // A process that died stopped measuring no later than its death was noticed.
            trial.measureEnd = records.measureBegin == nil ? nil : records.measureEnd ?? ended
            if trial.status == .completed { judge(&trial, outcome, lost: records.lost) }
        } else if trial.status == .completed {
            trial.status = .failed
            trial.reason = "it left no task records"
        }
        try samples.append(benchmark: benchmark.id, trial: entry.trial, outcome.samples)
        try trials.append(trial)
        unlink(path)
        return trial
    }

    /// A process that said it finished may still have left tasks undone.
    private func judge(_ trial: inout Trial, _ outcome: TrialProcess.Outcome, lost: Int) {
        let counts = trial.tasks
        if counts.unfinished > 0 {
            trial.reason = "\(counts.unfinished) of \(counts.submitted) tasks had not ended when the time limit came"
        } else if lost > 0 {
            trial.reason = "\(lost) task records were lost: the record log could not grow (is the disk full?)"
        } else if counts.submitted < outcome.tasksMeant {
            trial.reason =
                "only \(counts.submitted) of \(outcome.tasksMeant) tasks were submitted before the time limit"
        } else {
            return
        }
        trial.status = .failed
    }
}
