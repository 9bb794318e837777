import Results
import Statistics
import Words

extension Distribution {
    /// Of values of several trials, each sorted; nil where there is no value.
    init?(ofSorted trials: [[Int64]]) {
        self.init(trials.map(\.count)) { trial, index in trials[trial][index] }
    }

    /// Of values of several trials; nil where there is none.
    ///
    /// - Parameters:
    ///   - counts: how many values each trial has.
    ///   - value: that of a trial and an index.
    init?(_ counts: [Int], _ value: (Int, Int) -> Int64) {
        var values: [Int64] = []
        values.reserveCapacity(counts.reduce(0, +))
        var medians: [Double] = []
        for (trial, count) in counts.enumerated() where count > 0 {
            let first = values.count
            for index in 0..<count { values.append(value(trial, index)) }
            values[first...].sort()
            medians.append(Double(nearestRank(0.5, ofSorted: values[first...])))
        }
        guard let overTrials = MedianEstimate(of: medians) else { return nil }
        values.sort()
        func percentile(_ p: Double) -> Percentile {
            let needed = valuesNeeded(forPercentile: p)
            guard values.count >= needed else {
                return .unavailable(
                    reason: "needs \(PlainNumber.counted(needed, "task")), \(PlainNumber.grouped(values.count)) ended")
            }
            return .value(Nanoseconds(nearestRank(p, ofSorted: values)))
        }
        // As fractions: a sum of whole nanoseconds could overflow 64 bits.
        let mean = values.reduce(0.0) { $0 + Double($1) } / Double(values.count)
        self.init(
            count: values.count, p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99),
            p999: percentile(0.999), max: Nanoseconds(values[values.count - 1]),
            mean: Nanoseconds(Int64(mean.rounded())), medianOverTrials: overTrials)
    }
}
