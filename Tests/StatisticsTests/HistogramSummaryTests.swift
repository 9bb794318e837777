import Statistics
import Testing

@Suite struct HistogramSummaryTests {
    private static let shares: [Double] = [
        0, 1e-9, 0.001, 0.01, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999, 1,
    ]

    @Test(
        "a percentile lies at or above the exact nearest rank, by less than the promised digits, at every magnitude",
        arguments: 1...5, [1, 7, 1_000] as [Int64])
    func promise(_ digits: Int, _ lowest: Int64) throws {
        var part = 1.0
        for _ in 0..<digits { part /= 10 }
        for (seed, count) in [(1, 1), (2, 2), (3, 99), (4, 1_000), (5, 4_999)] as [(UInt64, Int)] {
            for bits: UInt64 in digits == 5 ? [8, 31] : [8, 31, 63] {
                let values = valuesOfAllMagnitudes(seed: seed, count: count, bits: bits)
                let histogram = Histogram(of: values, significantDigits: digits, lowestDiscernible: lowest)
                let sorted = values.sorted()
                for share in Self.shares {
                    let exact = nearestRank(share, ofSorted: sorted)
                    let value = try #require(histogram.value(at: share))
                    let allowed = max(Int64(Double(exact) * part), lowest - 1)
                    if share > 0 {
                        #expect(value >= exact && value - exact <= allowed, "\(share) of \(count): \(exact), \(value)")
                    } else {
                        #expect(value <= exact && exact - value <= allowed, "least of \(count): \(exact), \(value)")
                    }
                    let bucket = histogram.bucket(atRank: nearestRank(share, among: count))
                    #expect(bucket?.values.contains(exact) == true)
                }
                let mean = values.reduce(0) { $0 + Double($1) } / Double(count)
                #expect(abs(try #require(histogram.mean) - mean) <= max(mean * part, Double(lowest)))
            }
        }
    }

    @Test("every recorded value lies between minimum and maximum, and every rank in the bucket that holds it")
    func ranks() throws {
        let values = valuesOfAllMagnitudes(seed: 9, count: 500)
        let histogram = Histogram(of: values)
        let sorted = values.sorted()
        for (index, value) in sorted.enumerated() {
            #expect(try #require(histogram.bucket(atRank: index + 1)).values.contains(value))
        }
        #expect(histogram.bucket(atRank: 0) == nil && histogram.bucket(atRank: 501) == nil)
        #expect(try #require(histogram.minimum) <= sorted[0] && #require(histogram.maximum) >= sorted[499])
        #expect(histogram.buckets.reduce(0) { $0 + $1.count } == 500)
    }

    @Test("a whole share of n is that rank, though it is not exact in binary")
    func wholeRanks() {
        let histogram = Histogram(of: Array(1...1_000))
        for rank in 1...1_000 { #expect(histogram.value(at: Double(rank) / 1_000) == Int64(rank)) }
        #expect(histogram.value(at: 0.0010001) == 2)
    }

    @Test("mean and deviation of values that are told apart to the unit are the exact ones")
    func moments() throws {
        let histogram = Histogram(of: [2, 4, 4, 4, 5, 5, 7, 9])
        #expect(histogram.mean == 5 && histogram.standardDeviation == 2)
    }
}

@Suite struct BucketShapeTests {
    @Test("there are 1 to 5 digits, from 1 on, and a doubling below the largest number")
    func limits() throws {
        for digits in [Int.min, -1, 0, 6, .max] {
            #expect(BucketShape(significantDigits: digits, lowestDiscernible: 1) == nil)
        }
        for lowest in [Int64.min, -1, 0] {
            #expect(BucketShape(significantDigits: 3, lowestDiscernible: lowest) == nil)
        }
        for (digits, half) in [(1, 4), (2, 7), (3, 10), (4, 14), (5, 17)] as [(Int, Int64)] {
            let shape = try #require(BucketShape(significantDigits: digits, lowestDiscernible: 1 << (61 - half)))
            #expect(shape.values(equivalentTo: .max).upperBound == .max)
            #expect(BucketShape(significantDigits: digits, lowestDiscernible: 1 << (62 - half)) == nil)
        }
    }

    @Test(
        "buckets follow one another without gap, from 0 to the largest number", arguments: 1...5,
        [1, 3, 1_000] as [Int64])
    func partition(_ digits: Int, _ lowest: Int64) throws {
        let shape = try #require(BucketShape(significantDigits: digits, lowestDiscernible: lowest))
        var next: Int64 = 0
        var index = 0
        while true {
            let values = shape.values(at: index)
            guard
                values.lowerBound == next, values.contains(shape.middleValue(at: index)),
                shape.index(of: values.lowerBound) == index, shape.index(of: values.upperBound) == index
            else {
                Issue.record("bucket \(index): \(values), expected from \(next)")
                return
            }
            index += 1
            if values.upperBound == .max { break }
            next = values.upperBound + 1
        }
        #expect(index == shape.buckets(ofLevels: shape.levels(upTo: .max)))
    }
}
