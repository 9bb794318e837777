import Glibc
import Results

/// A small file of the kernel that is kept open, so that reading it costs about a microsecond and not ten.
///
/// Not thread-safe: one owner at a time.
final class OpenKernelFile {
    let path: String
    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer
    /// Why there is none; nil when it is open.
    let refusal: String?

    init(_ path: String, capacity: Int = 4096) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        refusal = descriptor < 0 ? "\(path): \(errnoText())" : nil
        buffer = .allocate(byteCount: capacity, alignment: 1)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        buffer.deallocate()
    }

    /// What stands in the file now; empty when it cannot be read.
    // hot path: no allocation, no lock, no call that can block
    func read() -> UnsafeRawBufferPointer {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
        return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<max(count, 0)])
    }
}

extension UnsafeRawBufferPointer {
    /// The whole number without a sign that stands at a place among others, whatever else separates them; nil when there are fewer.
    // hot path: no allocation, no lock, no call that can block
    func number(at place: Int) -> Int64? {
        var index = startIndex
        var current = 0
        while index < endIndex {
            while index < endIndex, !isDigit(self[index]) { index += 1 }
            guard index < endIndex else { return nil }
            var value: Int64 = 0
            while index < endIndex, isDigit(self[index]) {
                value = value &* 10 &+ Int64(self[index] &- UInt8(ascii: "0"))
                index += 1
            }
            if current == place { return value }
            current += 1
        }
        return nil
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
}
