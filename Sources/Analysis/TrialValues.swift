import Results
import Statistics
import Words

/// The value that each trial has for a metric, wherever it comes from: a sample, the records of its tasks, its batches.
extension RunData {
    /// What a completed timed trial says of a metric.
    ///
    /// Amounts are divided by the trial's tasks or iterations: they tell what one of them cost.
    package func reading(of metric: Metric, in trial: Trial) -> Reading {
        if metric.name == Metric.iterationTime.name {
            return iterationTime(of: trial).map { .measured($0) } ?? .notCounted(reason: "the trial left no sample")
        }
        if let (time, statistic) = Metric.taskTime(named: metric.name) { return taskTime(time, statistic, in: trial) }
        guard let sample = samples[trial.number]?.first(where: { $0.metric == metric.name }) else {
            return .notCounted(reason: "the trial did not tell it")
        }
        let isAmount = run.metrics.first { $0.name == metric.name }?.kind == .amount
        guard isAmount, sample.iterations > 0 else { return sample.reading }
        return sample.reading.map { $0 / Double(sample.iterations) }
    }

    private func taskTime(_ time: Metric.TaskTime, _ statistic: Metric.Statistic, in trial: Trial) -> Reading {
        guard let columns = tasks[trial.number], columns.count > 0 else {
            return .notCounted(reason: "no task ended")
        }
        let values = columns.values(time).sorted()
        guard let share = statistic.share else { return .measured(Double(values[values.count - 1])) }
        let needed = valuesNeeded(forPercentile: share)
        guard values.count >= needed else {
            return .notCounted(
                reason:
                    "needs \(PlainNumber.counted(needed, "task")) a trial, \(PlainNumber.grouped(values.count)) ended")
        }
        return .measured(Double(nearestRank(share, ofSorted: values)))
    }

    /// The trials by which a benchmark is judged on a metric: the timed ones, or those that count it.
    package func trials(of benchmark: BenchmarkID, telling metric: Metric) -> [Trial] {
        guard metric.probe == .emulation || metric.probe == .allocations else { return completedTrials(of: benchmark) }
        return trials.filter {
            $0.benchmark == benchmark && $0.status == .completed
                && $0.mode == (metric.probe == .emulation ? .exact : .allocations)
        }.sorted { $0.block < $1.block }
    }

    /// What trials of a benchmark measured of a metric, by block, and why others did not.
    package func values(of metric: Metric, _ benchmark: BenchmarkID) -> (byBlock: [Int: Double], gaps: [Reading]) {
        var byBlock: [Int: Double] = [:]
        var gaps: [Reading] = []
        for trial in trials(of: benchmark, telling: metric) {
            let reading = reading(of: metric, in: trial)
            if case .measured(let value) = reading { byBlock[trial.block] = value } else { gaps.append(reading) }
        }
        return (byBlock, gaps)
    }
}

extension Metric.Statistic {
    /// As a share of values that do not exceed it; nil for the largest.
    package var share: Double? {
        switch self {
        case .p50: 0.5
        case .p90: 0.9
        case .p99: 0.99
        case .p999: 0.999
        case .p9999: 0.9999
        case .max: nil
        }
    }
}

extension Metric.Direction {
    package var preference: Preference { self == .higherIsBetter ? .larger : .smaller }
}
