import Glibc
import Statistics
import Testing

@Suite struct ModesTests {
    private struct Case: Decodable {
        var count: Int
        var dip: Double
        var pValue: Double
    }

    @Test("p-values from our table are those from the larger one of diptest, but for the noise of both")
    func goldens() throws {
        for golden in try golden("dip_p_values", as: Case.self) {
            let pValue = DipTable.pValue(dip: golden.dip, count: golden.count)
            // The two tables have other steps; the more so where p is large and of no interest.
            #expect(abs(pValue - golden.pValue) <= 0.0015 + 0.06 * golden.pValue, "\(golden): \(pValue)")
        }
        #expect(DipTable.pValue(dip: 0.25, count: 1_000) > 0.00009)
        #expect(DipTable.pValue(dip: 0.5 / 100, count: 100) == 1)
    }

    /// The share of series of which the test says, at 5 %, that they have several modes.
    private func alarms(_ count: Int, _ experiments: Int = 1_000, _ draw: (inout Simulation) -> [Double]) -> Double {
        var simulation = Simulation(seed: UInt64(count))
        return share(of: experiments) { _ in (Modes(of: draw(&simulation))!.pValue ?? 1) <= 0.05 }
    }

    @Test(
        "values with one mode are said to have several in at most 5 of 100 series",
        arguments: [10, 15, 20, 30, 50, 100, 1_000])
    func falseAlarms(_ count: Int) {
        // 5 % and three standard deviations of 0.7 %.
        #expect(alarms(count) { simulation in (0..<count).map { _ in simulation.uniform() } } <= 0.071)
        #expect(alarms(count) { simulation in (0..<count).map { _ in simulation.normal() } } <= 0.03)
        #expect(alarms(count) { simulation in (0..<count).map { _ in exp(simulation.normal()) } } <= 0.03)
    }

    @Test(
        "values that hang together are not said to have several modes for it", arguments: [0.5, 0.8, 0.95],
        [30, 100, 1_000])
    func dependent(_ rho: Double, _ count: Int) {
        #expect(alarms(count) { $0.autoregressive(count, rho: rho) } <= 0.03)
        // With a uniform distribution, the hardest case.
        #expect(
            alarms(count) { $0.autoregressive(count, rho: rho).map { normalShare(below: $0) } } <= 0.071)
    }

    @Test(
        "ticks of a clock are not modes, whether coarse or fine, of one unit or of a crooked one",
        arguments: [30, 100, 1_000])
    func ticks(_ count: Int) throws {
        for deviation in [0.7, 1, 2, 5, 20] {
            #expect(
                alarms(count, 300) { simulation in (0..<count).map { _ in (deviation * simulation.normal()).rounded() }
                }
                    <= 0.03)
        }
        // A counter of 33.4 ns a tick, in whole nanoseconds.
        #expect(
            alarms(count, 300) { simulation in
                (0..<count).map { _ in ((1_000 + 20 * simulation.normal()).rounded() * 33.4).rounded() }
            } <= 0.03)
        // Without the spreading of ties each tick would be a mode.
        var simulation = Simulation(seed: 1)
        let values = (0..<1_000).map { _ in simulation.normal().rounded() }
        #expect(DipTable.pValue(dip: dip(ofSorted: values.sorted()), count: 1_000) < 0.001)
        let modes = try #require(Modes(of: values))
        #expect(try #require(modes.pValue) > 0.5 && modes.tick == 1)
    }

    @Test("two humps are found, with ticks and without, and where values switch between them by turns")
    func power() {
        func humps(_ apart: Double) -> (inout Simulation) -> [Double] {
            { simulation in (0..<200).map { _ in simulation.normal() + (simulation.uniform() < 0.5 ? apart : 0) } }
        }
        #expect(alarms(200, 300, humps(4)) >= 0.9)
        #expect(alarms(200, 300) { humps(6)(&$0).map { ($0 * 3).rounded() } } >= 0.99)
        #expect(
            alarms(2_000, 100) { simulation in (0..<2_000).map { simulation.normal() + ($0 / 50 % 2 == 0 ? 8 : 0) } }
                >= 0.99)
    }

    @Test("a tick that is known is used")
    func knownTick() throws {
        // Two places only, 100 and 200, with a little of a third: one mesh of 100 by the look of it, two humps if the clock is finer.
        let values = (0..<100).map { Double([100, 101, 102, 200, 201, 202][$0 * 37 % 6]) }
        let modes = try #require(Modes(of: values, tick: 1))
        #expect(modes.tick == 1)
        #expect(try #require(modes.pValue) <= 0.001)
        #expect(try #require(Modes(of: values, tick: 100)?.pValue) > 0.05)
    }

    @Test("too few values, or too few different ones, have no p-value, and a sentence that says why")
    func degenerate() throws {
        #expect(Modes(of: []) == nil && Modes(of: [1, .nan]) == nil && Modes(of: [.infinity]) == nil)
        var simulation = Simulation(seed: 2)
        for values in [
            [1], [1, 1, 5], Array(repeating: 3, count: 50), (0..<50).map { Double($0 * 7 % 3) },
            simulation.autoregressive(30, rho: 0.999),
        ] {
            let modes = try #require(Modes(of: values))
            #expect(modes.pValue == nil && modes.dip == nil)
            #expect(try #require(modes.doubt).isEmpty == false)
        }
        #expect(
            Modes(of: [1, 2, 3])?.doubt == "3 values cannot show whether there are several modes; 10 can")
    }

    @Test("a million values are done in seconds")
    func large() throws {
        var simulation = Simulation(seed: 3)
        let values = (0..<1_000_000).map { _ in simulation.normal().rounded() + (simulation.uniform() < 0.5 ? 8 : 0) }
        var modes: Modes?
        #expect(ContinuousClock().measure { modes = Modes(of: values) } < .seconds(20))
        #expect(modes?.pValue ?? 1 <= 0.001)
    }
}
