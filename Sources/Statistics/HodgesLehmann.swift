/// Where differences have their middle, or by how much one group is shifted against another, with an interval that assumes no
/// distribution (Hodges & Lehmann, “Estimates of Location Based on Rank Tests”, 1963; intervals as in Hollander & Wolfe,
/// “Nonparametric Statistical Methods”, 3.3 and 4.3, and in R’s `wilcox.test`).
///
/// The interval holds what the rank test of the same data does not reject. It is narrower than that of a
/// median, and asks for more: of one group, that its distribution be symmetric, as differences of pairs are where the two only
/// differ by a shift, and single latencies are not; of two groups, that they differ by a shift. Ties only widen it.
package struct HodgesLehmann: Hashable, Sendable, Codable {
    package var estimate: Double
    /// Nil where the values cannot support the confidence asked for; `doubt` then says why.
    package var interval: Interval?
    /// The values of each group: one number, or two.
    package var counts: [Int]
    /// Whether the interval's confidence is counted or comes from the normal distribution.
    package var method: RankMethod
    package var doubt: String?

    /// The pseudomedian of a symmetric group, such as paired differences: the median of the means of all pairs of values,
    /// each with itself too (Walsh averages), and the interval from the signed-rank distribution.
    ///
    /// - Returns: nil for no values, or where one is not a finite number.
    package init?(of values: [Double], confidence: Double = 0.95) {
        guard !values.isEmpty, values.allSatisfy(\.isFinite) else { return nil }
        let count = values.count
        let halves = values.map { $0 / 2 }.sorted()
        let pairs = count * (count + 1) / 2
        let ranks: Ranks
        if count <= SignedRank.mostForExact {
            ranks = Ranks(RankDistribution(signed: (1...count).map(Double.init)), from: 0, confidence: confidence)
        } else {
            let n = Double(count)
            ranks = Ranks(
                mean: Double(pairs) / 2, deviation: (n * (n + 1) * (2 * n + 1) / 24).squareRoot(),
                confidence: confidence)
        }
        self.init(counts: [count], pairs: pairs, ranks: ranks) { smallestPairSum(rank: $0, of: halves) }
        if interval == nil {
            doubt =
                "\(valuesText(count)) cannot support an interval of \(percentText(confidence)); "
                + "\(MedianEstimate.valuesNeeded(confidence: confidence)) can"
        }
    }

    /// By how much values are larger than those of another, independent group: the median of the differences of all pairs, and
    /// the interval from the rank-sum distribution.
    ///
    /// - Returns: nil where a group has no values, or one that is not a finite number.
    package init?(shiftOf values: [Double], from reference: [Double], confidence: Double = 0.95) {
        guard !values.isEmpty, !reference.isEmpty, values.allSatisfy(\.isFinite), reference.allSatisfy(\.isFinite)
        else { return nil }
        let counts = [values.count, reference.count]
        let ascending = values.sorted()
        let negated = reference.map { -$0 }.sorted()
        let pairs = values.count * reference.count
        let ranks: Ranks
        if values.count <= MannWhitney.mostPairsForExact / reference.count {
            let few = counts.min()!
            ranks = Ranks(
                RankDistribution(sumOf: few, of: (1...counts[0] + counts[1]).map(Double.init)),
                from: Double(few * (few + 1) / 2), confidence: confidence)
        } else {
            ranks = Ranks(
                mean: Double(pairs) / 2,
                deviation: (Double(pairs) * Double(counts[0] + counts[1] + 1) / 12).squareRoot(),
                confidence: confidence)
        }
        self.init(counts: counts, pairs: pairs, ranks: ranks) { smallestSum(rank: $0, of: ascending, and: negated) }
        if interval == nil {
            let need = MannWhitney.valuesNeeded(level: 1 - confidence)
            doubt =
                "\(counts[0]) and \(counts[1]) values cannot support an interval of \(percentText(confidence)); "
                + "\(need) and \(need) can"
        }
    }

    private init(counts: [Int], pairs: Int, ranks: Ranks, valueOfPair: (Int) -> Double) {
        self.counts = counts
        method = ranks.method
        let upper = valueOfPair(pairs / 2 + 1)
        estimate = pairs % 2 == 1 ? upper : valueOfPair(pairs / 2) / 2 + upper / 2
        guard ranks.lower > 0 else { return }
        interval = Interval(
            lower: valueOfPair(ranks.lower), upper: valueOfPair(pairs + 1 - ranks.lower), confidence: ranks.confidence)
    }

    /// The largest rank among all pairs from which an interval to its mirror image still reaches a confidence, and the
    /// confidence that it reaches; rank 0 where none does.
    private struct Ranks {
        var lower = 0
        var confidence = 0.0
        var method: RankMethod

        /// From the distribution of the rank statistic, whose least value is `least`: k is a rank where P(statistic < least + k) fits
        /// in a tail.
        init(_ distribution: RankDistribution, from least: Double, confidence: Double) {
            precondition(confidence > 0 && confidence < 1)
            method = .exact
            var below = 0.0
            while true {
                below += distribution.probabilities[Int(2 * least) + 2 * lower]
                guard 1 - 2 * below >= confidence else { return }
                lower += 1
                self.confidence = 1 - 2 * below
            }
        }

        init(mean: Double, deviation: Double, confidence: Double) {
            precondition(confidence > 0 && confidence < 1)
            method = .normal
            let exact = mean + 0.5 + normalQuantile((1 - confidence) / 2) * deviation
            guard exact >= 1 else { return }
            lower = Int(exact)
            self.confidence = 1 - normalTwoSided((Double(lower) - 0.5 - mean) / deviation)
        }
    }
}
