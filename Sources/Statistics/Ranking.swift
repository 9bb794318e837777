import Glibc

/// Which of two values is the better one.
package enum Preference: Hashable, Sendable {
    case larger
    case smaller
}

/// By which evidence one contender is held to beat another.
package enum RankingEvidence: Hashable, Sendable {
    /// In how many blocks its value is the better one (the sign test): drift moves both of a block alike, and nothing but the
    /// independence of blocks is assumed.
    case pairs
    /// How far its values lie beyond those of the other (the exact rank-sum test, see `MannWhitney`): it takes fewer trials, six
    /// where seven contenders share nothing. What blocks have in common then makes it only more careful, for it widens both groups.
    /// Its p-values are judged one after the other, the least against the strictest level (Holm, “A Simple Sequentially Rejective
    /// Multiple Test Procedure”, 1979): all judgements hold together as with Bonferroni’s, and more can be made.
    case groups
}

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
///
/// “Best” is the highest or the lowest value, as is preferred. Ratios are those of positive values; who beats whom does not hang on them.
package struct Ranking: Hashable, Sendable {
    /// One contender's place.
    package struct Place: Hashable, Sendable {
        package var name: String
        /// Median of its values over blocks, with an interval of its own.
        package var estimate: MedianEstimate
        /// Its value over that of the best, paired by block; nil for the best itself, or where no block has both, positive.
        package var ratioToBest: MedianEstimate?
        /// Whether the best is shown to beat it. The best itself is not told apart from itself.
        package var isToldApartFromBest: Bool
        /// Whether there are values enough, of it and of the best, to tell them apart at all.
        package var canBeToldApart: Bool
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
    /// By contender, who is shown to beat it. It is this that is known of pairs: a rank only counts them, and a contender of a
    /// later rank need not be beaten by each of those before it.
    private var beatenBy: [String: Set<String>] = [:]

    /// Whether one contender is shown to beat another.
    package func isShown(_ one: String, toBeat other: String) -> Bool { beatenBy[other]?.contains(one) ?? false }

    package var best: Place? { places.first }
    /// Those that nobody is shown to beat either.
    package var tiedWithBest: [Place] { places.filter { $0.rank == places[0].rank && !$0.isBest } }

    /// Ranks contenders, the best first.
    ///
    /// - Parameters:
    ///   - values: by contender, by block number, a finite value. A contender without values is left out.
    ///   - preference: whether large or small values are good.
    ///   - evidence: what it takes to beat another.
    package init(
        _ values: [String: [Int: Double]], preferring preference: Preference = .larger,
        by evidence: RankingEvidence = .pairs, confidence: Double = 0.95
    ) {
        let contenders = values.compactMap { name, blocks in
            MedianEstimate(of: Array(blocks.values), confidence: confidence).map {
                Contender(name: name, blocks: blocks, estimate: $0)
            }
        }.sorted { left, right in
            let (better, worse) = preference == .larger ? (left, right) : (right, left)
            return better.estimate.median == worse.estimate.median
                ? left.name < right.name : better.estimate.median > worse.estimate.median
        }

        let each = 1 - (1 - confidence) / Double(Self.pairs(contenders.count))
        self.confidence = confidence
        blocksNeeded = Self.blocksNeeded(contenders: contenders.count, by: evidence, confidence: confidence)
        places = []
        // Who beats whom, by places among the contenders.
        var beaten = Array(repeating: Set<Int>(), count: contenders.count)
        switch evidence {
        case .pairs:
            for (one, contender) in contenders.enumerated() {
                for (other, rival) in contenders.enumerated()
                where contender.beats(rival, preferring: preference, confidence: each) { beaten[other].insert(one) }
            }
        case .groups:
            for (winner, loser) in Self.separated(contenders, preferring: preference, level: 1 - confidence) {
                beaten[loser].insert(winner)
            }
        }
        let ranks = beaten.map { 1 + $0.count }
        for (index, winners) in beaten.enumerated() where !winners.isEmpty {
            beatenBy[contenders[index].name] = Set(winners.map { contenders[$0].name })
        }
        // Sorted by median already: the first of the least rank. (Comparisons that go round in a circle leave no rank 1.)
        guard let first = ranks.indices.min(by: { (ranks[$0], $0) < (ranks[$1], $1) }) else { return }
        let best = contenders[first]
        places = ranks.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { index in
            let contender = contenders[index]
            let shared = evidence == .pairs ? contender.blocksShared(with: best) : min(contender.count, best.count)
            return Place(
                name: contender.name, estimate: contender.estimate,
                ratioToBest: index == first ? nil : contender.ratio(to: best, confidence: each),
                isToldApartFromBest: beaten[index].contains(first),
                canBeToldApart: index != first && shared >= blocksNeeded, isBest: index == first,
                rank: ranks[index], sharesRank: ranks.count { $0 == ranks[index] } > 1)
        }
    }

    /// The pairs of which one is shown to be better by the rank-sum test, at a level for all pairs together.
    private static func separated(
        _ contenders: [Contender], preferring preference: Preference, level: Double
    ) -> [(winner: Int, loser: Int)] {
        var tests: [(pValue: Double, winner: Int, loser: Int)] = []
        for one in contenders.indices {
            for other in contenders.indices where other > one {
                guard
                    let test = MannWhitney(
                        Array(contenders[one].blocks.values), Array(contenders[other].blocks.values))
                else { continue }
                let isFirst = (test.superiority > 0.5) == (preference == .larger)
                tests.append((test.pValue, isFirst ? one : other, isFirst ? other : one))
            }
        }
        tests.sort { $0.pValue < $1.pValue }
        let all = pairs(contenders.count)
        return tests.enumerated().prefix { place, test in
            // Rounding must not take from a p-value that is the level exactly.
            test.pValue <= level / Double(all - place) * (1 + 1e-12)
        }.map { ($0.element.winner, $0.element.loser) }
    }

    /// The blocks without which no contender of so many can be told apart.
    package static func blocksNeeded(
        contenders: Int, by evidence: RankingEvidence = .pairs, confidence: Double = 0.95
    ) -> Int {
        let level = (1 - confidence) / Double(pairs(contenders))
        return switch evidence {
        case .pairs: MedianEstimate.valuesNeeded(confidence: 1 - level)
        case .groups: MannWhitney.valuesNeeded(level: level)
        }
    }

    private static func pairs(_ contenders: Int) -> Int { max(contenders * (contenders - 1) / 2, 1) }

    private struct Contender {
        var name: String
        var blocks: [Int: Double]
        var estimate: MedianEstimate

        var count: Int { blocks.count }

        /// Its value over another's, paired by block; nil where no block has both, positive.
        func ratio(to other: Contender, confidence: Double) -> MedianEstimate? {
            paired(with: other) { $0 > 0 && $1 > 0 ? log($0 / $1) : nil }
                .flatMap { MedianEstimate(of: $0, confidence: confidence)?.mapped { exp($0) } }
        }

        func blocksShared(with other: Contender) -> Int { blocks.keys.count { other.blocks[$0] != nil } }

        /// Whether it is shown to be better than another by the blocks that both have, with a confidence of its own.
        func beats(_ other: Contender, preferring preference: Preference, confidence: Double) -> Bool {
            let isAhead = preference == .larger ? 1.0 : -1
            let differences = paired(with: other) { ($0 - $1) * isAhead }
            return differences.flatMap { MedianEstimate(of: $0, confidence: confidence)?.interval?.lower } ?? 0 > 0
        }

        private func paired(with other: Contender, _ combine: (Double, Double) -> Double?) -> [Double]? {
            let values = blocks.compactMap { block, value in other.blocks[block].flatMap { combine(value, $0) } }
            return values.isEmpty ? nil : values
        }
    }
}
