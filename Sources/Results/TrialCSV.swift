/// `trials.csv`: one row a trial, in the order of execution. What is not here did not come to an end.
package enum TrialCSV {
    package static let columns = [
        "trial", "benchmark", "block", "status", "reason", "started_ns", "measure_begin_ns", "measure_end_ns",
        "warmup_tasks", "submitted", "ok", "failed", "cancelled", "unfinished", "ended_without_begin", "begun_twice",
        "ended_twice", "unknown_task", "mode",
    ]
    /// Columns that every version of the file has; the others came later.
    private static let requiredColumns = Array(columns.prefix(18))

    package final class Writer {
        private let file: AppendingFile

        package init(creating path: String) throws(ResultsError) {
            file = try AppendingFile(creating: path)
            file.append(CSV.row(columns))
            try file.flush()
        }

        package func append(_ trial: Trial) throws(ResultsError) {
            file.append(
                CSV.row([
                    "\(trial.number)", trial.benchmark.description, "\(trial.block)", trial.status.rawValue,
                    trial.reason, "\(trial.started.sinceOrigin)",
                    trial.measureBegin.map { "\($0.sinceOrigin)" } ?? "",
                    trial.measureEnd.map { "\($0.sinceOrigin)" } ?? "", "\(trial.warmupTasks)",
                    "\(trial.tasks.submitted)", "\(trial.tasks.ok)", "\(trial.tasks.failed)",
                    "\(trial.tasks.cancelled)", "\(trial.tasks.unfinished)", "\(trial.faults.endedWithoutBegin)",
                    "\(trial.faults.begunTwice)", "\(trial.faults.endedTwice)", "\(trial.faults.unknownTask)",
                    trial.mode.rawValue,
                ]))
            try file.flush()
        }
    }

    /// All whole rows of the file.
    package static func read(_ path: String) throws(ResultsError) -> [Trial] {
        let reader = try CSVReader(path, columns: requiredColumns)
        var trials: [Trial] = []
        while try reader.next() {
            guard reader.fieldCount >= requiredColumns.count, let benchmark = BenchmarkID(reader.text(1)),
                let status = Trial.Status(rawValue: reader.text(3)),
                let mode = reader.fieldCount > 18 ? Trial.Mode(rawValue: reader.text(18)) : .timed
            else { throw reader.malformed("this is not a trial") }
            var counts: [Int] = []
            for column in 8...17 { counts.append(Int(try reader.requiredInteger(column, "a count"))) }
            trials.append(
                Trial(
                    benchmark: benchmark, number: Int(try reader.requiredInteger(0, "trial")),
                    block: Int(try reader.requiredInteger(2, "block")), mode: mode, status: status,
                    reason: reader.text(4),
                    started: Instant(sinceOrigin: try reader.requiredInteger(5, "started_ns")),
                    measureBegin: try reader.integer(6, "measure_begin_ns").map(Instant.init(sinceOrigin:)),
                    measureEnd: try reader.integer(7, "measure_end_ns").map(Instant.init(sinceOrigin:)),
                    tasks: TaskCounts(
                        submitted: counts[1], ok: counts[2], failed: counts[3], cancelled: counts[4],
                        unfinished: counts[5]),
                    faults: RecordingFaults(
                        endedWithoutBegin: counts[6], begunTwice: counts[7], endedTwice: counts[8],
                        unknownTask: counts[9]),
                    warmupTasks: counts[0]))
        }
        return trials
    }
}
