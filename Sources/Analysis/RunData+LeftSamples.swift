import FoundationEssentials
import Results

extension RunData {
    /// Takes up the sample logs of trials that were under way when the run was killed. One that cannot be read is passed
    /// over: what it would have told is missing, and that is told.
    mutating func readLeftSampleLogs() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.logsFolder)) ?? []
        for name in names.sorted() where name.hasSuffix(".samples") {
            guard let log = try? SampleLogReader(folder.logsFolder + "/" + name),
                !trials.contains(where: { $0.number == log.trial })
            else { continue }
            var totals = SampleTotals()
            // Rows that reached samples.csv before the kill are in the log as well: the log is the whole of them.
            var left = TrialBatches()
            try? log.forEachSample { series, begin, elapsed, iterations throws(ResultsError) in
                left.append(series, at: begin, elapsed: Double(elapsed.count), iterations: iterations)
                totals.add(series, begin, elapsed)
            }
            batches[log.trial] = left
            trials.append(
                Trial(
                    benchmark: log.benchmark, number: log.trial, block: log.trial / max(run.benchmarks.count, 1),
                    status: .interrupted, reason: "the run was killed while this trial ran",
                    started: totals.begin ?? Instant(sinceOrigin: 0), measureBegin: totals.begin,
                    measureEnd: totals.end))
        }
    }
}
