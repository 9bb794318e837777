import FoundationEssentials
import Statistics
import Testing

@Suite struct HistogramEncodingTests {
    /// A plain encoding with any header.
    private func plain(
        cookie: UInt32 = 0x1C84_9313, length: UInt32? = nil, offset: UInt32 = 0, digits: UInt32 = 3, lowest: Int64 = 1,
        highest: Int64 = 3_600_000_000_000, ratio: UInt64 = (1.0).bitPattern, counts: [UInt8]
    ) -> [UInt8] {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
            Swift.withUnsafeBytes(of: value.bigEndian) { Array($0) }
        }
        return bytes(cookie) + bytes(length ?? UInt32(counts.count)) + bytes(offset) + bytes(digits) + bytes(lowest)
            + bytes(highest) + bytes(ratio) + counts
    }

    private func refusal(of bytes: [UInt8]) -> HistogramDecodingError? {
        do {
            _ = try Histogram(encoding: bytes)
            return nil
        } catch { return error }
    }

    private func isDamaged(_ bytes: [UInt8]) -> Bool {
        if case .damaged = refusal(of: bytes) { true } else { false }
    }

    private func isUnsupported(_ bytes: [UInt8]) -> Bool {
        if case .unsupported = refusal(of: bytes) { true } else { false }
    }

    @Test("decoding an encoding gives the histogram back, compressed, plain and as text", arguments: 1...5)
    func roundTrip(_ digits: Int) throws {
        for (lowest, count, bits) in [(1, 0, 1), (1, 1, 1), (1, 1, 63), (1, 2_000, 20), (1_000, 500, 63)]
            as [(Int64, Int, UInt64)]
        {
            let values = valuesOfAllMagnitudes(seed: UInt64(count), count: count, bits: bits)
            let histogram = Histogram(of: values, significantDigits: digits, lowestDiscernible: lowest)
            #expect(try Histogram(encoding: histogram.encoded()) == histogram)
            #expect(try Histogram(encoding: histogram.compressedEncoding()) == histogram)
            let text = histogram.base64Encoding()
            #expect(text.hasPrefix("HISTFAAA"))
            #expect(try Histogram(base64: text) == histogram)
        }
    }

    @Test("counts of every length are written and read, and so are runs of empty buckets")
    func numbers() throws {
        var histogram = Histogram()
        for bit in 0..<62 {
            histogram.record(Int64(1) << bit, count: 1 << bit)
            histogram.record(Int64(3) << (bit - 1), count: bit < 60 ? (1 << bit) - 1 : 0)
        }
        #expect(try Histogram(encoding: histogram.encoded()) == histogram)
        #expect(try Histogram(encoding: histogram.compressedEncoding()) == histogram)
    }

    @Test(
        "the counts are written as the format says",
        arguments: [
            ([], [0x00]),  // nothing: one empty bucket
            ([(0, 1)], [0x02]),
            ([(1, 1)], [0x00, 0x02]),  // one empty bucket is a 0
            ([(2, 1)], [0x03, 0x02]),  // two are −2
            ([(0, 63), (1, 64)], [0x7E, 0x80, 0x01]),
            ([(0, .max)], [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),  // the ninth byte holds eight bits
        ] as [([(Int64, Int)], [UInt8])])
    func bytes(_ values: [(Int64, Int)], _ counts: [UInt8]) throws {
        var histogram = Histogram()
        for (value, count) in values { histogram.record(value, count: count) }
        #expect(histogram.encoded() == plain(highest: max(histogram.maximum ?? 0, 2), counts: counts))
        #expect(try Histogram(encoding: histogram.encoded()) == histogram)
    }

    @Test("what other writers do differently and mean alike is read")
    func dialects() throws {
        let histogram = Histogram(of: [0, 3])
        let counts: [UInt8] = [0x02, 0x03, 0x02]
        // JavaScript: an offset of 1, and a whole 1 for the ratio.
        #expect(try Histogram(encoding: plain(offset: 1, ratio: 1, counts: counts)) == histogram)
        // Empty buckets one by one, or after the last; none at all; a cookie without the size of a count.
        #expect(try Histogram(encoding: plain(counts: [0x02, 0x00, 0x00, 0x02, 0x00, 0x0D])) == histogram)
        #expect(try Histogram(encoding: plain(counts: [])) == Histogram())
        #expect(try Histogram(encoding: plain(cookie: 0x1C84_9303, counts: counts)) == histogram)
    }

    @Test(
        "other encodings are refused by name",
        arguments: [
            (0x1C84_9301, "V1"), (0x1C84_9342, "V1"), (0x1C84_9308, "V0"), (0x1C84_9389, "V0"),
            (0x0C72_124E, "DoubleHistogram"), (0x0C72_124F, "DoubleHistogram"),
        ] as [(UInt32, String)])
    func otherEncodings(_ cookie: UInt32, _ name: String) throws {
        let bytes = plain(cookie: cookie, counts: [0x02])
        let sentence = try #require(refusal(of: bytes)).description
        #expect(isUnsupported(bytes) && sentence.contains(name) && sentence.contains("V2"))
    }

    @Test("a ratio that would change values is refused by name, and what is no number too")
    func ratios() {
        for ratio in [0.5, 2, 0, -1, .nan, .infinity] {
            #expect(isUnsupported(plain(ratio: ratio.bitPattern, counts: [0x02])), "\(ratio)")
        }
    }

    @Test("what is no histogram is called so")
    func strangers() {
        for bytes: [UInt8] in [
            [], [0x1C], [0x1C, 0x84, 0x93], Array("HISTFAAA".utf8), Array(repeating: 0, count: 100),
        ] {
            #expect(refusal(of: bytes) == .notAHistogram)
        }
        for text in ["", "=", "HISTFAAA=", "HISTFAAAA", "no histogram", "HIST\nFAAA"] {
            #expect(throws: HistogramDecodingError.self) { try Histogram(base64: text) }
        }
        #expect(throws: HistogramDecodingError.notBase64) { try Histogram(base64: "HISTFAAA…") }
    }

    @Test("headers that no histogram has are damaged")
    func headers() {
        let ranges: [(UInt32, Int64, Int64)] = [
            (0, 1, 100), (6, 1, 100), (.max, 1, 100), (3, 0, 100), (3, -1, 100), (3, 1, 1), (3, 1, 0), (3, 1, -1),
            (3, .max, .max), (3, 1 << 52, .max), (3, .min, .min), (3, 100, 199),
        ]
        for (digits, lowest, highest) in ranges {
            #expect(
                isDamaged(plain(digits: digits, lowest: lowest, highest: highest, counts: [0x02])),
                "\(digits) digits from \(lowest) to \(highest)")
        }
    }

    @Test("counts that are absurd are damaged, and take no memory")
    func absurdCounts() {
        let full: [UInt8] = Array(repeating: 0xFF, count: 8)
        let absurd: [[UInt8]] = [
            full + [0xFF],  // a run of 2⁶³ empty buckets
            [0xFD, 0xFF, 0xFF, 0xFF, 0x0F, 0x02],  // a run of two billion
            [0xFE] + full + [0x02],  // the largest count, and one more value
            Array(repeating: 0x02, count: 3_073),  // one bucket more than a range up to 3,000 has
            Array(repeating: 0x00, count: 3_073),
            [0x02, 0xFF, 0x2F, 0x02],  // a run of 3,072 after the first
        ]
        for (index, counts) in absurd.enumerated() {
            #expect(isDamaged(plain(highest: 3_000, counts: counts)), "\(index)")
        }
        #expect(refusal(of: plain(highest: 3_000, counts: Array(repeating: 0x02, count: 3_072))) == nil)
        #expect(refusal(of: plain(highest: 3_000, counts: [0x02, 0xFD, 0x2F])) == nil)
    }

    @Test("lengths that lie are damaged")
    func lengths() {
        let counts: [UInt8] = [0x02, 0x03, 0x02]
        for length: UInt32 in [0, 1, 2, 4, 1_000, 0x7FFF_FFFF, .max] {
            #expect(isDamaged(plain(length: length, counts: counts)), "\(length)")
        }
        var compressed = Histogram(of: [1, 2, 3]).compressedEncoding()
        compressed.append(0)
        #expect(isDamaged(compressed))
    }

    @Test("an encoding that is cut anywhere is an error")
    func cut() {
        let histogram = Histogram(of: valuesOfAllMagnitudes(seed: 1, count: 300))
        for bytes in [histogram.encoded(), histogram.compressedEncoding()] {
            for end in bytes.indices { #expect(refusal(of: Array(bytes[..<end])) != nil, "\(end) of \(bytes.count)") }
        }
        // … also when its length is made to fit.
        let compressed = histogram.compressedEncoding()
        for end in 8..<compressed.count {
            var bytes = Array(compressed[..<end])
            Swift.withUnsafeBytes(of: UInt32(end - 8).bigEndian) { bytes.replaceSubrange(4..<8, with: $0) }
            #expect(refusal(of: bytes) != nil)
        }
    }

    @Test("a compressed encoding of which one bit is wrong is an error, for it has a check sum")
    func flipped() {
        let histogram = Histogram(of: valuesOfAllMagnitudes(seed: 1, count: 50))
        let compressed = histogram.compressedEncoding()
        for place in 8..<compressed.count {
            for bit in 0..<8 {
                var bytes = compressed
                bytes[place] ^= 1 << UInt8(bit)
                // But for bits that no reader looks at, such as a hint at the level of compression.
                if let read = try? Histogram(encoding: bytes) {
                    #expect(read == histogram, "bit \(bit) of byte \(place)")
                }
            }
        }
    }

    @Test("random bytes behind a true beginning are read or refused, and nothing worse")
    func noise() {
        var random = SplitMix64(seed: 5)
        for digits: UInt32 in 1...5 {
            for _ in 0..<2_000 {
                let counts = (0..<random.next(below: 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                let highest = Int64(2 + random.next(below: 100_000))
                guard let histogram = try? Histogram(encoding: plain(digits: digits, highest: highest, counts: counts))
                else {
                    continue
                }
                #expect(histogram.totalCount == histogram.buckets.reduce(0) { $0 + $1.count })
            }
        }
    }
}

/// Logs of other people, where they are at hand.
@Suite struct HistogramCasesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/cases/hdr").standardized

    private static func lines(_ name: String) -> [Substring]? {
        (try? String(contentsOf: folder.appending(path: name), encoding: .utf8))?
            .split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix("\"") }
    }

    private func histograms(_ lines: [Substring]) throws -> [Histogram] {
        try lines.map { try Histogram(base64: $0.split(separator: ",").last ?? "") }
    }

    @Test(
        "jHiccup's log has the intervals, the values and the percentile that the Java library reads",
        .enabled(if: lines("jHiccup-2.0.7S.logV2.hlog") != nil))
    func hiccups() throws {
        let intervals = try histograms(#require(Self.lines("jHiccup-2.0.7S.logV2.hlog")))
        var all = try #require(intervals.first)
        for interval in intervals.dropFirst() { try all.merge(interval) }
        #expect(intervals.count == 62 && all.totalCount == 48_761)
        #expect(all.value(at: 0.999) == 1_753_219_071 && all.maximum == 1_803_550_719)

        // Java's own test adds these histograms of 2 digits to one of 3, and so takes every value for the lowest of its bucket.
        var finer = Histogram()
        for bucket in intervals.flatMap({ Array($0.buckets) }) {
            finer.record(bucket.values.lowerBound, count: bucket.count)
        }
        #expect(finer.totalCount == 48_761)
        #expect(finer.value(at: 0.999) == 1_745_879_039 && finer.maximum == 1_796_210_687)
    }

    @Test(
        "a log with tags has the same intervals with and without a tag",
        .enabled(if: lines("tagged-Log.logV2.hlog") != nil))
    func tagged() throws {
        let lines = try #require(Self.lines("tagged-Log.logV2.hlog"))
        #expect(try histograms(lines).count == 42)
        let tagged = try histograms(lines.filter { $0.hasPrefix("Tag=A") })
        #expect(try tagged == histograms(lines.filter { !$0.hasPrefix("Tag=A") }))
    }

    @Test("a broken payload is an error", .enabled(if: lines("tagged_invalid_histogram.txt") != nil))
    func broken() throws {
        let lines = try #require(Self.lines("tagged_invalid_histogram.txt"))
        #expect(throws: HistogramDecodingError.self) { try histograms(lines) }
    }

    @Test("a log in the V0 encoding is refused by name", .enabled(if: lines("jHiccup-2.0.1.logV0.hlog") != nil))
    func old() throws {
        let lines = try #require(Self.lines("jHiccup-2.0.1.logV0.hlog"))
        #expect(throws: HistogramDecodingError.unsupported("in the V0 encoding")) { try histograms(lines) }
    }
}
