/// Whether paired differences tend to be above or below zero
/// (Wilcoxon, “Individual Comparisons by Ranking Methods”, 1945).
///
/// It asks for differences that are independent of one another and, where there is no effect, as likely to be so much above zero
/// as so much below it: as those of two that ran in the same block are. Differences of zero speak for neither side and are
/// left out before ranking, which is Wilcoxon’s own rule; how many they were is told.
package struct SignedRank: Hashable, Sendable, Codable {
    /// The differences given, zeros included.
    package var count: Int
    package var zeros: Int
    /// W⁺: the sum of the ranks, by size, of the differences above zero.
    package var statistic: Double
    /// Two-sided: twice the smaller tail.
    package var pValue: Double
    package var method: RankMethod
    /// The least p-value that so many differences could have had.
    package var leastPValue: Double
    /// Why no effect could have been shown; nil when one could.
    package var doubt: String?

    /// The largest number of differences, zeros left out, for which the ways are counted. Beyond it the normal
    /// distribution is used, corrected for ties and by ½ for continuity.
    package static let mostForExact = 100

    /// - Parameter level: the p-value at or below which an effect is held to be shown; `doubt` is about it.
    /// - Returns: nil for no differences, or where one is not a finite number.
    package init?(of differences: [Double], level: Double = 0.05) {
        guard !differences.isEmpty, differences.allSatisfy(\.isFinite) else { return nil }
        let moved = differences.filter { $0 != 0 }
        count = differences.count
        zeros = differences.count - moved.count
        let (ranks, groups) = midranks(moved.map(abs))
        statistic = zip(moved, ranks).reduce(0) { $1.0 > 0 ? $0 + $1.1 : $0 }

        if moved.count <= Self.mostForExact {
            method = .exact
            let distribution = RankDistribution(signed: ranks)
            pValue = distribution.twoSided(statistic)
            leastPValue = distribution.leastPValue
        } else {
            method = .normal
            let n = Double(moved.count)
            let deviation = (n * (n + 1) * (2 * n + 1) / 24 - tieTerm(groups) / 48).squareRoot()
            func twoSided(_ statistic: Double) -> Double {
                normalTwoSided(max(abs(statistic - n * (n + 1) / 4) - 0.5, 0) / deviation)
            }
            pValue = twoSided(statistic)
            leastPValue = twoSided(0)
        }
        if moved.isEmpty {
            doubt = "no value differs from its partner"
        } else if leastPValue > level {
            let have = moved.count == 1 ? "1 difference" : "\(moved.count) differences"
            doubt =
                "\(have) other than zero cannot show an effect at \(percentText(level)); "
                + "\(MedianEstimate.valuesNeeded(confidence: 1 - level)) can"
        }
    }
}
