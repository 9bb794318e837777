import Results

extension RunRecording {
    /// Copies the samples of a sampled trial into `samples.csv`, in order of time, then what is known of it as a whole.
    ///
    /// - Returns: whether its log can be read, how many samples were written, and those of the trial as a whole.
    func takeSamples(
        _ path: String, _ outcome: TrialProcess.Outcome, _ trial: inout Trial
    ) throws(ResultsError) -> (isReadable: Bool, written: Int, samples: [Sample]) {
        var totals = SampleTotals()
        var lost = 0
        if fileSize(path) != nil {
            let log: SampleLogReader
            do { log = try SampleLogReader(path) } catch {
                trial.fail("its samples cannot be read: \(error)")
                return (false, 0, [])
            }
            totals = try samples.append(log)
            lost = log.lost
        }
        trial.measureBegin = totals.begin
        trial.measureEnd = totals.end
        var whole = outcome.samples
        for index in whole.indices { whole[index].number = totals.samples + index }
        try samples.append(benchmark: trial.benchmark, trial: trial.number, whole)
        // A trial that counts tells its counts, and keeps no times of batches.
        guard trial.status == .completed, trial.mode == .timed else {
            return (true, totals.samples + whole.count, whole)
        }
        // A process that said it finished may still have left nothing to judge.
        if lost > 0 {
            trial.fail("\(lost) samples were lost: the sample log could not grow (is the disk full?)")
        } else if totals.workSamples == 0 {
            trial.fail("it took no sample")
        }
        return (true, totals.samples + whole.count, whole)
    }
}
