import Glibc

/// The best contender, and the others in order of their medians, each compared with the best one.
///
/// The best is the one with the highest median, unless another is shown to beat it where both ran: medians over different
/// blocks, of a machine that drifts or of trials that failed, can mislead, and the paired comparison knows better.
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
    }

    package var places: [Place]
    /// The confidence with which all comparisons hold together.
    package var confidence: Double
    /// Blocks needed for a contender to be told apart at all.
    package var blocksNeeded: Int

    package var best: Place? { places.first }
    /// Those that the data do not tell apart from the best.
    package var tiedWithBest: [Place] { places.dropFirst().filter { !$0.isToldApartFromBest } }
    /// Ranks contenders by the median of their values, larger first.
    ///
    /// - Parameter values: by contender, by block number, a positive value. A contender without values is left out.
    package init(_ values: [String: [Int: Double]], confidence: Double = 0.95) {
        let contenders = values.compactMap { name, blocks in
            MedianEstimate(of: Array(blocks.values), confidence: confidence).map {
                Contender(name: name, blocks: blocks, estimate: $0)
            }
        }.sorted { ($0.estimate.median, $1.name) > ($1.estimate.median, $0.name) }

        let pairs = max(contenders.count * (contenders.count - 1) / 2, 1)
        let each = 1 - (1 - confidence) / Double(pairs)
        self.confidence = confidence
        blocksNeeded = MedianEstimate.valuesNeeded(confidence: each)
        places = []
        guard var best = contenders.first else { return }
        // Each step goes to one that beats the best so far; comparisons that go round in a circle end after as many steps.
        for _ in contenders.indices {
            let better = contenders.first { ($0.ratio(to: best, confidence: each)?.interval?.lower ?? 0) > 1 }
            guard let better else { break }
            best = better
        }
        let others = contenders.filter { $0.name != best.name }
        places = [
            Place(
                name: best.name, estimate: best.estimate, ratioToBest: nil, isToldApartFromBest: false, isBest: true)
        ]
        places += others.map { contender in
            let ratio = contender.ratio(to: best, confidence: each)
            return Place(
                name: contender.name, estimate: contender.estimate, ratioToBest: ratio,
                isToldApartFromBest: ratio?.interval.map { $0.upper < 1 } ?? false, isBest: false)
        }
    }

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
