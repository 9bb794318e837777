import Glibc
import Statistics
import Testing

@Suite struct RankingTests {
    private func values(_ list: [Double]) -> [Int: Double] {
        Dictionary(uniqueKeysWithValues: list.enumerated().map { ($0.offset, $0.element) })
    }

    @Test("contenders stand in the order of their medians, and those alike in the order of their names")
    func order() {
        let ranking = Ranking(["c": values([1, 1, 1]), "a": values([5]), "b": values([1, 1, 1]), "none": [:]])
        #expect(ranking.places.map(\.name) == ["a", "b", "c"])
        #expect(ranking.best?.name == "a")
        #expect(ranking.best?.ratioToBest == nil && ranking.best?.isToldApartFromBest == false)
    }

    @Test("nobody contends in an empty ranking")
    func empty() { #expect(Ranking([:]).best == nil && Ranking([:]).tiedWithBest.isEmpty) }

    @Test("one that is slower in each of six blocks is told apart from the other, in five it is not")
    func toldApart() throws {
        for (count, expected) in [(5, false), (6, true)] {
            // The machine drifts by far more than the two differ: only pairs show it.
            let drift = (0..<count).map { pow(2, Double($0)) }
            let ranking = Ranking(["fast": values(drift.map { $0 * 1.01 }), "slow": values(drift)])
            #expect(ranking.blocksNeeded == 6)
            #expect(ranking.places[1].isToldApartFromBest == expected)
            #expect(ranking.tiedWithBest.isEmpty == expected)
            #expect(abs((try #require(ranking.places[1].ratioToBest)).median - 1 / 1.01) < 1e-12)
        }
    }

    @Test("equal contenders are tied however many blocks they have")
    func equal() {
        let same = values(Array(repeating: 3, count: 50))
        #expect(Ranking(["a": same, "b": same]).tiedWithBest.map(\.name) == ["b"])
    }

    @Test("one block that goes the other way ties what six blocks would have told apart")
    func oneBlock() {
        let ranking = Ranking(["a": values([2, 2, 2, 2, 2, 1]), "b": values([1, 1, 1, 1, 1, 1.1])])
        #expect(ranking.tiedWithBest.map(\.name) == ["b"])
    }

    @Test("only blocks that both have are compared")
    func missingBlocks() {
        let best = Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, 10.0) })
        let five = Dictionary(uniqueKeysWithValues: (3..<11).map { ($0, 5.0) })
        let ranking = Ranking(["best": best, "other": five, "elsewhere": [100: 1]])
        #expect(ranking.places[1].ratioToBest?.count == 5)
        #expect(!ranking.places[1].isToldApartFromBest)
        #expect(ranking.places[2].ratioToBest == nil && !ranking.places[2].isToldApartFromBest)
    }

    @Test("values that have no logarithm take no part in the ratio")
    func zeros() {
        let ranking = Ranking(["a": values([1, 1, 1]), "b": values([0, 0.5, -1])])
        #expect(ranking.places[1].ratioToBest?.count == 1)
    }

    @Test("more contenders need more blocks, by Bonferroni over all their pairs")
    func bonferroni() {
        func needed(_ contenders: Int) -> Int {
            Ranking(Dictionary(uniqueKeysWithValues: (0..<contenders).map { ("\($0)", [0: 1.0]) })).blocksNeeded
        }
        // 2·½ⁿ ≤ 0.05 / (m·(m−1)/2)
        #expect(needed(2) == 6)  // 1 pair:   1/40
        #expect(needed(3) == 7)  // 3 pairs:  1/120 ≥ 1/128
        #expect(needed(4) == 8)  // 6 pairs:  1/240 ≥ 1/256
        #expect(needed(7) == 10)  // 21 pairs: 1/840 ≥ 1/1,024
    }

    @Test(
        "strategies that are alike are told apart in at most 5 of 100 experiments, with drift and without",
        arguments: [(2, 6), (2, 9), (3, 10), (5, 11), (7, 8), (7, 10), (7, 12), (7, 15), (12, 20)])
    func falseAlarms(_ contenders: Int, _ blocks: Int) {
        var random = SplitMix64(seed: UInt64(contenders * 100 + blocks))
        func uniform() -> Double { (Double(random.next(below: 1 << 30)) + 0.5) / Double(1 << 30) }
        let experiments = 2_000
        var falseAlarms = 0
        for experiment in 0..<experiments {
            let drift = (0..<blocks).map { _ in experiment % 2 == 0 ? 1 : 0.2 + uniform() }
            var values: [String: [Int: Double]] = [:]
            for contender in 0..<contenders {
                for block in 0..<blocks {
                    let noise = (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
                    values["\(contender)", default: [:]][block] = drift[block] * exp(0.1 * noise)
                }
            }
            // Any rank but 1 is a claim that somebody is faster.
            if Ranking(values).places.contains(where: { $0.rank > 1 }) { falseAlarms += 1 }
        }
        #expect(Double(falseAlarms) <= 0.05 * Double(experiments), "\(falseAlarms) of \(experiments)")
    }

    @Test("a rank is one more than the number of those shown to be faster, and shared by those of the same number")
    func ranks() {
        let blocks = 0..<10
        func steady(_ value: Double) -> [Int: Double] {
            Dictionary(uniqueKeysWithValues: blocks.map { ($0, value * pow(1.5, Double($0 % 3))) })
        }
        // “middle” is as often ahead of “fast” as behind it, but ahead of both slow ones always.
        let middle = Dictionary(
            uniqueKeysWithValues: blocks.map { ($0, steady(10)[$0]! * ($0 % 2 == 0 ? 1.01 : 0.98)) })
        let ranking = Ranking(["fast": steady(10), "middle": middle, "slow": steady(5), "as slow": steady(5)])
        let ranks = Dictionary(uniqueKeysWithValues: ranking.places.map { ($0.name, $0.rank) })
        #expect(ranks == ["fast": 1, "middle": 1, "slow": 3, "as slow": 3])
        #expect(ranking.places.allSatisfy { $0.sharesRank })
        #expect(ranking.tiedWithBest.count == 1)
    }

    @Test("one that beats the highest median where both ran is the best")
    func pairedBest() {
        // B beats A by 5 % in each of 20 blocks but the five in which B, and nobody else, met a stall.
        var a: [Int: Double] = [:]
        var b: [Int: Double] = [:]
        for block in 0..<20 {
            a[block] = block < 9 ? 500 : 1050
            b[block] = a[block]! * 1.05
        }
        for block in 15..<20 { b[block] = 100 }
        #expect(median(Array(a.values))! == 1050 && median(Array(b.values))! < 1050)
        let ranking = Ranking(["A": a, "B": b])
        #expect(ranking.best?.name == "B")
        // Turned over: A has 1 / 1.05 of B's value in most blocks.
        let ratio = ranking.places[1].ratioToBest
        #expect(abs((ratio?.median ?? 0) - 1 / 1.05) < 1e-9)
        #expect(ranking.places[1].isToldApartFromBest == (ratio!.interval!.upper < 1))
    }

    @Test("one whose trials failed in the fast blocks of a drifting machine is not called slower for it")
    func drift() {
        var c: [Int: Double] = [:]
        var d: [Int: Double] = [:]
        for block in 0..<20 {
            let speed = block < 10 ? 1000.0 : 100.0
            d[block] = speed
            if block >= 8 { c[block] = speed * 1.1 }
        }
        let ranking = Ranking(["C": c, "D": d])
        #expect(ranking.best?.name == "C")
        #expect(ranking.places[1].isToldApartFromBest)
        #expect(ranking.places.filter(\.isBest).count == 1)
    }

    @Test("no ratio is made up for two that never ran in one block")
    func noCommonBlock() {
        let ranking = Ranking(["A": [0: 10, 1: 11], "B": [2: 5, 3: 6]])
        #expect(ranking.places[1].ratioToBest == nil && !ranking.places[1].isBest)
        #expect(!ranking.places[1].isToldApartFromBest)
    }
}

@Suite("Ranking by groups") struct GroupRankingTests {
    private func values(_ list: [Double]) -> [Int: Double] {
        Dictionary(uniqueKeysWithValues: list.enumerated().map { ($0.offset, $0.element) })
    }

    @Test("small values come first where they are preferred, and those alike in the order of their names")
    func smaller() {
        let ranking = Ranking(
            ["slow": values([5, 6, 7]), "b": values([1, 2, 3]), "a": values([1, 2, 3])], preferring: .smaller)
        #expect(ranking.places.map(\.name) == ["a", "b", "slow"])
    }

    @Test("four values each of two that share nothing tell them apart, three do not", arguments: [3, 4])
    func separated(_ count: Int) {
        // Of the 20 and 70 ways to choose half of the ranks two are as extreme: p = 0.1 and 0.029.
        let ranking = Ranking(
            [
                "low": values((0..<count).map { Double($0) }),
                "high": values((0..<count).map { 100 + Double($0) }),
            ], preferring: .smaller, by: .groups)
        #expect(ranking.blocksNeeded == 4)
        #expect(ranking.places[0].name == "low")
        #expect(ranking.places[1].isToldApartFromBest == (count == 4))
        #expect(ranking.places[1].canBeToldApart == (count == 4))
    }

    @Test("a zero has its place, though it has no ratio")
    func zero() {
        let ranking = Ranking(
            ["none": values([0, 0, 0, 0]), "all": values([100, 100, 100, 100])], by: .groups)
        #expect(ranking.places.map(\.name) == ["all", "none"])
        #expect(ranking.places[1].isToldApartFromBest)
        #expect(ranking.places[1].ratioToBest == nil)
    }

    @Test("Holm’s steps judge what Bonferroni’s level leaves open")
    func steps() {
        // Two pairs of three share nothing (p = 2/252 = 0.0079 ≤ 0.05/3); the third has p = 0.0317 (U = 2 of 25), which is more
        // than 0.05/3 and less than 0.05/1.
        let ranking = Ranking(
            ["a": values([1, 2, 3, 4, 6.5]), "b": values([5, 6, 7, 8, 9]), "c": values([20, 21, 22, 23, 24])],
            preferring: .smaller, by: .groups)
        #expect(ranking.places.map(\.rank) == [1, 2, 3])
    }

    @Test("of seven alike, no more than one experiment in twenty tells some apart")
    func level() {
        var generator = SplitMix64(seed: 5)
        var alarms = 0
        for _ in 0..<400 {
            let all = (0..<7).map { contender in
                ("\(contender)", values((0..<7).map { _ in Double(generator.next() >> 11) }))
            }
            let ranking = Ranking(Dictionary(uniqueKeysWithValues: all), by: .groups)
            if ranking.places.contains(where: { $0.rank > 1 }) { alarms += 1 }
        }
        // Of 400 at 5 % at most 32 with a probability of 99.7 %.
        #expect(alarms <= 32)
    }
}
