import Results
import Statistics

/// How long the slowest responses of a benchmark took: percentiles over trials, and all tasks in a histogram.
package struct ResponseTail: Sendable {
    /// Of a closed loop, what is told beside what was measured.
    package struct Correction: Sendable {
        /// At which distance each place of the loop would have sent its next request, had nobody waited: the median response.
        package var expectedInterval: Nanoseconds
        /// With what would have been measured by requests that were not sent while others were awaited.
        package var histogram: Histogram
    }

    package var benchmark: BenchmarkID
    /// The median over trials of each trial's percentile, with its interval; why there is none, where there is none.
    package var percentiles: [(statistic: Metric.Statistic, estimate: MedianEstimate?, gap: Reading?)]
    /// Responses of all completed trials' tasks that ended, in nanoseconds.
    package var histogram: Histogram
    /// Nil for an open loop, which needs none.
    package var correction: Correction?
}

extension RunData {
    /// Nil for a benchmark without a task that ended.
    package func responseTail(of benchmark: BenchmarkDescription) -> ResponseTail? {
        let trials = completedTrials(of: benchmark.id)
        var histogram = Histogram()
        for trial in trials {
            guard let columns = tasks[trial.number] else { continue }
            for index in 0..<columns.count { histogram.record(max(columns.response(index), 0)) }
        }
        guard histogram.totalCount > 0 else { return nil }
        let percentiles = Metric.Statistic.allCases.map { statistic in
            let (byBlock, gaps) = values(of: .tasks(.response, statistic), benchmark.id)
            return (statistic, MedianEstimate(of: byBlock.sorted { $0.key < $1.key }.map(\.value)), gaps.first)
        }
        return ResponseTail(
            benchmark: benchmark.id, percentiles: percentiles, histogram: histogram,
            correction: benchmark.isClosedLoop == true ? correction(of: histogram, trials) : nil)
    }

    private func correction(of histogram: Histogram, _ trials: [Trial]) -> ResponseTail.Correction? {
        guard let usual = histogram.value(at: 0.5), usual > 0 else { return nil }
        var corrected = Histogram()
        for trial in trials {
            guard let columns = tasks[trial.number] else { continue }
            for index in 0..<columns.count { corrected.record(max(columns.response(index), 0), correctedBy: usual) }
        }
        return ResponseTail.Correction(expectedInterval: Nanoseconds(usual), histogram: corrected)
    }
}
