import Statistics
import Testing

@Suite struct SpreadTests {
    private struct Case: Decodable {
        var values: [Double]
        var mean: Double
        var standardDeviation: Double?
        var median: Double
        var mad: Double
        var normalizedMAD: Double
    }

    @Test("mean, deviation, median and MAD are those of NumPy and SciPy")
    func goldens() throws {
        for golden in try golden("spreads", as: Case.self) {
            let spread = try #require(Spread(of: golden.values))
            #expect(spread.count == golden.values.count)
            #expect(agree(spread.mean, golden.mean, within: 1e-15))
            #expect(agree(spread.standardDeviation, golden.standardDeviation))
            #expect(agree(spread.median, golden.median))
            #expect(agree(spread.medianAbsoluteDeviation, golden.mad))
            #expect(agree(spread.normalizedMAD, golden.normalizedMAD))
        }
    }

    @Test("nothing scatters in one value or in equal ones, and there is nothing to say of none")
    func degenerate() throws {
        #expect(Spread(of: []) == nil)
        let one = try #require(Spread(of: [5]))
        #expect(one.mean == 5 && one.standardDeviation == nil && one.medianAbsoluteDeviation == 0)
        let equal = try #require(Spread(of: Array(repeating: 0.1, count: 7)))
        #expect(equal.mean == 0.1 && equal.standardDeviation! < 1e-16 && equal.medianAbsoluteDeviation == 0)
    }

    @Test(
        "a value that is no finite number is refused, and never reaches a result",
        arguments: [Double.nan, .infinity, -.infinity])
    func nonFinite(_ value: Double) {
        #expect(Spread(of: [1, value, 2]) == nil)
        #expect(mean([value]) == nil && standardDeviation([1, value]) == nil)
        #expect(medianAbsoluteDeviation([1, value]) == nil)
    }

    @Test("large and small values do not overflow or vanish")
    func extremes() throws {
        #expect(mean([1.5e308, 1.7e308]) == 1.6e308)
        #expect(agree(standardDeviation([1e-300, 3e-300]), 2e-300 / 2.0.squareRoot()))
        #expect(agree(standardDeviation([1e300, 3e300]), 2e300 / 2.0.squareRoot()))
    }

    @Test("a million values lose no digits")
    func compensated() throws {
        let values = Array(repeating: 0.1, count: 1_000_000)
        #expect(mean(values) == 0.1)
        #expect(compensatedSum([1, 1e100, 1, -1e100]) == 2)
        // Deviations of 1 about a billion: from sums of squares not one digit would be left.
        let shifted = (0..<1_000_000).map { 1e9 + ($0 % 2 == 0 ? 1 : -1) }
        #expect(agree(standardDeviation(shifted), (1e6 / 999_999).squareRoot()))
    }
}
