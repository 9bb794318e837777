import Results
import Statistics

extension RunData {
    /// How the workers of a benchmark came to life, from the first task that each of them began.
    func workerGrowth(_ trials: [Trial]) -> WorkerGrowth? {
        var atStart: [Double] = []
        var inAll: [Double] = []
        var perSecond: [Double] = []
        var peaks: [Double] = []
        for trial in trials {
            guard let columns = tasks[trial.number], columns.count > 0, let start = columns.submitted.min() else {
                continue
            }
            var firstBegin: [Int32: Int64] = [:]
            for index in 0..<columns.count {
                let begin = columns.begin[index] - start
                firstBegin[columns.worker[index]] = min(firstBegin[columns.worker[index]] ?? begin, begin)
            }
            let early = firstBegin.values.count { $0 <= Self.startOfTrial.count }
            atStart.append(Double(early))
            inAll.append(Double(firstBegin.count))
            let peak = peakOverlap(begins: columns.begin, ends: columns.end)
            peaks.append(Double(peak))
            // Growth is a rate only over a time in which it could be seen, and only where more ran at once than before:
            // a queue that moves its tasks from thread to thread does not grow.
            if let last = firstBegin.values.max(), last >= Self.shortestGrowth.count, peak > early {
                perSecond.append(Double(firstBegin.count - early) / Nanoseconds(last).seconds)
            }
        }
        guard let atStart = median(atStart), let inAll = median(inAll), let peak = median(peaks) else { return nil }
        return WorkerGrowth(
            workersAtStart: atStart, workersInAll: inAll,
            workersPerSecond: perSecond.count * 2 > peaks.count ? median(perSecond) : nil, peakRunning: peak)
    }

    private static let startOfTrial = Nanoseconds.milliseconds(50)
    private static let shortestGrowth = Nanoseconds.milliseconds(500)
}
