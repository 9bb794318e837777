import Statistics
import Testing

@Suite struct BootstrapTests {
    private struct Case: Decodable {
        var name: String
        var values: [Double]
        var statistic: String
        var resamples: Int
        var seed: UInt64
        var lower: Double
        var upper: Double
    }

    @Test("the interval is SciPy's BCa interval of the very same samples")
    func goldens() throws {
        for golden in try golden("bootstraps", as: Case.self) {
            let statistic = golden.statistic == "mean" ? BootstrapStatistic.mean : .median
            let estimate = try #require(
                BootstrapEstimate(
                    of: golden.values, statistic: statistic, resamples: golden.resamples, seed: golden.seed))
            let interval = try #require(estimate.roughInterval, "\(golden.name)")
            #expect(agree(interval.lower, golden.lower, within: 1e-9, scale: 1), "\(golden.name) \(golden.statistic)")
            #expect(agree(interval.upper, golden.upper, within: 1e-9, scale: 1), "\(golden.name) \(golden.statistic)")
        }
    }

    @Test("the same seed gives the same interval, another seed nearly the same")
    func seeded() throws {
        var simulation = Simulation(seed: 1)
        let values = (0..<150).map { _ in simulation.normal() }
        func interval(_ seed: UInt64) throws -> Interval {
            try #require(BootstrapEstimate(of: values, statistic: .median, seed: seed)?.interval)
        }
        let (one, same, other) = try (interval(1), interval(1), interval(2))
        #expect(one == same && one != other)
        #expect(abs(one.lower - other.lower) < 0.15 && abs(one.upper - other.upper) < 0.15)
    }

    @Test("without bias and skewness it is the plain percentile interval")
    func percentile() throws {
        let ends = try #require(
            BootstrapEstimate.ends(
                estimate: 500, resampled: (0...1_000).map { Double($0) }, jackknife: [1, 2, 3], confidence: 0.9))
        #expect(agree(ends.lower, 50, within: 1e-9) && agree(ends.upper, 950, within: 1e-9))
    }

    @Test("an interval is given only where it was seen to keep its promise; elsewhere it is rough and carries a doubt")
    func promises() throws {
        var simulation = Simulation(seed: 2)
        let values = (0..<1_000).map { _ in simulation.normal() }
        func estimate(_ count: Int, _ statistic: BootstrapStatistic, _ confidence: Double = 0.95) throws
            -> BootstrapEstimate
        {
            let estimate = BootstrapEstimate(
                of: Array(values.prefix(count)), statistic: statistic, confidence: confidence, resamples: 200)
            return try #require(estimate)
        }
        let sure = try estimate(150, .median)
        #expect(sure.doubt == nil && sure.interval == sure.roughInterval && sure.interval != nil)
        let range = BootstrapStatistic(name: "range") { $0.max()! - $0.min()! }
        for (unsure, doubt) in [
            (
                try estimate(149, .median),
                "149 values cannot promise that an interval of 95 % covers the median so often; 150 can"
            ),
            (try estimate(150, .median, 0.99), "how often an interval of 99 % covers the median is not known"),
            (try estimate(1_000, .mean), BootstrapStatistic.mean.caution),
            (try estimate(1_000, range), "how often such an interval covers the range is not known"),
        ] {
            #expect(unsure.interval == nil && unsure.roughInterval != nil && unsure.doubt == doubt)
        }
    }

    @Test("one value, equal values and two have no interval to rely on, and none is made of what is no number")
    func degenerate() throws {
        #expect(BootstrapEstimate(of: [], statistic: .mean) == nil)
        #expect(BootstrapEstimate(of: [1, .nan], statistic: .mean) == nil)
        #expect(BootstrapEstimate(of: [1, .infinity], statistic: .median) == nil)
        let one = try #require(BootstrapEstimate(of: [4], statistic: .mean))
        #expect(one.value == 4 && one.roughInterval == nil && one.doubt == "1 value does not scatter")
        let equal = try #require(BootstrapEstimate(of: Array(repeating: 3, count: 1_000), statistic: .mean))
        #expect(equal.value == 3 && equal.roughInterval == nil && equal.doubt != nil)
        let two = try #require(BootstrapEstimate(of: [1, 3], statistic: .mean))
        #expect(two.value == 2 && two.interval == nil && two.doubt != nil)
        #expect(two.roughInterval.map { $0.lower.isFinite && $0.upper.isFinite && $0.lower <= $0.upper } ?? true)
        // The largest value of samples is never above that of all: bias without end, and no interval.
        let largest = BootstrapStatistic(name: "largest") { $0.max()! }
        let few = try #require(BootstrapEstimate(of: [1, 2, 3], statistic: largest))
        #expect(few.interval == nil)
        #expect(few.roughInterval.map { $0.lower.isFinite && $0.upper.isFinite } ?? true)
        #expect(
            BootstrapEstimate.ends(estimate: 9, resampled: [1, 2, 3], jackknife: [1, 2], confidence: 0.95) == nil)
        #expect(
            BootstrapEstimate.ends(estimate: 2, resampled: [1, .nan], jackknife: [1, 2], confidence: 0.95) == nil)
        #expect(
            BootstrapEstimate.ends(estimate: 2, resampled: [1, 2, 3], jackknife: [1, .nan], confidence: 0.95) == nil)
    }
}
