import Statistics

/// What a run says of one cost of a benchmark: over its completed trials, by task, iteration or trial.
package struct CostSummary: Hashable, Sendable, Codable {
    /// What an amount was divided by.
    package enum Divisor: String, Sendable, Codable {
        case task
        case iteration
        /// By nothing: it does not add up.
        case trial
    }

    /// Trials that take no part in the estimate, and why.
    package struct Gap: Hashable, Sendable, Codable {
        package var reading: Reading
        package var trials: Int

        package init(reading: Reading, trials: Int) {
            self.reading = reading
            self.trials = trials
        }
    }

    package var metric: String
    package var unit: String
    package var per: Divisor
    /// Over the trials that have a number of one kind: measured ones where there are any, else estimated ones. Nil where no
    /// trial has a number.
    package var estimate: MedianEstimate?
    /// How far those trials lie apart: the largest less the smallest number, as a share of the median. Nil of fewer than two, and
    /// where the median is zero and they differ.
    package var spread: Double?
    /// Whether the numbers are estimates, each counted for a part of the time only and scaled up.
    package var isEstimated: Bool
    /// The most frequent first.
    package var gaps: [Gap]

    package init(
        metric: String, unit: String, per: Divisor, estimate: MedianEstimate?, spread: Double? = nil,
        isEstimated: Bool, gaps: [Gap]
    ) {
        self.spread = spread
        self.metric = metric
        self.unit = unit
        self.per = per
        self.estimate = estimate
        self.isEstimated = isEstimated
        self.gaps = gaps
    }
}
