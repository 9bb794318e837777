import Glibc
import Results

/// The file that takes what suites print themselves, all trials one after the other.
final class SuiteLog {
    let descriptor: Int32
    private let path: String
    private var start: Int64 = 0

    init(creating path: String) throws(ResultsError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: errnoText()) }
    }

    deinit { close(descriptor) }

    /// Writes a line that tells whose output follows.
    func begin(_ trial: Int, _ benchmark: BenchmarkID) {
        let line = Array("=== trial \(trial) of \(benchmark)\n".utf8)
        _ = write(descriptor, line, line.count)
        start = fileSize(path) ?? 0
    }

    /// The end of what the trial at hand printed; see `lastLines`.
    func tail() -> String {
        let end = fileSize(path) ?? 0
        let first = max(start, end - 65_536)
        guard end > first else { return "" }
        var bytes = [UInt8](repeating: 0, count: Int(end - first))
        let count = pread(descriptor, &bytes, bytes.count, off_t(first))
        guard count > 0 else { return "" }
        return Self.lastLines(of: bytes[..<count])
    }

    /// The last lines of what a program printed, in one of at most 300 characters; empty when it printed nothing.
    ///
    /// When Swift's runtime has appended a backtrace, it is what was printed before that: the message of the crash.
    static func lastLines(of bytes: some Collection<UInt8>) -> String {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let message = lines.prefix { !$0.hasPrefix("*** ") }
        let text = (message.isEmpty ? lines[...] : message).suffix(5).joined(separator: " ⏎ ")
        let printable = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
        return String(String(printable).trimmingSpaces().suffix(300))
    }
}

extension String {
    fileprivate func trimmingSpaces() -> Substring {
        let tail = drop { $0 == " " }
        return tail.prefix(tail.count - tail.reversed().prefix { $0 == " " }.count)
    }
}
