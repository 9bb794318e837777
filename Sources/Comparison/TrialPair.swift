import Glibc
import Results

/// One trial of each side, made directly one after the other; a coin decided which came first.
package struct TrialPair: Hashable, Sendable {
    package var number: Int
    package var baseFirst: Bool
    package var base: Reading
    package var head: Reading
    /// What disturbed one of the two; nil when nothing was seen.
    package var disturbance: String?

    package init(number: Int, baseFirst: Bool, base: Reading, head: Reading, disturbance: String? = nil) {
        self.number = number
        self.baseFirst = baseFirst
        self.base = base
        self.head = head
        self.disturbance = disturbance
    }

    /// ln(head / base); nil where a side has no value above zero, of which there is no ratio.
    package var logRatio: Double? {
        guard let base = base.value, let head = head.value, base > 0, head > 0, base.isFinite, head.isFinite else {
            return nil
        }
        return log(head / base)
    }
}

/// The pairs of one metric of one benchmark, in the order in which they were made.
package struct PairSeries: Hashable, Sendable {
    package var benchmark: BenchmarkID
    package var metric: Metric
    package var pairs: [TrialPair]

    package init(_ benchmark: BenchmarkID, _ metric: Metric, _ pairs: [TrialPair] = []) {
        self.benchmark = benchmark
        self.metric = metric
        self.pairs = pairs
    }
}
