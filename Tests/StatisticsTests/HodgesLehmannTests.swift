import Statistics
import Testing

@Suite struct HodgesLehmannTests {
    private struct Case: Decodable {
        var name: String
        var values: [Double]
        var reference: [Double]?
        var estimate: Double
        var lower: Double?
        var upper: Double?
        var confidence: Double?
    }

    @Test(
        "estimate, interval and the confidence that it reaches are those from all pairs and from counting in whole numbers"
    )
    func goldens() throws {
        for golden in try golden("hodges_lehmanns", as: Case.self) {
            let found = golden.reference.map { HodgesLehmann(shiftOf: golden.values, from: $0) }
            let shift = try #require(found ?? HodgesLehmann(of: golden.values))
            #expect(agree(shift.estimate, golden.estimate, scale: 1), "\(golden.name)")
            #expect(agree(shift.interval?.lower, golden.lower, scale: 1), "\(golden.name)")
            #expect(agree(shift.interval?.upper, golden.upper, scale: 1))
            #expect(agree(shift.interval?.confidence, golden.confidence))
            #expect((shift.doubt == nil) == (golden.lower != nil) && shift.method == .exact)
        }
    }

    @Test("the published example of depression gives 0.46, between 0.010 and 0.786 with 96.1 % confidence")
    func published() throws {
        let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
        let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
        let shift = try #require(HodgesLehmann(of: zip(before, after).map { $0 - $1 }))
        #expect(agree(shift.estimate, 0.46, within: 1e-9))
        let interval = try #require(shift.interval)
        #expect(agree(interval.lower, 0.010, within: 1e-9) && agree(interval.upper, 0.786, within: 1e-9))
        #expect(agree(interval.confidence, 0.961, within: 1e-3))
    }

    @Test("selection among pairs that are never written down finds what sorting them finds", arguments: [2, 5, 40, 41])
    func selection(_ count: Int) throws {
        var simulation = Simulation(seed: UInt64(count))
        for scale in [1, 2, 1e9] {
            let values = (0..<count).map { _ in (scale * simulation.normal()).rounded() }
            let reference = (0..<count + 3).map { _ in (scale * simulation.normal()).rounded() }
            let means = values.indices.flatMap { i in values[i...].map { (values[i] + $0) / 2 } }
            #expect(HodgesLehmann(of: values)?.estimate == median(means))
            let differences = values.flatMap { value in reference.map { value - $0 } }
            #expect(HodgesLehmann(shiftOf: values, from: reference)?.estimate == median(differences))
        }
    }

    @Test("an interval holds zero exactly where the rank test does not reject it", arguments: [6, 9, 20])
    func dual(_ count: Int) throws {
        var simulation = Simulation(seed: UInt64(count))
        for _ in 0..<500 {
            let values = (0..<count).map { _ in simulation.normal() + 0.5 }
            let reference = (0..<count).map { _ in simulation.normal() }
            let interval = try #require(HodgesLehmann(of: values)?.interval)
            #expect(interval.contains(0) == (SignedRank(of: values)!.pValue > 0.05))
            let shift = try #require(HodgesLehmann(shiftOf: values, from: reference)?.interval)
            #expect(shift.contains(0) == (MannWhitney(values, reference)!.pValue > 0.05))
        }
    }

    @Test("few values have no interval, and a sentence that says how many would have one")
    func degenerate() throws {
        #expect(HodgesLehmann(of: []) == nil && HodgesLehmann(of: [.nan]) == nil)
        #expect(HodgesLehmann(shiftOf: [1], from: []) == nil && HodgesLehmann(shiftOf: [1], from: [.infinity]) == nil)
        let five = try #require(HodgesLehmann(of: [1, 2, 3, 4, 5]))
        #expect(five.estimate == 3 && five.doubt == "5 values cannot support an interval of 95 %; 6 can")
        #expect(HodgesLehmann(of: [1])?.estimate == 1)
        let three = try #require(HodgesLehmann(shiftOf: [1, 2, 3], from: [1, 2, 3]))
        #expect(three.estimate == 0 && three.doubt == "3 and 3 values cannot support an interval of 95 %; 4 and 4 can")
        for count in [6, 50, 500] {
            let equal = Array(repeating: 0.1, count: count)
            let one = try #require(HodgesLehmann(of: equal))
            #expect(one.estimate == 0.1 && one.interval?.lower == 0.1 && one.interval?.upper == 0.1)
            #expect(try #require(HodgesLehmann(shiftOf: equal, from: equal)).interval?.lower == 0)
        }
    }

    @Test(
        "a higher confidence is reached, or refused, and never stated without being reached",
        arguments: [0.5, 0.9, 0.99, 0.999])
    func confidences(_ confidence: Double) throws {
        var simulation = Simulation(seed: 1)
        for count in 1...120 {
            let values = (0..<count).map { _ in simulation.normal() }
            let estimate = try #require(HodgesLehmann(of: values, confidence: confidence))
            #expect(estimate.interval.map { $0.confidence >= confidence - 1e-12 } ?? (estimate.doubt != nil))
            #expect((estimate.interval == nil) == (count < MedianEstimate.valuesNeeded(confidence: confidence)))
        }
    }

    @Test("two hundred thousand values are done in seconds, with no list of their pairs")
    func large() throws {
        var simulation = Simulation(seed: 12)
        let values = (0..<200_000).map { _ in simulation.normal() + 3 }
        let reference = (0..<100_000).map { _ in simulation.normal() }
        var one: HodgesLehmann?
        var two: HodgesLehmann?
        #expect(ContinuousClock().measure { one = HodgesLehmann(of: values) } < .seconds(30))
        #expect(ContinuousClock().measure { two = HodgesLehmann(shiftOf: values, from: reference) } < .seconds(30))
        for shift in [one, two] {
            #expect(agree(shift?.estimate, 3, within: 0.006) && shift?.method == .normal)
            let interval = try #require(shift?.interval)
            #expect(interval.upper - interval.lower < 0.03 && interval.contains(shift!.estimate))
        }
    }
}
