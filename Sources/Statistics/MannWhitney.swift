/// Whether the values of one of two independent groups tend to be larger than those of the other
/// (Mann & Whitney, “On a Test of Whether One of Two Random Variables Is Stochastically Larger than the Other”, 1947;
/// Wilcoxon’s rank-sum test).
///
/// The values must be independent: a value for each trial, not the iterations inside a process. Where the two ran in turns in
/// blocks, pair them by block and use `SignedRank` or `HodgesLehmann`.
package struct MannWhitney: Hashable, Sendable, Codable {
    package var firstCount: Int
    package var secondCount: Int
    /// U of the first group: pairs in which its value is the larger one, and half of those in which both are equal.
    package var statistic: Double
    /// Two-sided: twice the smaller tail.
    package var pValue: Double
    package var method: RankMethod
    /// The least p-value that so many values, with these ties, could have had.
    package var leastPValue: Double
    /// Why no difference could have been shown; nil when one could.
    package var doubt: String?

    /// The share of pairs in which the first group's value is the larger one, ties counting half: ½ where the groups are alike.
    package var superiority: Double { statistic / (Double(firstCount) * Double(secondCount)) }

    /// The largest number of pairs for which the ways are counted. Beyond it the normal distribution is used, corrected for ties and
    /// by ½ for continuity.
    package static let mostPairsForExact = 1_000

    /// - Parameter level: the p-value at or below which a difference is held to be shown; `doubt` is about it.
    /// - Returns: nil where a group has no values, or one that is not a finite number.
    package init?(_ first: [Double], _ second: [Double], level: Double = 0.05) {
        guard !first.isEmpty, !second.isEmpty, first.allSatisfy(\.isFinite), second.allSatisfy(\.isFinite)
        else { return nil }
        firstCount = first.count
        secondCount = second.count
        let (ranks, groups) = midranks(first + second)
        let (m, n) = (Double(first.count), Double(second.count))
        let least = m * (m + 1) / 2
        let sum = ranks[..<first.count].reduce(0, +)
        statistic = sum - least

        if first.count <= Self.mostPairsForExact / second.count {
            method = .exact
            // The sum of the smaller group's ranks takes less counting, and determines that of the other.
            let isFirst = first.count <= second.count
            let distribution = RankDistribution(sumOf: min(first.count, second.count), of: ranks)
            pValue = distribution.twoSided(isFirst ? sum : ranks.reduce(0, +) - sum)
            leastPValue = distribution.leastPValue
        } else {
            method = .normal
            let all = m + n
            let deviation = (m * n / 12 * (all + 1 - tieTerm(groups) / (all * (all - 1)))).squareRoot()
            func twoSided(_ statistic: Double) -> Double {
                deviation > 0 ? normalTwoSided(max(abs(statistic - m * n / 2) - 0.5, 0) / deviation) : 1
            }
            pValue = twoSided(statistic)
            leastPValue = twoSided(0)
        }
        if groups.count == 1 {
            doubt = "all values are equal"
        } else if leastPValue > level {
            let have = "\(first.count) and \(second.count) values"
            let need = Self.valuesNeeded(level: level)
            doubt =
                first.count >= need && second.count >= need
                ? "\(have), most of them equal, cannot show a difference at \(percentText(level))"
                : "\(have) cannot show a difference at \(percentText(level)); \(need) and \(need) can"
        }
    }

    /// The fewest values in each group with which a difference can be shown: 4 at 5 %.
    package static func valuesNeeded(level: Double) -> Int {
        // Two of all the ways to choose n of 2n are the extreme ones.
        var count = 1
        var ways = 2.0
        while 2 / ways > level {
            count += 1
            ways *= 2 * Double(2 * count - 1) / Double(count)
        }
        return count
    }
}
