/// How a p-value or a rank was found.
package enum RankMethod: String, Hashable, Sendable, Codable {
    /// From every way in which the ranks could have fallen, ties included.
    case exact
    /// From the normal distribution that those ways tend to as they grow in number.
    case normal
}

/// The distribution of a sum of ranks where chance alone decides which ranks enter it, by counting the ways.
///
/// Sums are in halves of a rank, for equal values share the mean of their ranks: with ties the distribution is the one
/// given these ties, as in a permutation test of midranks, and not the one of tables, which know none
/// (Lehmann, “Nonparametrics: Statistical Methods Based on Ranks”, 1975, 1.4 and 3.3).
struct RankDistribution {
    /// By sum in halves of a rank, its probability.
    var probabilities: [Double]

    /// Of the sum of those ranks that a fair coin, thrown for each, lets in: the signed-rank statistic.
    init(signed ranks: [Double]) {
        probabilities = [1]
        for rank in ranks {
            let halves = Int(2 * rank)
            var next = Array(repeating: 0.0, count: probabilities.count + halves)
            for (sum, probability) in probabilities.enumerated() {
                next[sum] += probability / 2
                next[sum + halves] += probability / 2
            }
            probabilities = next
        }
    }

    /// Of the sum of `count` of the ranks, each choice of so many being equally likely: the rank-sum statistic.
    init(sumOf count: Int, of ranks: [Double]) {
        let halves = ranks.map { Int(2 * $0) }
        let largest = halves.sorted().suffix(count).reduce(0, +)
        let width = largest + 1
        // By how many have been chosen and what their sum is, the ways. As floating-point numbers they lose no more than
        // a part in 10¹⁵, for nothing is ever taken away from them.
        var ways = Array(repeating: 0.0, count: (count + 1) * width)
        ways[0] = 1
        for (seen, rank) in halves.enumerated() {
            for chosen in stride(from: min(seen + 1, count), to: 0, by: -1) {
                for sum in rank..<max(width, rank) {
                    ways[chosen * width + sum] += ways[(chosen - 1) * width + sum - rank]
                }
            }
        }
        let all = ways[(count * width)...].reduce(0, +)
        probabilities = ways[(count * width)...].map { $0 / all }
    }

    /// The probability of a sum of ranks not above `sum`.
    func share(through sum: Double) -> Double {
        let last = min(Int(2 * sum), probabilities.count - 1)
        return last < 0 ? 0 : min(probabilities[...last].reduce(0, +), 1)
    }

    /// Twice the smaller of the two tails, each with `sum` itself, and at most 1.
    func twoSided(_ sum: Double) -> Double {
        let below = share(through: sum)
        let above = probabilities[Int(2 * sum)...].reduce(0, +)
        return min(2 * min(below, above), 1)
    }

    /// The least two-sided p-value that any sum has.
    var leastPValue: Double {
        guard let first = probabilities.first(where: { $0 > 0 }), let last = probabilities.last(where: { $0 > 0 })
        else { return 1 }
        return min(2 * min(first, last), 1)
    }
}

/// Σ (t³ − t) over groups of t equal values: by how much ties lower the variance of a sum of ranks, but for a factor.
func tieTerm(_ groups: [Int]) -> Double {
    groups.reduce(0) { $0 + Double($1) * (Double($1) * Double($1) - 1) }
}
