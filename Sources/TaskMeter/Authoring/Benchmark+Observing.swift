import Results

extension Benchmark {
    /// Declares a benchmark that is neither tasks under a strategy nor iterations: it does something once in each trial, and tells
    /// what it observed by metrics of its own.
    ///
    /// ```swift
    /// let fired = Metric("timeouts_fired", .count, "time-outs that fired", .higherIsBetter)
    /// Benchmark("time-outs", "Waits for 100 time-outs.", axes: [queue], observing: [fired]) { parameters in
    ///     Observing { observer in observer.tell(fired, countOfTimeouts(on: parameters[queue])) }
    /// }
    /// ```
    /// - Parameters:
    ///   - observing: what each trial tells; what it does not tell is told as not counted.
    ///   - prepare: called once in each trial, on the main thread; its time is not measured.
    public init(
        _ name: String, _ about: String, axes: [any AnyAxis] = [], observing metrics: [Metric],
        file: String = #fileID, line: Int = #line, prepare: @escaping @Sendable (Parameters) throws -> Observing
    ) {
        self.init(
            name, about, axes: axes, .observations(Observations(metrics: metrics, prepare: prepare)),
            declaredAt: "\(file):\(line)")
    }
}
