import Statistics
import Testing

@Suite struct SignedRankTests {
    private struct Case: Decodable {
        var name: String
        var differences: [Double]
        var statistic: Double
        var method: RankMethod
        var pValue: Double
    }

    @Test("statistic and p-value are those of SciPy: of all signs where there are ties, tabled, and normal beyond")
    func goldens() throws {
        for golden in try golden("signed_ranks", as: Case.self) {
            let test = try #require(SignedRank(of: golden.differences))
            let turned = try #require(SignedRank(of: golden.differences.map { -$0 }))
            #expect(test.statistic == golden.statistic && test.method == golden.method)
            #expect(agree(test.pValue, golden.pValue, within: 1e-9), "\(golden.name) \(test)")
            #expect(agree(turned.pValue, test.pValue, within: 1e-9))
            #expect(test.leastPValue <= test.pValue + 1e-12)
        }
    }

    @Test("the published example of depression before and after has V = 40")
    func published() throws {
        let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
        let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
        let test = try #require(SignedRank(of: zip(before, after).map { $0 - $1 }))
        // Hollander & Wolfe give 0.01953 for one side.
        #expect(test.statistic == 40 && agree(test.pValue, 2 * 0.01953, within: 1e-3))
    }

    @Test(
        "differences about zero are called an effect in at most 5 of 100 experiments, with ties and without",
        arguments: [6, 10, 30, 120])
    func falseAlarms(_ count: Int) {
        var simulation = Simulation(seed: UInt64(count))
        for digits in [2.0, 1e6] {
            let alarms = share(of: 2_000) { _ in
                SignedRank(of: (0..<count).map { _ in (digits * simulation.normal()).rounded() })!.pValue <= 0.05
            }
            #expect(alarms <= 0.065, "\(alarms)")
        }
    }

    @Test("zeros are left out of the ranks and counted")
    func zeros() throws {
        let test = try #require(SignedRank(of: [0, 1, -2, 3, 0, 4]))
        let without = try #require(SignedRank(of: [1, -2, 3, 4]))
        #expect(test.zeros == 2 && test.count == 6)
        #expect(test.statistic == 8 && test.pValue == without.pValue)
    }

    @Test("differences that cannot show an effect are said to be too few")
    func doubts() throws {
        let five = try #require(SignedRank(of: [1, 2, 3, 4, 5, 0]))
        #expect(five.pValue == 0.0625 && five.leastPValue == 0.0625)
        #expect(five.doubt == "5 differences other than zero cannot show an effect at 5 %; 6 can")
        let six = try #require(SignedRank(of: [1, 2, 3, 4, 5, 6]))
        #expect(six.pValue == 0.03125 && six.doubt == nil)
        #expect(SignedRank(of: [1, 2, 3, 4, 5, 6], level: 0.01)?.doubt != nil)
        for count in [1, 200] {
            let none = try #require(SignedRank(of: Array(repeating: 0, count: count)))
            #expect(none.pValue == 1 && none.doubt == "no value differs from its partner" && none.zeros == count)
        }
    }

    @Test("of nothing, or where a difference is no number, there is no test")
    func refused() {
        #expect(SignedRank(of: []) == nil)
        #expect(SignedRank(of: [1, .nan]) == nil && SignedRank(of: [.infinity]) == nil)
    }

    @Test("a million differences are done in seconds")
    func large() throws {
        var simulation = Simulation(seed: 11)
        let differences = (0..<1_000_000).map { _ in simulation.normal() + 0.01 }
        var test: SignedRank?
        #expect(ContinuousClock().measure { test = SignedRank(of: differences) } < .seconds(20))
        #expect(try #require(test).pValue < 1e-6)
    }
}
