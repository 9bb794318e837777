import FoundationEssentials
import Glibc

/// The text of an `errno`.
package func errnoText(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }

/// A file that is only appended to, through a buffer of our own.
///
/// Not thread-safe: one owner at a time. The buffer is raw memory, for an array would check at each byte that it is its
/// only owner: rows of numbers are written several times as fast.
package final class AppendingFile {
    package let path: String
    private let descriptor: Int32
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity = flushAt + 4096
    private var used = 0

    private static let flushAt = 1 << 20

    /// Creates the file, or empties it.
    package init(creating path: String) throws(ResultsError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: errnoText()) }
        buffer = .allocate(capacity: capacity)
    }

    deinit {
        buffer.deallocate()
        close(descriptor)
    }

    @inline(__always)
    package func append(byte: UInt8) {
        makeRoom(1)
        buffer[used] = byte
        used += 1
    }

    @inline(__always)
    package func append(_ bytes: [UInt8]) {
        makeRoom(bytes.count)
        bytes.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            (buffer + used).update(from: start, count: source.count)
        }
        used += bytes.count
    }

    package func append(_ text: String) { append(Array(text.utf8)) }

    /// Appends a whole number in decimal digits.
    @inline(__always)
    package func append(_ number: Int64) {
        // 19 digits hold every 64-bit magnitude, and one more place the sign.
        makeRoom(20)
        if number < 0 {
            buffer[used] = UInt8(ascii: "-")
            used += 1
        }
        var rest = number.magnitude
        let digits = decimalDigits(of: rest)
        var place = used + digits
        used = place
        // Two digits a division.
        while rest >= 100 {
            let pair = Int(rest % 100)
            rest /= 100
            place -= 2
            buffer[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair / 10)
            buffer[place + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair % 10)
        }
        if rest >= 10 {
            buffer[place - 2] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / 10)
        }
        buffer[place - 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
    }

    /// Writes out the buffer when it is full; call it between rows, so that a kill leaves whole rows.
    @inline(__always)
    package func flushIfFull() throws(ResultsError) {
        if used >= Self.flushAt { try flush() }
    }

    package func flush() throws(ResultsError) {
        var written = 0
        while written < used {
            let count = write(descriptor, buffer + written, used - written)
            if count < 0 {
                if errno == EINTR { continue }
                throw .cannotWrite(path: path, reason: errnoText())
            }
            written += count
        }
        used = 0
    }

    @inline(__always)
    private func makeRoom(_ bytes: Int) {
        if capacity - used < bytes { grow(bytes) }
    }

    @inline(never)
    private func grow(_ bytes: Int) {
        let larger = max(capacity * 2, used + bytes)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memory.update(from: buffer, count: used)
        buffer.deallocate()
        buffer = memory
        capacity = larger
    }
}

/// How many decimal digits a number has; 1 for zero.
@inline(__always)
private func decimalDigits(of number: UInt64) -> Int {
    var digits = 1
    var rest = number
    while rest >= 10_000 {
        rest /= 10_000
        digits += 4
    }
    return digits + (rest >= 1_000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
}

/// Makes a folder, if it is not there.
package func makeFolder(_ path: String) throws(ResultsError) {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .cannotWrite(path: path, reason: errnoText()) }
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
