import FoundationEssentials
import Statistics
import Testing

/// What Python's HdrHistogram says of the same values: `Golden/histogram.json`, which `Golden/histogram.py` writes.
struct HistogramGolden: Decodable, Sendable {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var digits: Int
        var lowest: Int64
        var highest: Int64
        /// Values as they are, or what draws them.
        var values: [Int64]?
        var seed: UInt64?
        var count: Int?
        var bits: UInt64?
        var counts: [Int]?
        var interval: Int64?
        var total: Int
        var minimum: Int64
        var maximum: Int64
        var mean: Double
        var deviation: Double
        var percentiles: [Percentile]
        var base64: String?

        var testDescription: String { name }

        /// Our histogram of the same values, in a range that is fixed or not.
        func histogram(fixed: Bool = true) -> Histogram {
            var histogram = Histogram(
                significantDigits: digits, lowestDiscernible: lowest, highest: fixed ? highest : nil)
            for (index, value) in (values ?? valuesOfAllMagnitudes(seed: seed!, count: count!, bits: bits!))
                .enumerated()
            {
                histogram.record(value, count: counts?[index] ?? 1, correctedBy: interval ?? 0)
            }
            return histogram
        }
    }

    struct Percentile: Decodable, Sendable {
        var percent: Double
        var rank: Int
        var value: Int64

        init(from decoder: any Decoder) throws {
            var fields = try decoder.unkeyedContainer()
            percent = try fields.decode(Double.self)
            rank = try fields.decode(Int.self)
            value = try fields.decode(Int64.self)
        }
    }

    struct Equivalents: Decodable, Sendable {
        var digits: Int
        var lowest: Int64
        /// Value, number of its bucket, lowest and highest value of that.
        var values: [[Int64]]
    }

    var cases: [Case]
    var equivalents: [Equivalents]
    /// Small encodings that unfold to large ones.
    var bombs: [String]

    /// Text of a file beside these tests.
    static func text(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: "Golden/\(name)"), encoding: .utf8)
    }

    static let shared = Result { try JSONDecoder().decode(Self.self, from: Data(text("histogram.json").utf8)) }
}

@Suite struct HistogramGoldenTests {
    @Test("totals, extremes, mean and deviation are those of Python", arguments: try HistogramGolden.shared.get().cases)
    func summary(_ golden: HistogramGolden.Case) {
        for histogram in [golden.histogram(), golden.histogram(fixed: false)] {
            #expect(histogram.totalCount == golden.total && histogram.refused.total == 0)
            #expect(histogram.minimum ?? 0 == golden.minimum && histogram.maximum ?? 0 == golden.maximum)
            // Python sums whole numbers, and these are the same but for rounding.
            #expect(abs((histogram.mean ?? 0) - golden.mean) <= 1e-12 * golden.mean)
            #expect(abs((histogram.standardDeviation ?? 0) - golden.deviation) <= 1e-9 * golden.deviation)
        }
    }

    @Test("percentiles are those of Python, value by value", arguments: try HistogramGolden.shared.get().cases)
    func percentiles(_ golden: HistogramGolden.Case) throws {
        let histogram = golden.histogram()
        for percentile in golden.percentiles {
            // Of one rank both name the same bucket.
            let bucket = try #require(histogram.bucket(atRank: percentile.rank))
            let share = percentile.percent / 100
            #expect(percentile.value == (share == 0 ? bucket.values.lowerBound : bucket.values.upperBound))
            // Of a share both take the same rank where it is whole; else Python may round it down to the one before.
            let rank = nearestRank(share, among: golden.total)
            let exact = percentile.percent * Double(golden.total) / 100
            if golden.total < 1 << 50 {
                #expect(rank == percentile.rank || (exact != exact.rounded() && rank == percentile.rank + 1))
            }
            if rank == percentile.rank {
                #expect(histogram.value(at: share) == percentile.value, "\(percentile.percent) %")
            }
        }
    }

    @Test("most of the percentiles compared are of equal rank, so that the comparison is one")
    func comparisonIsOne() throws {
        let all = try HistogramGolden.shared.get().cases.flatMap { golden in
            golden.percentiles.map { nearestRank($0.percent / 100, among: golden.total) == $0.rank }
        }
        #expect(all.count { $0 } > 280 && all.count > 340)
    }

    @Test(
        "buckets are those of Python beside all their borders", arguments: try HistogramGolden.shared.get().equivalents)
    func equivalents(_ golden: HistogramGolden.Equivalents) throws {
        let shape = try #require(BucketShape(significantDigits: golden.digits, lowestDiscernible: golden.lowest))
        #expect(golden.values.count > 300)
        for fields in golden.values {
            #expect(shape.index(of: fields[0]) == Int(fields[1]), "\(fields)")
            #expect(shape.values(equivalentTo: fields[0]) == fields[2]...fields[3])
        }
    }

    @Test("what Python encodes is decoded to the same histogram", arguments: try HistogramGolden.shared.get().cases)
    func decoding(_ golden: HistogramGolden.Case) throws {
        guard let text = golden.base64 else { return }
        #expect(text.hasPrefix("HISTFAAA"))
        #expect(try Histogram(base64: text) == golden.histogram(fixed: false))
    }

    @Test("a small encoding that unfolds to a large one is refused as soon as it has too many buckets or bytes")
    func bombs() throws {
        let bombs = try HistogramGolden.shared.get().bombs
        #expect(bombs.count == 4)
        for bomb in bombs {
            #expect(bomb.utf8.count < 12_000)
            #expect { try Histogram(base64: bomb) } throws: { error in
                if case .damaged = error as? HistogramDecodingError { true } else { false }
            }
        }
    }

    /// The values that `Golden/ReferenceHistogram.java` records.
    private static var ofJava: Histogram {
        var histogram = Histogram(highest: 3_600_000_000_000)
        for k: Int64 in 0..<10_000 { histogram.record((k * k + 1) * 7) }
        histogram.record(5_000_000_123, correctedBy: 1_000_000_000)
        return histogram
    }

    @Test("the percentile text is that of the Java library, character for character")
    func percentileText() throws {
        #expect(try Self.ofJava.percentileText(unit: 1_000) == HistogramGolden.text("histogram.hgrm"))
    }

    @Test(
        "what the Java library encodes is decoded to the same histogram, and is, before compression, byte for byte ours"
    )
    func java() throws {
        let histogram = Self.ofJava
        var grown = Histogram()
        try grown.merge(histogram)
        let lines = try HistogramGolden.text("histogram.base64").split(separator: "\n")
        #expect(lines.count == 2)
        #expect(try Histogram(base64: lines[0]) == grown)
        #expect(try Histogram(base64: histogram.base64Encoding()) == grown)
        let plain = Array(try #require(Data(base64Encoded: String(lines[1]))))
        #expect(histogram.encoded() == plain)
        #expect(try Histogram(encoding: plain) == grown)
    }
}
