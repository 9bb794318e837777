import Statistics
import Testing

@Suite struct DriftTests {
    private struct Case: Decodable {
        var values: [Double]
        var score: Int
        var slope: Double
        var dependence: Double
        var pValue: Double
        var lower: Double?
        var upper: Double?
    }

    @Test("score, slope, its interval and the p-value are those of SciPy and of the formula written out")
    func goldens() throws {
        for golden in try golden("drifts", as: Case.self) {
            let drift = try #require(Drift(of: golden.values))
            #expect(drift.score == golden.score)
            #expect(agree(drift.slope, golden.slope, scale: 1))
            #expect(agree(drift.dependence, golden.dependence, within: 1e-11, scale: 1))
            #expect(agree(drift.pValue, golden.pValue, within: 1e-9))
            #expect(agree(drift.slopeInterval?.lower, golden.lower, scale: 1))
            #expect(agree(drift.slopeInterval?.upper, golden.upper, scale: 1))
        }
    }

    @Test(
        "series without drift are called drifting about as often as promised, though they hang together",
        arguments: [
            (10, 0.0), (20, 0.0), (30, 0.0), (100, 0.0), (1_000, 0.0), (10, 0.5), (20, 0.5), (30, 0.5), (33, 0.5),
            (64, 0.5),
            (100, 0.5), (1_000, 0.5), (100, 0.9), (1_000, 0.9), (1_000, -0.5),
        ])
    func falseAlarms(_ count: Int, _ rho: Double) {
        var simulation = Simulation(seed: UInt64(count))
        var covered = 0
        let alarms = share(of: 2_000) { _ in
            let drift = Drift(of: simulation.autoregressive(count, rho: rho))!
            if drift.slopeInterval?.contains(0) ?? true { covered += 1 }
            return drift.pValue! <= 0.05
        }
        // 5 % give or take four standard deviations of 0.5 %. The plain test gives over 20 % for ρ = 0.5.
        #expect(alarms <= 0.07, "\(alarms)")
        #expect(covered >= 1_860)
    }

    @Test("few values that hang together strongly give more false alarms, and carry a doubt that says so")
    func strong() {
        var simulation = Simulation(seed: 1)
        let alarms = share(of: 2_000) { _ in
            let drift = Drift(of: simulation.autoregressive(20, rho: 0.9))!
            return drift.pValue! <= 0.05 && drift.doubt == nil
        }
        #expect(alarms == 0)
        #expect(Drift(of: simulation.autoregressive(33, rho: 0.9))?.doubt == nil)
    }

    @Test("a trend of two deviations from first to last of a hundred is seen nearly always, and its slope covered")
    func power() {
        var simulation = Simulation(seed: 2)
        var covered = 0
        let seen = share(of: 1_000) { _ in
            let values = (0..<100).map { simulation.normal() + 2 * Double($0) / 99 }
            let drift = Drift(of: values)!
            if drift.slopeInterval!.contains(2.0 / 99) { covered += 1 }
            return drift.pValue! <= 0.05 && drift.slope! > 0
        }
        #expect(seen >= 0.95)
        #expect(covered >= 940)
    }

    @Test("a steady rise is certain, its slope exact, and its change from the first value to the last")
    func steady() throws {
        for count in [10, 32, 33, 1_000] {
            let drift = try #require(Drift(of: (0..<count).map { 7 + 0.5 * Double($0) }))
            #expect(drift.pValue! < 0.005, "\(count)")
            #expect(drift.slope == 0.5 && drift.change == 0.5 * Double(count - 1))
            #expect(drift.blocks <= 32)
        }
    }

    @Test("a few wild values do not make a drift")
    func wild() throws {
        var simulation = Simulation(seed: 3)
        var values = (0..<100).map { _ in simulation.normal() }
        values[97] = 1e6
        values[99] = 1e6
        #expect(try #require(Drift(of: values)?.pValue) > 0.05)
    }

    @Test("too few values have no p-value, equal ones no drift, and what is no number is refused")
    func degenerate() throws {
        #expect(Drift(of: []) == nil && Drift(of: [1, .nan]) == nil && Drift(of: [1, .infinity]) == nil)
        let one = try #require(Drift(of: [1]))
        #expect(one.slope == nil && one.change == nil && one.pValue == nil && one.doubt != nil)
        let nine = try #require(Drift(of: (0..<9).map(Double.init)))
        #expect(nine.slope == 1 && nine.pValue == nil && nine.slopeInterval == nil)
        #expect(nine.doubt == "9 values cannot tell drift from values that hang together; 10 can")
        for count in [10, 1_000] {
            let equal = try #require(Drift(of: Array(repeating: 3, count: count)))
            #expect(equal.pValue == 1 && equal.slope == 0 && equal.doubt != nil)
        }
    }

    @Test("a million values are done at once")
    func large() throws {
        var simulation = Simulation(seed: 5)
        let values = (0..<1_000_000).map { Double($0) / 1e6 + simulation.normal() }
        var drift: Drift?
        #expect(ContinuousClock().measure { drift = Drift(of: values) } < .seconds(5))
        #expect(agree(drift?.change, 1, within: 0.05))
        #expect(try #require(drift?.pValue) < 1e-6)
    }
}
