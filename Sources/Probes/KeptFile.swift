import Glibc
import Results

/// A small file of the kernel that is kept open and read again and again: opening costs more than reading.
///
/// Not thread-safe: one owner at a time.
final class KeptFile {
    let path: String
    private let root: String
    private var descriptor: Int32 = -1

    /// What refused to be opened or read.
    struct Refusal: Error, Hashable {
        var path: String
        var number: Int32
        var text: String { "\(path): \(errnoText(number))" }
    }

    init(_ path: String, in files: KernelFiles) {
        self.path = path
        root = files.root
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Its first 4 KiB at this moment. After a failure it is opened anew at the next read: a zone that vanished with its
    /// processor comes back as another file of the same name.
    func read<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Swift.Result<Result, Refusal> {
        if descriptor < 0 { descriptor = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return .failure(Refusal(path: path, number: errno)) }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            var count: Int
            repeat { count = pread(descriptor, buffer.baseAddress, buffer.count, 0) } while count < 0 && errno == EINTR
            guard count >= 0 else {
                let number = errno
                close(descriptor)
                descriptor = -1
                return .failure(Refusal(path: path, number: number))
            }
            return .success(body(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
        }
    }

    func text() -> Swift.Result<String, Refusal> { read { trimmed(String(decoding: $0, as: UTF8.self)) } }

    /// The whole number that it holds; `success(nil)` when it holds something else.
    func number() -> Swift.Result<UInt64?, Refusal> { read(decimalNumber) }
}

/// The number written in decimal digits at the beginning of a text, ended by a line end or by the text's end.
func decimalNumber(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    var value: UInt64 = 0
    var digits = 0
    for byte in bytes {
        if byte == UInt8(ascii: "\n") || byte == 0 { break }
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        let (product, overflows) = value.multipliedReportingOverflow(by: 10)
        let (sum, overflowsToo) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
        guard !overflows, !overflowsToo else { return nil }
        value = sum
        digits += 1
    }
    return digits > 0 ? value : nil
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
