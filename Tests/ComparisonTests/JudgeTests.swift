import Comparison
import Foundation
import Results
import Testing

@Suite struct JudgeTests {
    private let judge = Judge()

    /// So many pairs whose ratio is what `ratio` gives.
    private func series(_ pairs: Int, _ metric: Metric = .iterationTime, _ ratio: (Int) -> Double) -> PairSeries {
        PairSeries(
            BenchmarkID(suite: "S", name: "b"), metric,
            (0..<pairs).map {
                TrialPair(
                    number: $0, baseFirst: $0 % 2 == 0, base: .measured(1_000), head: .measured(1_000 * ratio($0)))
            })
    }

    private func verdict(_ series: PairSeries) -> Judgement { judge.judge([series])[0] }

    /// Noise without any shift: −1 % to 1 % in equal steps.
    private func even(_ index: Int) -> Double { exp(0.01 * (Double(index * 7 % 41) / 20 - 1)) }

    @Test("a head that takes longer in every pair has regressed, one that takes less has improved")
    func directions() {
        let slower = verdict(series(20) { even($0) * 1.05 })
        #expect(slower.verdict == .regressed && abs(slower.change! - 0.05) < 0.003)
        #expect(slower.interval!.lower > 1.03 && slower.interval!.upper < 1.07)
        #expect(verdict(series(20) { even($0) / 1.05 }).verdict == .improved)
        // Of throughput more is better.
        #expect(verdict(series(20, .throughput) { even($0) * 1.05 }).verdict == .improved)
        #expect(verdict(series(20, .throughput) { even($0) / 1.05 }).verdict == .regressed)
    }

    @Test("no change inside the tolerance is unchanged, however certain it is")
    func tolerance() {
        #expect(verdict(series(82) { even($0) }).verdict == .unchanged)
        // By 0.5 % in each pair: certain, and too small to matter.
        let small = verdict(series(40) { _ in 1.005 })
        #expect(small.verdict == .unchanged && small.interval!.lower > 1)
        // Exactly the tolerance is told, for it cannot be shown to be less.
        #expect(verdict(series(41) { even($0) * 1.02 }).verdict == .regressed)
    }

    @Test("few pairs and wide noise are undecided, and it is told how many more may help")
    func undecided() throws {
        let few = verdict(series(5) { _ in 1.5 })
        #expect(few.verdict == .undecided && few.interval == nil)
        // 2ⁿ⁺¹ − 1 over n + 1 must reach 2/0.01 = 200, which it does from n = 11 on.
        #expect(few.pairsNeeded == 6 && few.reason == "5 pairs are too few")
        let wide = verdict(series(41) { pow(even($0), 20) })
        #expect(wide.verdict == .undecided && wide.pairsNeeded! > 41 && wide.smallestChange! > 0.02)
        #expect(verdict(series(0) { _ in 1 }).reason == "no pair was made")
    }

    @Test("pairs in which a side measured nothing are counted and take no part")
    func gaps() {
        var some = series(30) { even($0) * 1.05 }
        some.pairs[3].head = .notCounted(reason: "the trial failed")
        some.pairs[4].base = .measured(0)
        some.pairs[5].disturbance = "others took the processor"
        let judgement = verdict(some)
        #expect(judgement.pairs == 28 && judgement.gaps == 2 && judgement.disturbed == 1)
        #expect(judgement.verdict == .regressed)
    }

    @Test("Holm’s steps: α over as many as are left, until one does not reach it")
    func holm() {
        let judge = Judge(falseAlarms: 0.04)
        let third = 0.04 / 3
        // 0.001 ≤ 0.04/4, 0.012 ≤ 0.04/3, 0.015 ≤ 0.04/2, and the last has 0.04 for itself.
        let all: [Double] = [0.04, 0.01, 0.02, third]
        #expect(judge.holmLevels([0.5, 0.001, 0.015, 0.012]) == all)
        // 0.02 fails at 0.04/3: all that follow are held to that.
        let first: [Double] = [0.01, third, third, third]
        #expect(judge.holmLevels([0.001, 0.02, 0.021, 0.9]) == first)
    }

    @Test("one of two hundred stands out only with more evidence than one alone")
    func family() {
        let quiet = (0..<199).map { _ in series(12) { even($0) } }
        let alone = series(12) { even($0) * 1.1 }
        #expect(verdict(alone).verdict == .regressed)
        #expect(judge.judge(quiet + [alone])[199].verdict == .undecided)
        let longer = series(25) { even($0) * 1.1 }
        #expect(judge.judge(quiet + [longer])[199].verdict == .regressed)
    }

    @Test("what is undecided because its ratios have two modes is unstable; what is decided is not asked")
    func modes() {
        // By turns 1,000 and 1,300, each spread a little, and the head always at the other of the two.
        func value(_ index: Int) -> Double { (index * 7 % 4 < 2 ? 1_000 : 1_300) + Double(index * 13 % 29) / 10 }
        let pairs = (0..<60).map {
            TrialPair(number: $0, baseFirst: true, base: .measured(value($0)), head: .measured(value($0 + 2)))
        }
        let series = PairSeries(BenchmarkID(suite: "S", name: "b"), .iterationTime, pairs)
        let judgement = verdict(series)
        #expect(judgement.verdict == .undecided)
        let final = judgement.recognisingModes(of: series)
        #expect(final.verdict == .unstable)
        // A machine that changes its speed has two modes, and its pairs have one.
        let speeds = PairSeries(
            series.benchmark, .iterationTime,
            (0..<60).map {
                let slow = $0 < 30 ? 1.0 : 1.4
                return TrialPair(
                    number: $0, baseFirst: true, base: .measured(1_000 * slow),
                    head: .measured(1_000 * slow * pow(even($0), 20)))
            })
        #expect(verdict(speeds).verdict == .undecided)
        #expect(verdict(speeds).recognisingModes(of: speeds).verdict == .undecided)
        let wide = self.series(41) { pow(even($0), 20) }
        #expect(verdict(wide).recognisingModes(of: wide).verdict == .undecided)
        let slower = self.series(41) { even($0) * 1.05 }
        #expect(verdict(slower).recognisingModes(of: slower).verdict == .regressed)
    }
}
