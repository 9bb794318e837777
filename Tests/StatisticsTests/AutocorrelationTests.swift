import Statistics
import Testing

@Suite struct AutocorrelationTests {
    private struct Case: Decodable {
        var values: [Double]
        var correlations: [Double]
        var effectiveSize: Double
    }

    @Test("correlations are those of statsmodels, and the effective size is theirs by Geyer's sum")
    func goldens() throws {
        for golden in try golden("autocorrelations", as: Case.self) {
            let last = golden.values.count - 1
            let correlations = try #require(autocorrelations(of: golden.values, through: last))
            // Of values far from zero fewer digits are left to agree in.
            let tolerance = golden.values[0] > 1e6 ? 1e-6 : 1e-11
            #expect(zip(correlations, golden.correlations).allSatisfy { agree($0, $1, within: tolerance, scale: 1) })
            #expect(correlations[0] == 1)
            let size = try #require(EffectiveSampleSize(of: golden.values))
            #expect(agree(size.size, golden.effectiveSize, within: tolerance))
            #expect(agree(size.size! * size.autocorrelationTime!, Double(golden.values.count)))
        }
    }

    @Test("many lags by the transform are those summed one by one", arguments: [129, 200, 1_000])
    func transform(_ count: Int) throws {
        var simulation = Simulation(seed: 1)
        let values = simulation.autoregressive(count, rho: 0.8)
        let all = try #require(autocorrelations(of: values, through: count - 1))
        let few = try #require(autocorrelations(of: values, through: 100))
        #expect(all.count == count && few.count == 101)
        #expect(zip(all, few).allSatisfy { agree($0, $1, scale: 1) })
    }

    @Test("values that alternate repel each other, and are still counted as no more than they are")
    func alternating() throws {
        let values = (0..<100).map { Double($0 % 2) }
        let correlations = try #require(autocorrelations(of: values, through: 2))
        #expect(agree(correlations[1], -0.99) && agree(correlations[2], 0.98))
        #expect(EffectiveSampleSize(of: values)?.size == 100)
    }

    @Test("equal values, and very few, do not show how they hang together")
    func degenerate() throws {
        #expect(autocorrelations(of: [], through: 0) == nil)
        #expect(autocorrelations(of: [2, 2, 2], through: 1) == nil)
        #expect(autocorrelations(of: Array(repeating: 0.1, count: 7), through: 1) == nil)
        #expect(autocorrelations(of: [1, .nan], through: 0) == nil)
        #expect(EffectiveSampleSize(of: []) == nil && EffectiveSampleSize(of: [1, .infinity, 2, 3]) == nil)
        for values in [[1], [1, 2, 3], Array(repeating: 0.1, count: 30)] {
            let size = try #require(EffectiveSampleSize(of: values))
            #expect(size.size == nil && size.doubt != nil)
        }
    }

    @Test("the effective size is about that which theory gives for AR(1), (1 − ρ) / (1 + ρ) of the values")
    func theory() throws {
        for (rho, part) in [(0.0, 1.0), (0.5, 1.0 / 3), (0.9, 1.0 / 19)] {
            var simulation = Simulation(seed: 2)
            let sizes = (0..<200).map { _ in
                EffectiveSampleSize(of: simulation.autoregressive(2_000, rho: rho))!.size! / 2_000
            }
            #expect(agree(median(sizes), part, within: 0.1))
        }
    }

    @Test("30 iterations that hang together are said to be too few to tell")
    func tooFew() {
        var simulation = Simulation(seed: 3)
        #expect(EffectiveSampleSize(of: simulation.autoregressive(30, rho: 0.8))?.doubt != nil)
        #expect(EffectiveSampleSize(of: simulation.autoregressive(1_000, rho: 0.3))?.doubt == nil)
    }

    @Test("a million values that drift through all their lags are done in seconds")
    func large() throws {
        var simulation = Simulation(seed: 4)
        let values = (0..<1_000_000).map { Double($0) + 1_000 * simulation.normal() }
        let clock = ContinuousClock()
        var size: EffectiveSampleSize?
        #expect(clock.measure { size = EffectiveSampleSize(of: values) } < .seconds(20))
        #expect(try #require(size?.size) < 10)
    }
}
