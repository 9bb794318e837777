import Statistics
import Testing

@Suite struct MannWhitneyTests {
    private struct Case: Decodable {
        var name: String
        var first: [Double]
        var second: [Double]
        var statistic: Double
        var method: RankMethod
        var pValue: Double
    }

    @Test("statistic and p-value are those of SciPy: of all divisions where there are ties, tabled, and normal beyond")
    func goldens() throws {
        for golden in try golden("mann_whitneys", as: Case.self) {
            let test = try #require(MannWhitney(golden.first, golden.second))
            let swapped = try #require(MannWhitney(golden.second, golden.first))
            #expect(test.statistic == golden.statistic && test.method == golden.method)
            #expect(agree(test.pValue, golden.pValue, within: 1e-9), "\(golden.name) \(test)")
            #expect(agree(swapped.pValue, test.pValue, within: 1e-9))
            #expect(agree(swapped.superiority, 1 - test.superiority, scale: 1))
            #expect(test.leastPValue <= test.pValue + 1e-12)
        }
    }

    @Test("the published example of permeability at term and before has U = 35")
    func published() throws {
        let test = try #require(
            MannWhitney(
                [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46], [1.15, 0.88, 0.90, 0.74, 1.21]))
        // Hollander & Wolfe give 0.1272 for one side.
        #expect(test.statistic == 35 && agree(test.pValue, 2 * 0.1272, within: 1e-3))
    }

    @Test(
        "groups that are alike are told apart in at most 5 of 100 experiments, with ties and without",
        arguments: [4, 8, 30, 40])
    func falseAlarms(_ count: Int) {
        var simulation = Simulation(seed: UInt64(count))
        for digits in [1.0, 1e6] {
            // Counting the ways for two groups of 30 takes some milliseconds.
            let alarms = share(of: count == 30 ? 200 : 2_000) { _ in
                func draw() -> [Double] { (0..<count).map { _ in (digits * simulation.normal()).rounded() } }
                return MannWhitney(draw(), draw())!.pValue <= 0.05
            }
            #expect(alarms <= (count == 30 ? 0.1 : 0.065), "\(alarms)")
        }
    }

    @Test("values that cannot show a difference are said to be too few, or too many of them equal")
    func doubts() throws {
        let few = try #require(MannWhitney([1, 2, 3], [4, 5, 6]))
        #expect(agree(few.pValue, 0.1) && agree(few.leastPValue, 0.1))
        #expect(few.doubt == "3 and 3 values cannot show a difference at 5 %; 4 and 4 can")
        #expect(MannWhitney([1, 2, 3, 4], [5, 6, 7, 8])?.doubt == nil)
        #expect(MannWhitney([1, 2, 3, 4], [5, 6, 7, 8], level: 0.01)?.doubt != nil)
        let oneElse = try #require(MannWhitney([1, 1, 1, 1, 1], [1, 1, 1, 1, 2]))
        #expect(oneElse.pValue == 1)
        #expect(oneElse.doubt == "5 and 5 values, most of them equal, cannot show a difference at 5 %")
        for count in [1, 5, 100] {
            let equal = try #require(MannWhitney(Array(repeating: 2, count: count), Array(repeating: 2, count: count)))
            #expect(equal.pValue == 1 && equal.doubt == "all values are equal" && equal.superiority == 0.5)
        }
        #expect(MannWhitney.valuesNeeded(level: 0.05) == 4 && MannWhitney.valuesNeeded(level: 0.01) == 5)
    }

    @Test("of nothing, or where a value is no number, there is no test")
    func refused() {
        #expect(MannWhitney([], [1]) == nil && MannWhitney([1], []) == nil)
        #expect(MannWhitney([1, .nan], [1]) == nil && MannWhitney([1], [.infinity]) == nil)
    }

    @Test("counting and the normal distribution agree where one gives way to the other")
    func border() throws {
        var simulation = Simulation(seed: 9)
        for _ in 0..<20 {
            let first = (0..<31).map { _ in simulation.normal() }
            let second = (0..<32).map { _ in simulation.normal() }
            let exact = try #require(MannWhitney(first, second))
            let more = try #require(MannWhitney(first + [first[0]], second))
            #expect(exact.method == .exact && more.method == .normal)
            #expect(abs(exact.pValue - more.pValue) < 0.15)
        }
    }

    @Test("groups of half a million values are done in seconds")
    func large() throws {
        var simulation = Simulation(seed: 10)
        let first = (0..<500_000).map { _ in simulation.normal() }
        let second = (0..<500_000).map { _ in simulation.normal() + 0.02 }
        var test: MannWhitney?
        #expect(ContinuousClock().measure { test = MannWhitney(first, second) } < .seconds(20))
        #expect(try #require(test).pValue < 1e-6)
    }
}
