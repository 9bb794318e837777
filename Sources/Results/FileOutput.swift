import FoundationEssentials
import Glibc

/// The text of an `errno`.
package func errnoText(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }

/// A file that is only appended to, through a buffer of our own.
///
/// Not thread-safe: one owner at a time.
package final class AppendingFile {
    package let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 20

    /// Creates the file, or empties it.
    package init(creating path: String) throws(ResultsError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: errnoText()) }
        buffer.reserveCapacity(Self.capacity + 4096)
    }

    deinit { close(descriptor) }

    @inline(__always)
    package func append(byte: UInt8) { buffer.append(byte) }

    @inline(__always)
    package func append(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

    package func append(_ text: String) { buffer.append(contentsOf: text.utf8) }

    /// Appends a whole number in decimal digits.
    @inline(__always)
    package func append(_ number: Int64) {
        var magnitude = number.magnitude
        if number < 0 { buffer.append(UInt8(ascii: "-")) }
        // 20 digits hold every 64-bit magnitude; filled from the end.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var first = 20
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10)
                magnitude /= 10
            } while magnitude > 0
            buffer.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first..<20]))
        }
    }

    /// Writes out the buffer when it is full; call it between rows, so that a kill leaves whole rows.
    package func flushIfFull() throws(ResultsError) {
        if buffer.count >= Self.capacity { try flush() }
    }

    package func flush() throws(ResultsError) {
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .cannotWrite(path: path, reason: errnoText())
            }
            written += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Writes a file beside its place and renames it into it, so that a reader sees the old content or the new, never a part.
package func writeAtomically(_ bytes: some Collection<UInt8>, to path: String) throws(ResultsError) {
    let beside = path + ".part"
    let file = try AppendingFile(creating: beside)
    file.append(Array(bytes))
    do {
        try file.flush()
    } catch {
        unlink(beside)
        throw error
    }
    guard rename(beside, path) == 0 else {
        let reason = errnoText()
        unlink(beside)
        throw .cannotWrite(path: path, reason: reason)
    }
}

/// The size of a file in bytes, or nil when there is none.
package func fileSize(_ path: String) -> Int64? {
    var information = stat()
    return stat(path, &information) == 0 ? Int64(information.st_size) : nil
}
