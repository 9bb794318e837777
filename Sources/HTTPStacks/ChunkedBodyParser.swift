/// Takes a body out of its chunked coding, whatever pieces it comes in (RFC 9112, 7.1).
///
/// ```
/// size ─(hex digits)─▶ sizeEnd ─(LF)─▶ data ─(all of it)─▶ dataEnd ─(CR LF)─▶ size
///                         └───(LF, size 0)─▶ trailer ─(empty line)─▶ done
/// ```
package struct ChunkedBodyParser: Sendable {
    private enum Place { case size, sizeEnd, data, dataEnd, trailer, done }

    private var place = Place.size
    /// Of the chunk: its size while it is read, then what is still to come.
    private var left = 0
    private var digits = 0
    /// Bytes of the current line of the trailer, without CR.
    private var lineLength = 0
    private var trailerBytes = 0

    /// More digits than this announce more bytes than an `Int` counts.
    private static let mostDigits = 15
    /// Of all lines after the last chunk, and of extensions of one size.
    private static let mostOtherBytes = 65_536

    package init() {}

    /// Whether the body has ended.
    package var isDone: Bool { place == .done }

    /// Reads on; returns how many of the bytes belong to the coded body.
    ///
    /// - Parameter piece: called with each run of the body's own bytes.
    // hot path: no allocation, no lock, no call that can block
    package mutating func consume(
        _ bytes: UnsafeRawBufferPointer, _ piece: (UnsafeRawBufferPointer) throws(RequestFailure) -> Void
    ) throws(RequestFailure) -> Int {
        var index = 0
        while index < bytes.count, place != .done {
            if place == .data {
                let count = min(left, bytes.count - index)
                try piece(UnsafeRawBufferPointer(rebasing: bytes[index..<(index + count)]))
                index += count
                left -= count
                if left == 0 { place = .dataEnd }
                continue
            }
            try step(bytes[index])
            index += 1
        }
        return index
    }

    private mutating func step(_ byte: UInt8) throws(RequestFailure) {
        switch (place, byte) {
        case (.size, _):
            if let digit = byte.hexadecimal {
                guard digits < Self.mostDigits else { throw .malformedChunk }
                (left, digits) = (left * 16 + digit, digits + 1)
            } else {
                guard digits > 0, byte.isBlank || byte == UInt8(ascii: ";") || byte.isReturnOrFeed else {
                    throw .malformedChunk
                }
                place = .sizeEnd
                lineLength = 0
                try step(byte)
            }
        case (.sizeEnd, UInt8(ascii: "\n")):
            place = left == 0 ? .trailer : .data
            (digits, lineLength) = (0, 0)
        case (.sizeEnd, _):
            lineLength += 1
            guard lineLength < Self.mostOtherBytes else { throw .malformedChunk }
        case (.dataEnd, UInt8(ascii: "\r")): break
        case (.dataEnd, UInt8(ascii: "\n")): place = .size
        case (.trailer, UInt8(ascii: "\n")):
            if lineLength == 0 { place = .done }
            lineLength = 0
        case (.trailer, UInt8(ascii: "\r")): break
        case (.trailer, _):
            (lineLength, trailerBytes) = (lineLength + 1, trailerBytes + 1)
            guard trailerBytes < Self.mostOtherBytes else { throw .malformedChunk }
        default: throw .malformedChunk
        }
    }
}

extension RequestFailure {
    fileprivate static let malformedChunk = RequestFailure(.protocol, "a chunk of the body is malformed")
}

extension UInt8 {
    fileprivate var isReturnOrFeed: Bool { self == UInt8(ascii: "\r") || self == UInt8(ascii: "\n") }

    fileprivate var hexadecimal: Int? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(self - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(self - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
