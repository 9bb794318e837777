import Statistics
import Testing

/// A 95 % interval is a promise about many experiments. Here each kind is held to it, 2,000 times: the truth is known, and must
/// lie inside at least 94 % of the intervals that carry no doubt. (Correlated iterations are tried in `TrialsTests`.)
@Suite struct CoverageTests {
    private let experiments = 2_000

    private func covered(
        _ seed: Int, _ truth: Double, _ estimate: (inout Simulation) -> Interval?
    ) -> Double {
        var simulation = Simulation(seed: UInt64(seed))
        return share(of: experiments) { _ in estimate(&simulation)!.contains(truth) }
    }

    @Test("the median's interval, of any distribution", arguments: Distribution.allCases, [6, 9, 10, 30, 100])
    func medians(_ distribution: Distribution, _ count: Int) {
        let covered = covered(count, distribution.median) {
            MedianEstimate(of: distribution.draw(count, with: &$0))!.interval
        }
        #expect(covered >= 0.94, "\(covered)")
    }

    @Test(
        "Hodges and Lehmann's interval of paired differences, which are symmetric whatever the values are",
        arguments: Distribution.allCases, [6, 10, 30, 120])
    func pairs(_ distribution: Distribution, _ count: Int) {
        let covered = covered(count, 0.5) { simulation in
            let one = distribution.draw(count, with: &simulation)
            let other = distribution.draw(count, with: &simulation)
            return HodgesLehmann(of: zip(one, other).map { 0.5 + $0 - $1 })!.interval
        }
        #expect(covered >= 0.94, "\(covered)")
    }

    @Test(
        "Hodges and Lehmann's interval of the shift between two groups, of any distribution",
        arguments: Distribution.allCases, [(4, 4), (6, 9), (12, 12), (40, 30)])
    func shifts(_ distribution: Distribution, _ counts: (Int, Int)) {
        let covered = covered(counts.0, 0.5) { simulation in
            let reference = distribution.draw(counts.1, with: &simulation)
            let values = distribution.draw(counts.0, with: &simulation).map { $0 + 0.5 }
            return HodgesLehmann(shiftOf: values, from: reference)!.interval
        }
        #expect(covered >= 0.94, "\(covered)")
    }

    @Test("values read from a coarse clock only widen these intervals", arguments: [6, 12])
    func ticks(_ count: Int) {
        func draw(_ simulation: inout Simulation) -> [Double] { (0..<count).map { _ in simulation.normal().rounded() } }
        #expect(covered(count, 0) { MedianEstimate(of: draw(&$0))!.interval } >= 0.94)
        #expect(covered(count, 0) { HodgesLehmann(of: draw(&$0))!.interval } >= 0.94)
        #expect(covered(count, 0) { HodgesLehmann(shiftOf: draw(&$0), from: draw(&$0))!.interval } >= 0.94)
    }

    @Test("Hodges and Lehmann's interval of single skewed values is not one of their median, as its documentation says")
    func skewed() {
        let covered = covered(1, Distribution.logNormal.median) {
            HodgesLehmann(of: Distribution.logNormal.draw(200, with: &$0))!.interval
        }
        #expect(covered < 0.5, "\(covered)")
    }

    @Test(
        "the bootstrap's interval of a median, from the number of values on at which it promises one",
        arguments: Distribution.allCases)
    func bootstrapMedians(_ distribution: Distribution) {
        let covered = covered(1, distribution.median) {
            BootstrapEstimate(of: distribution.draw(150, with: &$0), statistic: .median, resamples: 500)!.interval
        }
        #expect(covered >= 0.94, "\(covered)")
    }

    @Test(
        "the bootstrap's rough interval of a mean of 100 values, unless they are skewed",
        arguments: Distribution.allCases)
    func bootstrapMeans(_ distribution: Distribution) {
        let covered = covered(2, distribution.mean) {
            BootstrapEstimate(of: distribution.draw(100, with: &$0), statistic: .mean, resamples: 1_000)!.roughInterval
        }
        // This is why it is called rough.
        #expect(distribution == .logNormal ? covered < 0.94 : covered >= 0.94, "\(covered)")
    }

    @Test("the bootstrap's interval of a mean of few values covers too little, of skewed ones by far, and is not given")
    func bootstrapOfFew() {
        for (distribution, most) in [(Distribution.normal, 0.92), (.logNormal, 0.87)] {
            let covered = covered(3, distribution.mean) {
                let values = distribution.draw(10, with: &$0)
                let estimate = BootstrapEstimate(of: values, statistic: .mean, resamples: 1_000)!
                return estimate.interval ?? estimate.roughInterval
            }
            #expect(covered < most, "\(covered)")
        }
        #expect(BootstrapStatistic.mean.valuesNeeded == nil)
    }
}
