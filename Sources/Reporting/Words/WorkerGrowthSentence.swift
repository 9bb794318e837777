import Analysis
import Results
import Words

extension WorkloadView {
    /// Sentences on pools that grew while tasks waited, with what the same work waited for on a thread each.
    var workerGrowthSentences: [String] {
        let reference = entries.first { $0.strategy == Self.threadPerTask && $0.summary.workers != nil }
        return entries.compactMap { entry in
            guard let workers = entry.summary.workers, let rate = workers.workersPerSecond,
                rate < Self.slowGrowth, let wait = entry.summary.wait?.p50.value, isLarge(wait, entry.summary)
            else { return nil }
            var sentence =
                "\(entry.name) began with \(PlainNumber.counted(Int(workers.workersAtStart.rounded()), "worker")) and "
                + "gained about \(PlainNumber.significant(rate, digits: 2)) a second, to "
                + "\(PlainNumber.grouped(Int(workers.workersInAll.rounded()))): half of its tasks waited "
                + "\(PlainDuration.text(wait)) or longer."
            if let reference, reference.strategy != entry.strategy, let other = reference.summary.workers,
                let otherWait = reference.summary.wait?.p50.value
            {
                sentence +=
                    " \(reference.name) ran up to \(PlainNumber.grouped(Int(other.peakRunning.rounded()))) tasks at "
                    + "once: half of its tasks waited \(PlainDuration.text(otherWait)) or longer."
            }
            return sentence
        }
    }

    private static let threadPerTask = "thread-per-task"
    /// Pools that make workers on demand start hundreds a second; one that starts fewer than this holds tasks up.
    private static let slowGrowth = 20.0

    /// Whether a wait is worth a sentence: longer than a person's blink, or than the work itself.
    private func isLarge(_ wait: Nanoseconds, _ summary: BenchmarkSummary) -> Bool {
        guard wait >= .milliseconds(10) else { return false }
        return wait >= .milliseconds(100) || wait >= summary.spent?.p50.value ?? .zero
    }
}
