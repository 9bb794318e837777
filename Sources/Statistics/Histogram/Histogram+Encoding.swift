import FoundationEssentials

/// Histograms as bytes in the V2 encoding of HdrHistogram (`AbstractHistogram.encodeIntoByteBuffer`). Big-endian:
///
/// | bytes | compressed |
/// | --- | --- |
/// | 4 | 0x1C849314 |
/// | 4 | length of what follows |
/// | … | a zlib stream of the plain encoding |
///
/// | bytes | plain |
/// | --- | --- |
/// | 4 | 0x1C849313 |
/// | 4 | length of the counts |
/// | 4 | offset of a rotated array of counts: 0. Counts are written in order whatever it is |
/// | 4 | significant digits |
/// | 8 | lowest discernible value |
/// | 8 | highest value |
/// | 8 | a Double by which values are to be multiplied: 1 |
/// | … | the counts from bucket 0 to the highest that is not empty: n for a count, −n for n > 1 empty buckets in a row |
///
/// A number of the counts is folded to have its sign in the lowest bit (0, −1, 1, −2 … are 0, 1, 2, 3 …), and written in
/// groups of seven bits, lowest first, each but the last with its highest bit set; a ninth byte holds eight bits.
///
/// Not in it: what was refused, and whether the range is fixed.
enum HistogramEncoding {
    static let plainCookie: UInt32 = 0x1C84_9303
    static let compressedCookie: UInt32 = 0x1C84_9304
    /// What else a cookie holds: the size of a count, which says “variable” with this.
    static let sizeBits: UInt32 = 0xF0
    static let variableSize: UInt32 = 0x10
    static let headerSize = 40
}

extension Histogram {
    /// The highest value of the range as others must know it: the fixed one, or where there is none that of the highest
    /// bucket in use; a range holds at least a doubling.
    var encodedHighest: Int64 { highest ?? max(maximum ?? 0, 2 * shape.lowestDiscernible) }

    /// The plain V2 encoding.
    package func encoded() -> [UInt8] {
        var payload: [UInt8] = []
        let end = counts.lastIndex { $0 > 0 }.map { $0 + 1 } ?? 0
        var index = 0
        while index < end {
            let next = counts[index..<end].firstIndex { $0 > 0 }!  // the last one is not empty
            let empty = next - index
            if empty > 0 { payload.appendFolded(empty == 1 ? 0 : -empty) }
            payload.appendFolded(counts[next])
            index = next + 1
        }
        if end == 0 { payload.appendFolded(0) }  // as Java does: some readers want at least one

        var bytes: [UInt8] = []
        bytes.reserveCapacity(HistogramEncoding.headerSize + payload.count)
        bytes.appendBigEndian(HistogramEncoding.plainCookie | HistogramEncoding.variableSize)
        bytes.appendBigEndian(UInt32(payload.count))  // at most 9 bytes for each of 6 million buckets
        bytes.appendBigEndian(UInt32(0))
        bytes.appendBigEndian(UInt32(shape.significantDigits))
        bytes.appendBigEndian(shape.lowestDiscernible)
        bytes.appendBigEndian(encodedHighest)
        bytes.appendBigEndian((1.0).bitPattern)
        bytes += payload
        return bytes
    }

    /// The compressed V2 encoding. Its bytes may differ between versions of zlib; what they hold does not.
    package func compressedEncoding() -> [UInt8] {
        let stream = Zlib.compressed(encoded())
        var bytes: [UInt8] = []
        bytes.appendBigEndian(HistogramEncoding.compressedCookie | HistogramEncoding.variableSize)
        bytes.appendBigEndian(UInt32(stream.count))
        return bytes + stream
    }

    /// The compressed V2 encoding as text (Base64, RFC 4648), as histogram logs hold it: `HISTFAAA…`.
    package func base64Encoding() -> String { Data(compressedEncoding()).base64EncodedString() }
}

extension [UInt8] {
    fileprivate mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends a number of the counts: its sign folded into the lowest bit, in groups of seven bits.
    fileprivate mutating func appendFolded(_ value: Int) {
        var rest = UInt64(bitPattern: Int64(value << 1 ^ value >> 63))
        for _ in 0..<8 {
            if rest < 0x80 { return append(UInt8(rest)) }
            append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
