import Results

extension Metric {
    /// What a metric of a suite's own is measured in.
    public enum Unit: String, Sendable, CaseIterable {
        /// Times, in nanoseconds.
        case nanoseconds = "ns"
        /// Memory, in bytes.
        case bytes = "B"
        /// How many, a ratio, a share in percent.
        case count = "1"
        /// Rates, by second.
        case perSecond = "1/s"
    }

    /// A metric that a benchmark observes.
    ///
    /// - Parameters:
    ///   - name: lower-case words joined by `_`, such as `probe_wait_max`; unique among all metrics. Part of files that last: do
    ///     not change what a name means.
    ///   - title: what it is, as a part of a sentence: “longest wait of a probe”.
    ///   - direction: which of two values is the better one.
    public init(_ name: String, _ unit: Unit, _ title: String, _ direction: Direction = .lowerIsBetter) {
        self.init(name, unit.rawValue, .suite, .process, .level, direction, title: title)
    }
}
