/// One reading of one metric.
package struct Sample: Hashable, Sendable, Codable {
    /// Its place in the order in which its trial took samples.
    package var number: Int
    package var metric: String
    package var unit: String
    package var reading: Reading
    /// How many iterations (tasks) the reading speaks of: it is their sum, not their mean.
    package var iterations: Int
    /// When it began to be taken; nil for a sample of a whole trial.
    package var at: Instant?

    /// The number, where there is one.
    package var value: Double? { reading.value }

    package init(number: Int, metric: String, unit: String, reading: Reading, iterations: Int, at: Instant? = nil) {
        self.number = number
        self.metric = metric
        self.unit = unit
        self.reading = reading
        self.iterations = iterations
        self.at = at
    }

    /// - Parameter value: measured, and finite.
    package init(number: Int, metric: String, unit: String, value: Double, iterations: Int, at: Instant? = nil) {
        self.init(
            number: number, metric: metric, unit: unit, reading: .measured(value), iterations: iterations, at: at)
    }

    /// A reading of a whole trial.
    package init(_ metric: Metric, _ reading: Reading, iterations: Int) {
        self.init(number: 0, metric: metric.name, unit: metric.unit, reading: reading, iterations: iterations)
    }
}
