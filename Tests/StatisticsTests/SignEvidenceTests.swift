import Foundation
import Statistics
import Testing

@Suite struct SignEvidenceTests {
    /// ∫ 2·(2p)ᵏ·(2(1−p))ⁿ⁻ᵏ dp over ½…1, by Simpson's rule.
    private func integral(_ above: Int, _ count: Int) -> Double {
        let steps = 20_000
        let values = (0...steps).map { step in
            let p = 0.5 + 0.5 * Double(step) / Double(steps)
            let weight = step == 0 || step == steps ? 1.0 : step % 2 == 1 ? 4 : 2
            return weight * 2 * pow(2 * p, Double(above)) * pow(2 * (1 - p), Double(count - above))
        }
        return values.reduce(0, +) * 0.5 / Double(steps) / 3
    }

    @Test("the evidence is the wager spread evenly over all shares above one half")
    func integrals() {
        for (above, count) in [(0, 1), (1, 1), (3, 10), (7, 10), (10, 10), (40, 60), (120, 200), (90, 200)] {
            let evidence = exp(SignEvidence.logarithm(above: above, of: count))
            #expect(agree(evidence, integral(above, count), within: 1e-9), "\(above) of \(count)")
        }
    }

    @Test("the wager cannot be expected to win: over all outcomes of fair signs its mean is 1")
    func martingale() {
        for count in [1, 2, 5, 20, 100] {
            var mean = 0.0
            for above in 0...count {
                let ways = lgamma(Double(count) + 1) - lgamma(Double(above) + 1) - lgamma(Double(count - above) + 1)
                mean += exp(
                    ways - Double(count) * log(2) + SignEvidence.logarithm(above: above, of: count))
            }
            #expect(agree(mean, 1, within: 1e-9), "\(count)")
        }
    }

    @Test("twenty thousand signs are no trouble")
    func many() {
        #expect(SignEvidence.logarithm(above: 20_000, of: 20_000) > 13_000)
        // Fair signs speak against themselves, by about the square root of their number.
        let fair = SignEvidence.logarithm(above: 10_000, of: 20_000)
        #expect(fair < 0 && fair > -10)
        #expect(SignEvidence.logarithm(above: 0, of: 20_000) < fair)
    }

    @Test("the fewest above are the fewest: one less does not reach")
    func fewest() throws {
        for count in [12, 30, 200, 1_000] {
            let few = try #require(SignEvidence.fewestAbove(of: count, reaching: 200))
            #expect(exp(SignEvidence.logarithm(above: few, of: count)) >= 200)
            #expect(exp(SignEvidence.logarithm(above: few - 1, of: count)) < 200)
        }
        // 2ⁿ⁺¹ − 1 over n + 1 for all of n: 146 for 10, 280 for 11… the least n for 200 is 11.
        #expect(SignEvidence.fewestAbove(of: 10, reaching: 200) == nil)
        #expect(SignEvidence.fewestAbove(of: 11, reaching: 200) == 11)
    }
}

@Suite struct MedianSequenceTests {
    @Test("the interval runs between the values at which the evidence of the signs suffices")
    func limits() throws {
        var sequence = MedianSequence()
        for value in (1...40).shuffled() { sequence.append(Double(value)) }
        let few = try #require(SignEvidence.fewestAbove(of: 40, reaching: 200))
        let interval = try #require(sequence.interval(level: 0.01))
        #expect(interval.lower == Double(41 - few) && interval.upper == Double(few))
        #expect(sequence.median == 20.5)
    }

    @Test("a value is outside the interval exactly when the level against it is small enough", arguments: [5, 17, 90])
    func duality(_ seed: Int) throws {
        var simulation = Simulation(seed: UInt64(seed))
        // Whole numbers, so that many are equal.
        let sequence = MedianSequence((0..<80).map { _ in (3 * simulation.normal()).rounded() })
        for level in [0.1, 0.01, 0.0001] {
            let interval = try #require(sequence.interval(level: level))
            for value in stride(from: -6.0, through: 6, by: 0.5) {
                let isOutside = sequence.level(against: value) <= level
                #expect(isOutside == !interval.contains(value), "\(value) \(interval)")
            }
        }
    }

    @Test("it covers the median at all times together, though one looks after every value")
    func coverage() {
        var simulation = Simulation(seed: 4)
        for distribution in Distribution.allCases {
            let missed = share(of: 1_000) { _ in
                var sequence = MedianSequence()
                return distribution.draw(150, with: &simulation).contains { value in
                    sequence.append(value)
                    return sequence.level(against: distribution.median) <= 0.05
                }
            }
            // 5 % at the most over all time; three deviations of the counting above it.
            #expect(missed <= 0.07, "\(distribution) \(missed)")
        }
    }

    @Test("values that are all equal are their median, and nothing else is")
    func equal() throws {
        let sequence = MedianSequence(Array(repeating: 2.0, count: 30))
        let interval = try #require(sequence.interval(level: 0.01))
        #expect(interval.lower == 2 && interval.upper == 2)
        #expect(sequence.level(against: 2) == 1 && sequence.level(against: 0) < 1e-6)
    }
}
