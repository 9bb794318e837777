import Results

/// The tasks or the batches of iterations of one trial, from its own log.
package struct TrialContents: Sendable {
    package private(set) var tasks: TaskColumns?
    package private(set) var batches: TrialBatches?

    /// - Parameter path: of a log of tasks or of samples; where there is none, there are no contents.
    package init(log path: String) {
        if let log = try? RecordLogReader(path) {
            var columns = TaskColumns()
            _ = try? log.forEachRecord { columns.append($0) }
            tasks = columns
        } else if let log = try? SampleLogReader(path) {
            var batches = TrialBatches()
            try? log.forEachSample { series, begin, elapsed, iterations in
                batches.append(series, at: begin, elapsed: Double(elapsed.count), iterations: iterations)
            }
            self.batches = batches
        }
    }
}

extension RunData {
    /// One trial of a run that goes on: what is read of it is what it will be read as from the run's files.
    package init(_ trial: Trial, of run: Run, in folder: RunFolder, _ samples: [Sample], _ contents: TrialContents) {
        self.init(
            folder: folder, run: run, trials: [trial], tasks: [:], samples: [trial.number: samples], batches: [:],
            failureReasons: [:], oldestUnfinished: [:], missing: [])
        tasks[trial.number] = contents.tasks
        batches[trial.number] = contents.batches
    }
}
