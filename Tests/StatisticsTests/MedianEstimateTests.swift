import Glibc
import Statistics
import Testing

/// Coverage of the interval from the `rank`-th smallest to the `rank`-th largest of `count` values, in whole numbers:
/// 1 − 2·Σ C(n, i)/2ⁿ for i < rank.
private func coverage(count: Int, rank: Int) -> Double {
    var below = 0
    var choose = 1
    for i in 0..<rank {
        below += choose
        choose = choose * (count - i) / (i + 1)
    }
    return 1 - 2 * Double(below) / Double(1 << count)
}

@Suite struct MedianEstimateTests {
    private func estimate(_ count: Int, _ confidence: Double = 0.95) throws -> MedianEstimate {
        var random = SplitMix64(seed: UInt64(count))
        return try #require(
            MedianEstimate(of: random.shuffled((0..<count).map { Double($0 + 1) }), confidence: confidence))
    }

    @Test(
        "at 95 % the interval has the ranks and the confidence of published tables",
        arguments: [
            (6, 1, 6, 0.9688), (7, 1, 7, 0.9844), (8, 1, 8, 0.9922), (9, 2, 8, 0.9609), (10, 2, 9, 0.9785),
            (11, 2, 10, 0.9883), (12, 3, 10, 0.9614), (15, 4, 12, 0.9648), (20, 6, 15, 0.9586), (25, 8, 18, 0.9567),
            (30, 10, 21, 0.9572),
        ])
    func published(_ count: Int, _ lower: Int, _ upper: Int, _ confidence: Double) throws {
        let interval = try #require(try estimate(count).interval)
        #expect(interval.lower == Double(lower) && interval.upper == Double(upper))
        #expect(abs(interval.confidence - confidence) <= 0.00005)
    }

    @Test(
        "for every number of values it is the narrowest that reaches the confidence",
        arguments: [0.5, 0.9, 0.95, 0.99, 0.999])
    func narrowest(_ confidence: Double) throws {
        for count in 1...55 {
            let widest = (1...max(count / 2, 1)).filter { coverage(count: count, rank: $0) >= confidence }.last
            let interval = try estimate(count, confidence).interval
            guard count > 1, let rank = widest else {
                #expect(interval == nil, "\(count) values")
                continue
            }
            #expect(interval?.lower == Double(rank) && interval?.upper == Double(count + 1 - rank), "\(count) values")
            #expect(abs((interval?.confidence ?? 0) - coverage(count: count, rank: rank)) < 1e-12, "\(count) values")
        }
    }

    @Test("too few values have no interval, and a sentence that says how many would have one")
    func tooFew() throws {
        for count in 1...5 {
            let estimate = try estimate(count)
            #expect(estimate.interval == nil && estimate.count == count)
        }
        #expect(try estimate(1).doubt == "1 trial cannot support an interval of 95 %; 6 can")
        #expect(try estimate(5).doubt == "5 trials cannot support an interval of 95 %; 6 can")
        #expect(try estimate(6).doubt == nil)
        #expect(MedianEstimate(of: []) == nil)
        #expect(MedianEstimate(of: [1, .nan, 2, 3, 4, 5, 6]) == nil)
    }

    @Test("the fewest values are those whose two tails fit, ½ⁿ each")
    func needed() {
        #expect(MedianEstimate.valuesNeeded(confidence: 0.95) == 6)
        #expect(MedianEstimate.valuesNeeded(confidence: 0.99) == 8)
        #expect(MedianEstimate.valuesNeeded(confidence: 0.96875) == 6)
        #expect(MedianEstimate.valuesNeeded(confidence: 0.9688) == 7)
        #expect(MedianEstimate.valuesNeeded(confidence: 0.5) == 2)
    }

    @Test(
        "thousands of values have an interval that is narrow, and not one of no width",
        arguments: [1_000, 1_070, 1_100, 5_000, 20_000])
    func many(_ count: Int) throws {
        let interval = try #require(try estimate(count).interval)
        // The normal approximation of the binomial: n/2 − 1.96·√n/2.
        let expected = Double(count) / 2 - 1.959964 * Double(count).squareRoot() / 2
        #expect(abs(interval.lower - expected) <= 1.5)
        #expect(interval.lower + interval.upper == Double(count + 1))
        #expect((0.95...0.956).contains(interval.confidence))
    }

    @Test("the true median lies in the interval about as often as promised")
    func covers() throws {
        var random = SplitMix64(seed: 7)
        var hits = 0
        for _ in 0..<4_000 {
            // A skewed distribution whose median is 1: cubes of numbers that are uniform in 0…2.
            let values = (0..<9).map { _ in pow(Double(random.next(below: 2_000_001)) / 1_000_000, 3) }
            if MedianEstimate(of: values)!.interval!.contains(1) { hits += 1 }
        }
        // 0.9609 of 4,000 is 3,844, give or take four standard deviations of 12.
        #expect((3_794...3_894).contains(hits))
    }

    @Test("a change of unit moves the median and its interval, and not the confidence")
    func mapped() throws {
        let estimate = try estimate(9).mapped { $0 * 1000 }
        #expect(estimate.median == 5_000)
        #expect(estimate.interval?.lower == 2_000 && estimate.interval?.upper == 8_000)
        #expect(estimate.interval?.confidence == coverage(count: 9, rank: 2))
    }
}
