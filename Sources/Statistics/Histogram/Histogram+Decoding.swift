import FoundationEssentials

/// Why bytes or a text are not read as a histogram.
package enum HistogramDecodingError: Error, Hashable, CustomStringConvertible {
    case notBase64
    /// They do not begin like any histogram.
    case notAHistogram
    /// They are a histogram in an encoding, or with a feature, that is not read here.
    case unsupported(String)
    /// They begin like a histogram and are damaged.
    case damaged(String)

    package var description: String {
        switch self {
        case .notBase64: "not a histogram: the text is not Base64; give the last field of a histogram log's line, whole"
        case .notAHistogram: "not a histogram: it does not begin with the cookie of any HdrHistogram encoding"
        case .unsupported(let what):
            "a histogram \(what), which is not read; write it anew in the V2 encoding with a current HdrHistogram library"
        case .damaged(let detail): "a damaged histogram: \(detail); copy it again, whole"
        }
    }
}

extension Histogram {
    /// Reads the compressed V2 encoding from its Base64 text.
    package init(base64 text: some StringProtocol) throws(HistogramDecodingError) {
        guard let data = Data(base64Encoded: String(text)) else { throw .notBase64 }
        try self.init(encoding: Array(data))
    }

    /// Reads the V2 encoding, compressed or plain (see `HistogramEncoding`).
    ///
    /// Its range is not fixed, whatever the writer's was: the encoding does not tell the two apart. It has no refusals.
    ///
    /// The bytes may come from anywhere, and what they claim is not believed. Memory is taken only for buckets up to the
    /// highest that has a count, and for no more than the range in the header has: 432 KiB at most for 3 digits, 47 MiB
    /// for 5.
    package init(encoding bytes: [UInt8]) throws(HistogramDecodingError) {
        var reader = BigEndianReader(bytes: bytes[...])
        guard let cookie = reader.next(UInt32.self) else { throw .notAHistogram }
        switch cookie & ~HistogramEncoding.sizeBits {
        case HistogramEncoding.plainCookie:
            var decoder = HistogramDecoder()
            for byte in bytes { try decoder.read(byte) }
            self = try decoder.finished()
        case HistogramEncoding.compressedCookie:
            guard let length = reader.next(UInt32.self) else { throw .damaged("it ends within its header") }
            guard length == reader.bytes.count else {
                throw .damaged("its header announces \(length) bytes, and \(reader.bytes.count) follow")
            }
            self = try Self.decompressed(Array(reader.bytes))
        case 0x1C84_9301, 0x1C84_9302: throw .unsupported("in the V1 encoding")
        case 0x1C84_9308, 0x1C84_9309: throw .unsupported("in the V0 encoding")
        case 0x0C72_124E & ~HistogramEncoding.sizeBits, 0x0C72_124F & ~HistogramEncoding.sizeBits:
            throw .unsupported("of floating-point values (DoubleHistogram)")
        default: throw .notAHistogram
        }
    }

    private static func decompressed(_ stream: [UInt8]) throws(HistogramDecodingError) -> Histogram {
        var decoder = HistogramDecoder()
        do {
            try Zlib.decompress(stream) { for byte in $0 { try decoder.read(byte) } }
        } catch let error as HistogramDecodingError {
            throw error
        } catch Zlib.Failure.truncated {
            throw .damaged("its compressed stream ends too early")
        } catch Zlib.Failure.trailingBytes {
            throw .damaged("bytes follow its compressed stream")
        } catch {
            throw .damaged("its compressed stream cannot be read (\(error))")
        }
        return try decoder.finished()
    }
}

/// Reads the plain encoding byte by byte.
private struct HistogramDecoder {
    private var header: [UInt8] = []
    private var histogram: Histogram?
    /// How many bytes of counts are still to come.
    private var remaining = 0
    /// How many buckets the range in the header has.
    private var limit = 0
    /// The bucket that the next number is about.
    private var index = 0
    /// The number that is being read, and how many bits of it are.
    private var number: UInt64 = 0
    private var bits: UInt64 = 0

    mutating func read(_ byte: UInt8) throws(HistogramDecodingError) {
        guard histogram != nil else {
            header.append(byte)
            if header.count == HistogramEncoding.headerSize { try readHeader() }
            return
        }
        guard remaining > 0 else { throw .damaged("bytes follow its counts") }
        remaining -= 1
        number |= UInt64(bits < 56 ? byte & 0x7F : byte) << bits
        if byte & 0x80 != 0, bits < 56 {
            bits += 7
        } else {
            try take(Int(bitPattern: UInt(number >> 1)) ^ -Int(number & 1))
            (number, bits) = (0, 0)
        }
    }

    /// The histogram, when all of it was read.
    func finished() throws(HistogramDecodingError) -> Histogram {
        guard let histogram else { throw .damaged("it ends within its header") }
        guard remaining == 0, bits == 0 else { throw .damaged("it ends within its counts") }
        return histogram
    }

    private mutating func readHeader() throws(HistogramDecodingError) {
        var reader = BigEndianReader(bytes: header[...])
        guard let cookie = reader.next(UInt32.self), let length = reader.next(UInt32.self),
            reader.next(UInt32.self) != nil,  // the offset of a rotated array, which the order of counts does not have
            let digits = reader.next(UInt32.self), let lowest = reader.next(Int64.self),
            let highest = reader.next(Int64.self), let ratio = reader.next(UInt64.self)
        else { throw .damaged("it ends within its header") }
        guard cookie & ~HistogramEncoding.sizeBits == HistogramEncoding.plainCookie else {
            throw .damaged("its compressed stream does not hold a histogram in the V2 encoding")
        }
        // The JavaScript library writes a whole 1 here, where a Double belongs, and means the same.
        guard ratio == (1.0).bitPattern || ratio == 1 else {
            throw .unsupported("whose values are to be multiplied by \(Double(bitPattern: ratio))")
        }
        guard let shape = BucketShape(significantDigits: Int(digits), lowestDiscernible: lowest), highest / 2 >= lowest
        else { throw .damaged("there are no \(digits) digits for values from \(lowest) to \(highest)") }
        histogram = Histogram(shape: shape, highest: nil)
        remaining = Int(length)
        limit = shape.buckets(ofLevels: shape.levels(upTo: highest))
    }

    /// Takes a count for the next bucket, or a number of empty ones.
    private mutating func take(_ number: Int) throws(HistogramDecodingError) {
        let buckets = number < 0 ? number.magnitude : 1
        guard buckets <= limit - index else { throw .damaged("it has counts beyond its range") }
        if number > 0, let value = histogram?.shape.lowestValue(at: index),
            histogram?.record(value, count: number) == false
        {
            throw .damaged("it has more than \(Int.max) values")
        }
        index += Int(buckets)
    }
}

/// Takes whole numbers from the front of bytes.
private struct BigEndianReader {
    var bytes: ArraySlice<UInt8>

    /// Nil when too few are left.
    mutating func next<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
        let size = Value.bitWidth / 8
        guard bytes.count >= size else { return nil }
        defer { bytes.removeFirst(size) }
        return bytes.prefix(size).reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }
}
