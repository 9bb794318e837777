import Results
import Statistics

/// What a comparison found of one metric of one benchmark, and how sure it is.
package struct Judgement: Hashable, Sendable, Codable {
    package var benchmark: BenchmarkID
    package var metric: Metric
    package var verdict: Verdict
    /// Why it is so, where the numbers do not say it; else empty.
    package var reason = ""
    /// Pairs that have a ratio.
    package var pairs = 0
    /// Pairs without one, because a side measured nothing.
    package var gaps = 0
    /// Pairs of those with a ratio during which the machine was disturbed: they count like others.
    package var disturbed = 0
    /// Medians of what each side's trials measured, in the metric's unit.
    package var base: Double?
    package var head: Double?
    /// The head's value over the base's: the median over pairs.
    package var ratio: Double?
    /// Of the ratio; it holds at every moment at once. Nil while the pairs are too few.
    package var interval: Interval?
    /// The smallest change, as a share, that so many pairs of this noise would have told from none.
    package var smallestChange: Double?
    /// How many more pairs may decide it, by how the interval has narrowed so far; nil where it is decided.
    package var pairsNeeded: Int?

    package init(_ benchmark: BenchmarkID, _ metric: Metric, _ verdict: Verdict, reason: String = "") {
        self.benchmark = benchmark
        self.metric = metric
        self.verdict = verdict
        self.reason = reason
    }

    /// The change as a share of the base: 0.03 for a head 3 % above it.
    package var change: Double? { ratio.map { $0 - 1 } }
}

extension Judgement {
    /// The least p-value of one mode alone that is no doubt.
    private static let modesLimit = 0.01

    /// The same, or unstable where it is undecided and the ratios of its pairs gather about several places. Those of one side's values say
    /// nothing of that: a machine that changes its speed moves both sides of a pair alike.
    package func recognisingModes(of series: PairSeries) -> Judgement {
        guard verdict == .undecided, let pValue = Modes(of: series.pairs.compactMap(\.logRatio))?.pValue,
            pValue <= Self.modesLimit
        else { return self }
        var judgement = self
        judgement.verdict = .unstable
        judgement.reason = "the ratios of its pairs gather about several places, and none of them describes it"
        return judgement
    }
}
