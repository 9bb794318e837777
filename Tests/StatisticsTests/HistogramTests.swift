import Statistics
import Testing

/// Values of every magnitude below 2^bits: first how many bits one has at most, then the bits. (As in `Golden/histogram.py`.)
func valuesOfAllMagnitudes(seed: UInt64, count: Int, bits: UInt64 = 63) -> [Int64] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
        let width = random.next() % bits
        return Int64(random.next() >> (63 - width))
    }
}

extension Histogram {
    /// A histogram of values.
    init(of values: [Int64], significantDigits: Int = 3, lowestDiscernible: Int64 = 1, highest: Int64? = nil) {
        self.init(significantDigits: significantDigits, lowestDiscernible: lowestDiscernible, highest: highest)
        for value in values { record(value) }
    }
}

@Suite struct HistogramTests {
    @Test("a histogram of nothing has no mean, no extremes and no percentiles")
    func empty() {
        let histogram = Histogram()
        #expect(histogram.isEmpty && histogram.totalCount == 0 && histogram.refused.total == 0)
        #expect(histogram.minimum == nil && histogram.maximum == nil)
        #expect(histogram.mean == nil && histogram.standardDeviation == nil)
        #expect(histogram.value(at: 0) == nil && histogram.value(at: 0.5) == nil && histogram.value(at: 1) == nil)
        #expect(histogram.bucket(atRank: 1) == nil)
        #expect(Array(histogram.buckets).isEmpty)
        #expect(histogram.count(equivalentTo: 5) == 0 && histogram.count(equivalentTo: -5) == 0)
    }

    @Test("small values are told apart to the unit, larger ones to the promised digits")
    func resolution() {
        let histogram = Histogram(of: [0, 1, 2_047, 2_048, 2_049, 2_050, 1_000_000])
        let values: [ClosedRange<Int64>] = [
            0...0, 1...1, 2_047...2_047, 2_048...2_049, 2_050...2_051, 999_936...1_000_447,
        ]
        #expect(histogram.buckets.map(\.values) == values)
        #expect(histogram.buckets.map(\.count) == [1, 1, 1, 2, 1, 1])
        #expect(histogram.count(equivalentTo: 2_048) == 2 && histogram.count(equivalentTo: 1_000_447) == 1)
        #expect(histogram.count(equivalentTo: 3) == 0 && histogram.count(equivalentTo: .max) == 0)
        #expect(histogram.minimum == 0 && histogram.maximum == 1_000_447)
    }

    @Test("a value below zero is refused and counted, and never a zero")
    func negative() {
        var histogram = Histogram()
        let recorded = [
            histogram.record(-1), histogram.record(.min, count: 3), histogram.record(-7, count: 2, correctedBy: 2),
        ]
        #expect(recorded == [false, false, false])
        #expect(histogram.isEmpty && histogram.refused.negative == 6 && histogram.refused.total == 6)
    }

    @Test(
        "what lies above a fixed range is refused and counted; the bucket of its highest value is the last that is not")
    func beyondRange() {
        var histogram = Histogram(highest: 10_000)
        let recorded = [
            histogram.record(10_000), histogram.record(10_007), histogram.record(10_008, count: 4),
            histogram.record(.max),
        ]
        #expect(recorded == [true, true, false, false])
        #expect(histogram.totalCount == 2 && histogram.refused.beyondRange == 5)
        #expect(histogram.maximum == 10_007)
    }

    @Test("a range that is not fixed grows to the largest value there is")
    func growth() {
        var histogram = Histogram()
        #expect(histogram.allocatedBuckets == 0)
        histogram.record(3)
        #expect(histogram.allocatedBuckets == 2_048)
        histogram.record(.max)
        #expect(histogram.allocatedBuckets * 8 == 432 << 10)
        #expect(histogram.totalCount == 2 && histogram.maximum == .max && histogram.value(at: 1) == .max)
        var finest = Histogram(significantDigits: 5)
        finest.record(.max)
        #expect(finest.allocatedBuckets * 8 == 47 << 20)
    }

    @Test("memory is what the documentation says", arguments: [(2, 36), (3, 264), (4, 3_712)])
    func memory(_ digits: Int, _ kibibytes: Int) {
        var histogram = Histogram(significantDigits: digits)
        histogram.reserve(upTo: 3_600_000_000_000)
        #expect(histogram.allocatedBuckets * 8 == kibibytes << 10)
    }

    @Test("after a reservation recording takes no further room")
    func reservation() {
        var histogram = Histogram()
        histogram.reserve(upTo: 60_000_000_000)
        let room = histogram.allocatedBuckets
        for value in valuesOfAllMagnitudes(seed: 1, count: 10_000, bits: 35) {
            histogram.record(value)
            histogram.record(value, correctedBy: 1_000_000)
        }
        #expect(histogram.allocatedBuckets == room)
        histogram.reserve(upTo: 5)
        histogram.reserve(upTo: -5)
        #expect(histogram.allocatedBuckets == room)

        var fixed = Histogram(highest: 1_000)
        fixed.reserve(upTo: 1_000_000)
        #expect(fixed.allocatedBuckets == 1_001)
    }

    @Test("a total that would exceed the largest number is refused, and refusals stop at it")
    func counting() {
        var histogram = Histogram()
        let recorded = [
            histogram.record(5, count: .max - 1), histogram.record(5), histogram.record(5),
            histogram.record(6, count: .max), histogram.record(7, count: 5),
            histogram.record(100, count: 2, correctedBy: 10), histogram.record(8, count: 0),
        ]
        #expect(recorded == [true, true, false, false, false, false, true])
        #expect(histogram.totalCount == .max && histogram.count(equivalentTo: 5) == .max)
        #expect(histogram.refused.beyondCounting == .max && histogram.refused.total == .max)
        #expect(histogram.mean == 5 && histogram.value(at: 1) == 5 && histogram.value(at: 0.001) == 5)
        #expect(histogram.maximum == 5)
    }

    @Test("recording a value n times is recording it with the count n; with the count 0 it is not recorded")
    func counts() {
        var one = Histogram()
        var other = Histogram()
        for value in valuesOfAllMagnitudes(seed: 2, count: 100) {
            for _ in 0..<7 { one.record(value) }
            other.record(value, count: 7)
            other.record(value / 2, count: 0)
        }
        #expect(one == other && one.hashValue == other.hashValue)
    }

    @Test("room does not make histograms differ; digits, range, counts and refusals do")
    func equality() {
        let histogram = Histogram(of: [1, 2, 3])
        var roomy = histogram
        roomy.reserve(upTo: 1_000_000)
        #expect(histogram == roomy && roomy == histogram && histogram.hashValue == roomy.hashValue)
        #expect(histogram != Histogram(of: [1, 2, 3], significantDigits: 2))
        #expect(histogram != Histogram(of: [1, 2, 3], lowestDiscernible: 2))
        #expect(histogram != Histogram(of: [1, 2, 3], highest: 10))
        #expect(histogram != Histogram(of: [1, 2, 4]))
        #expect(histogram != Histogram(of: [1, 2, 3, 1_000_000]))
        #expect(histogram != Histogram(of: [1, 2, 3, -1]))
        #expect(Histogram(of: [1_000], lowestDiscernible: 1_000) == Histogram(of: [1_001], lowestDiscernible: 512))
    }

    @Test("a copy is a value of its own")
    func copies() {
        var histogram = Histogram(of: [1])
        let copy = histogram
        histogram.record(2)
        #expect(copy == Histogram(of: [1]) && histogram == Histogram(of: [1, 2]))
    }
}

@Suite struct HistogramCorrectionTests {
    /// What the definition says, value by value: v, v − i, v − 2i, … as long as they are not less than i.
    private func expanded(_ value: Int64, by interval: Int64) -> [Int64] {
        var result = [value]
        var missing = value - interval
        while missing >= interval {
            result.append(missing)
            missing -= interval
        }
        return result
    }

    @Test("a stall is recorded as often as values were due in it")
    func table() {
        var histogram = Histogram()
        histogram.record(250, correctedBy: 100)
        #expect(Array(histogram.buckets).map(\.values.lowerBound) == [150, 250])
        histogram = Histogram()
        histogram.record(200, correctedBy: 100)
        #expect(Array(histogram.buckets).map(\.values.lowerBound) == [100, 200])
        histogram = Histogram()
        for value: Int64 in [0, 1, 99, 100, 199] { histogram.record(value, correctedBy: 100) }
        #expect(histogram == Histogram(of: [0, 1, 99, 100, 199]))
    }

    @Test("an interval of nothing corrects nothing", arguments: [0, -1, Int64.min])
    func noInterval(_ interval: Int64) {
        var histogram = Histogram()
        histogram.record(1_000, correctedBy: interval)
        #expect(histogram == Histogram(of: [1_000]))
    }

    @Test(
        "corrected recording is that of the expanded values, whatever value, interval, digits and range",
        arguments: 1...5)
    func property(_ digits: Int) {
        var random = SplitMix64(seed: UInt64(digits))
        for value in valuesOfAllMagnitudes(seed: 3, count: digits < 4 ? 400 : 20, bits: 40) {
            // From a few missing values to a few thousand.
            let interval =
                value / Int64(1 + random.next(below: 1 << random.next(below: 12))) + Int64(random.next(below: 3))
            guard interval > 0 else { continue }
            let count = random.next(below: 4)
            for highest in [nil, 1_000_000_000, Int64(2 + random.next(below: 1 << 40))] {
                var corrected = Histogram(significantDigits: digits, highest: highest)
                let complete = corrected.record(value, count: count, correctedBy: interval)
                var byHand = Histogram(significantDigits: digits, highest: highest)
                let all = expanded(value, by: interval).map { byHand.record($0, count: count) }
                #expect(corrected == byHand, "\(value) by \(interval)")
                #expect(complete == !all.contains(false))
            }
        }
    }

    @Test("an absurd interval takes no time and loses no value")
    func absurd() {
        var histogram = Histogram()
        var complete = histogram.record(.max, correctedBy: 1)
        #expect(complete && histogram.totalCount == .max)
        #expect(histogram.count(equivalentTo: 1) == 1 && histogram.count(equivalentTo: 2_048) == 2)
        #expect(histogram.count(equivalentTo: .max) == 1 << 52)
        complete = histogram.record(.max, correctedBy: 1)
        #expect(!complete && histogram.refused.beyondCounting == .max)

        var fixed = Histogram(highest: 1_000)
        complete = fixed.record(.max, correctedBy: 1)
        #expect(!complete && fixed.totalCount == 1_000 && fixed.refused.beyondRange == .max - 1_000)
        complete = fixed.record(.max, count: 2, correctedBy: .max - 1)
        #expect(!complete && fixed.totalCount == 1_000 && fixed.refused.beyondRange == .max - 998)
        complete = fixed.record(.max, count: .max, correctedBy: 1)
        #expect(!complete && fixed.refused.beyondRange == .max)
    }
}

@Suite struct HistogramMergeTests {
    @Test("merging is recording all, in any order and of any sizes", arguments: 1...5)
    func property(_ digits: Int) throws {
        for seed: UInt64 in 1...8 {
            let lowest: Int64 = seed % 2 == 0 ? 1 : 1_000
            let parts = (0..<4).map {
                valuesOfAllMagnitudes(seed: seed * 10 + $0, count: 200, bits: digits == 5 ? 30 : 10 + 13 * $0)
                    + [-Int64(seed)]
            }
            let all = Histogram(of: parts.flatMap(\.self), significantDigits: digits, lowestDiscernible: lowest)
            let histograms = parts.map { Histogram(of: $0, significantDigits: digits, lowestDiscernible: lowest) }
            var upward = Histogram(significantDigits: digits, lowestDiscernible: lowest)
            for part in histograms { try upward.merge(part) }
            var downward = histograms[3]
            for part in histograms[..<3].reversed() { try downward.merge(part) }
            #expect(upward == all && downward == all)
            #expect(all.totalCount == 800 && all.refused.negative == 4)
        }
    }

    @Test("a fixed range takes in what fits, and refuses what does not without changing")
    func ranges() throws {
        var histogram = Histogram(of: [5], highest: 1_000)
        try histogram.merge(Histogram(of: [1_000, 7], highest: 1_000_000))
        #expect(histogram == Histogram(of: [5, 7, 1_000], highest: 1_000))
        let before = histogram
        #expect(throws: HistogramMergeError.beyondRange(maximum: 1_001, highest: 1_000)) {
            try histogram.merge(Histogram(of: [6, 1_001]))
        }
        #expect(histogram == before)
    }

    @Test("what is refused is the sum of refusals")
    func refusals() throws {
        var histogram = Histogram(of: [-1, 2_000, 5], highest: 1_000)
        try histogram.merge(Histogram(of: [-1, -1, 3_000, 6], highest: 2_000))
        #expect(histogram.refused.negative == 3 && histogram.refused.beyondRange == 2 && histogram.totalCount == 2)
    }

    @Test("different buckets cannot be merged, and the error names both")
    func differentBuckets() {
        var histogram = Histogram(of: [5])
        for other in [Histogram(of: [5], significantDigits: 2), Histogram(of: [5], lowestDiscernible: 2)] {
            #expect(throws: HistogramMergeError.differentBuckets(histogram.shape, other.shape)) {
                try histogram.merge(other)
            }
        }
        #expect(histogram == Histogram(of: [5]))
        let error = HistogramMergeError.differentBuckets(
            histogram.shape, Histogram(significantDigits: 2, lowestDiscernible: 1_000).shape)
        #expect("\(error)".contains("3 digits from 1 on") && "\(error)".contains("2 digits from 512 on"))
    }

    @Test("a total that no number holds is refused without changing")
    func counting() {
        var histogram = Histogram()
        histogram.record(5, count: .max)
        let before = histogram
        #expect(throws: HistogramMergeError.beyondCounting) { try histogram.merge(Histogram(of: [1])) }
        #expect(histogram == before)
        #expect(throws: Never.self) { try histogram.merge(Histogram()) }
    }

    @Test("a histogram can take in itself")
    func itself() throws {
        var histogram = Histogram(of: [1, 1_000_000])
        try histogram.merge(histogram)
        #expect(histogram == Histogram(of: [1, 1, 1_000_000, 1_000_000]))
    }
}
