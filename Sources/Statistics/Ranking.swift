import Glibc

/// Contenders in order of their medians, each compared with the best one.
///
/// Values are paired by block: what ran in the same block ran at nearly the same time, so that a machine that drifts
/// moves both alike. The comparisons hold together: each interval is asked for 1 − (1 − confidence)/p (Bonferroni), p
/// being the number of pairs among all contenders, so that all of them are right at once with the stated confidence.
/// It is all pairs and not only those with the best, because the data choose the best: one of several that are alike
/// comes out on top by luck, and seen from there the others look slower more often than by chance (of seven alike, in
/// eight blocks, 8 % of experiments told some apart at a nominal 5 %).
public struct Ranking: Hashable, Sendable {
    /// One contender's place.
    public struct Place: Hashable, Sendable {
        public var name: String
        /// Median of its values over blocks, with an interval of its own.
        public var estimate: MedianEstimate
        /// Its value over that of the best, paired by block; nil for the best itself, or where no block has both.
        public var ratioToBest: MedianEstimate?
        /// Whether the interval of the ratio leaves out 1. The best itself is not told apart from itself.
        public var isToldApartFromBest: Bool
    }

    public var places: [Place]
    /// The confidence with which all comparisons hold together.
    public var confidence: Double
    /// Blocks needed for a contender to be told apart at all.
    public var blocksNeeded: Int

    public var best: Place? { places.first }
    /// Those that the data do not tell apart from the best.
    public var tiedWithBest: [Place] { places.dropFirst().filter { !$0.isToldApartFromBest } }

    /// Ranks contenders by the median of their values, larger first.
    ///
    /// - Parameter values: by contender, by block number, a positive value. A contender without values is left out.
    public init(_ values: [String: [Int: Double]], confidence: Double = 0.95) {
        let contenders = values.compactMap { name, blocks in
            MedianEstimate(of: Array(blocks.values), confidence: confidence).map { (name, blocks, $0) }
        }.sorted { ($0.2.median, $1.0) > ($1.2.median, $0.0) }

        let pairs = max(contenders.count * (contenders.count - 1) / 2, 1)
        let each = 1 - (1 - confidence) / Double(pairs)
        self.confidence = confidence
        blocksNeeded = MedianEstimate.valuesNeeded(confidence: each)
        places = []
        for (name, blocks, estimate) in contenders {
            guard let best = contenders.first, best.0 != name else {
                places.append(Place(name: name, estimate: estimate, ratioToBest: nil, isToldApartFromBest: false))
                continue
            }
            let logarithms = blocks.compactMap { block, value in
                best.1[block].flatMap { $0 > 0 && value > 0 ? log(value / $0) : nil }
            }
            let ratio = MedianEstimate(of: logarithms, confidence: each)?.mapped { exp($0) }
            places.append(
                Place(
                    name: name, estimate: estimate, ratioToBest: ratio,
                    isToldApartFromBest: ratio?.interval.map { !$0.contains(1) } ?? false))
        }
    }
}
