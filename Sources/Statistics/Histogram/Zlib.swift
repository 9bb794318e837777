import CZlib

/// zlib streams (RFC 1950) to and from bytes in memory.
enum Zlib {
    /// Why a stream cannot be read.
    enum Failure: Error {
        case truncated
        /// Bytes follow the end of the stream.
        case trailingBytes
        /// It is no zlib stream, or its check sum is wrong, or there is no memory; with zlib's number for it.
        case unreadable(code: Int32)
    }

    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: Int(compressBound(uLong(bytes.count))))
        var count = uLong(result.count)
        let code = compress(&result, &count, bytes, uLong(bytes.count))
        precondition(code == Z_OK, "zlib has no memory")  // its only failure when there is room for the result
        result.removeSubrange(Int(count)...)
        return result
    }

    /// Reads a stream piece by piece, so that a small one that unfolds into gigabytes takes no memory: who receives the
    /// pieces decides when it is enough, and throws.
    static func decompress(
        _ bytes: [UInt8], _ receive: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        // zlib keeps a pointer to its stream, which therefore must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        var code = inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw Failure.unreadable(code: code) }
        defer { inflateEnd(stream) }

        var input = bytes  // zlib's type wants it mutable
        try input.withUnsafeMutableBufferPointer { input in
            try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16_384) { piece in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = uInt(input.count)
                repeat {
                    stream.pointee.next_out = piece.baseAddress
                    stream.pointee.avail_out = uInt(piece.count)
                    code = inflate(stream, Z_NO_FLUSH)
                    guard code == Z_OK || code == Z_STREAM_END else {
                        throw code == Z_BUF_ERROR ? Failure.truncated : Failure.unreadable(code: code)
                    }
                    try receive(UnsafeBufferPointer(rebasing: piece[..<(piece.count - Int(stream.pointee.avail_out))]))
                } while code != Z_STREAM_END
                guard stream.pointee.avail_in == 0 else { throw Failure.trailingBytes }
            }
        }
    }
}
