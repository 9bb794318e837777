import Glibc

/// Contenders by rank: one more than the number of others that are shown to beat it. Contenders of rank 1 are beaten by
/// nobody, and so not told apart from one another; the best is that of them with the highest median. Of a later rank this
/// is not so: who is beaten by as many may still be beaten by the other, for “shown to beat” does not pass on.
///
/// Values are paired by block: what ran in the same block ran at nearly the same time, so that a machine that drifts
/// moves both alike. The comparisons hold together: each interval is asked for 1 − (1 − confidence)/p (Bonferroni), p
/// being the number of pairs among all contenders, so that all of them are right at once with the stated confidence.
/// It is all pairs and not only those with the best, because the data choose the best: one of several that are alike
/// comes out on top by luck, and seen from there the others look slower more often than by chance (of seven alike, in
/// eight blocks, 8 % of experiments told some apart at a nominal 5 %).
package struct Ranking: Hashable, Sendable {
    /// One contender's place.
    package struct Place: Hashable, Sendable {
        package var name: String
        /// Median of its values over blocks, with an interval of its own.
        package var estimate: MedianEstimate
        /// Its value over that of the best, paired by block; nil for the best itself, or where no block has both.
        package var ratioToBest: MedianEstimate?
        /// Whether the interval of the ratio lies below 1. The best itself is not told apart from itself.
        package var isToldApartFromBest: Bool
        package var isBest: Bool
        /// One more than the number of contenders that are shown to beat it.
        package var rank: Int
        /// Whether another contender has the same rank.
        package var sharesRank: Bool
    }

    package var places: [Place]
    /// The confidence with which all comparisons hold together.
    package var confidence: Double
    /// Blocks needed for a contender to be told apart at all.
    package var blocksNeeded: Int

    package var best: Place? { places.first }
    /// Those that nobody is shown to beat either.
    package var tiedWithBest: [Place] { places.filter { $0.rank == places[0].rank && !$0.isBest } }

    /// Ranks contenders, larger values first.
    ///
    /// - Parameter values: by contender, by block number, a positive value. A contender without values is left out.
    package init(_ values: [String: [Int: Double]], confidence: Double = 0.95) {
        let contenders = values.compactMap { name, blocks in
            MedianEstimate(of: Array(blocks.values), confidence: confidence).map {
                Contender(name: name, blocks: blocks, estimate: $0)
            }
        }.sorted { ($0.estimate.median, $1.name) > ($1.estimate.median, $0.name) }

        let each = 1 - (1 - confidence) / Double(Self.pairs(contenders.count))
        self.confidence = confidence
        blocksNeeded = Self.blocksNeeded(contenders: contenders.count, confidence: confidence)
        places = []
        let ranks = contenders.map { contender in
            1 + contenders.count { ($0.ratio(to: contender, confidence: each)?.interval?.lower ?? 0) > 1 }
        }
        // Sorted by median already: the first of the least rank. (Comparisons that go round in a circle leave no rank 1.)
        guard let first = ranks.indices.min(by: { (ranks[$0], $0) < (ranks[$1], $1) }) else { return }
        let best = contenders[first]
        places = ranks.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { index in
            let ratio = index == first ? nil : contenders[index].ratio(to: best, confidence: each)
            return Place(
                name: contenders[index].name, estimate: contenders[index].estimate, ratioToBest: ratio,
                isToldApartFromBest: ratio?.interval.map { $0.upper < 1 } ?? false, isBest: index == first,
                rank: ranks[index], sharesRank: ranks.count { $0 == ranks[index] } > 1)
        }
    }

    /// The blocks without which no contender of so many can be told apart.
    package static func blocksNeeded(contenders: Int, confidence: Double = 0.95) -> Int {
        MedianEstimate.valuesNeeded(confidence: 1 - (1 - confidence) / Double(pairs(contenders)))
    }

    private static func pairs(_ contenders: Int) -> Int { max(contenders * (contenders - 1) / 2, 1) }

    private struct Contender {
        var name: String
        var blocks: [Int: Double]
        var estimate: MedianEstimate

        /// Its value over another's, paired by block; nil where no block has both.
        func ratio(to other: Contender, confidence: Double) -> MedianEstimate? {
            let logarithms = blocks.compactMap { block, value in
                other.blocks[block].flatMap { $0 > 0 && value > 0 ? log(value / $0) : nil }
            }
            return MedianEstimate(of: logarithms, confidence: confidence)?.mapped { exp($0) }
        }
    }
}
