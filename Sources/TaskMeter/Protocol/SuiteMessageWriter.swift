import FoundationEssentials
import Glibc

/// Writes a suite's messages to the runner. Not thread-safe: the main thread alone speaks.
struct SuiteMessageWriter {
    /// The descriptor that the runner opened for it.
    static let descriptor: Int32 = 3

    func send(_ message: SuiteMessage) {
        // A message that cannot be encoded or sent has no reader any more: the runner notices by itself.
        guard var line = try? JSONEncoder().encode(message) else { return }
        line.append(UInt8(ascii: "\n"))
        var sent = 0
        while sent < line.count {
            let count = line.withUnsafeBytes { write(Self.descriptor, $0.baseAddress! + sent, $0.count - sent) }
            if count < 0, errno != EINTR { return }
            sent += max(count, 0)
        }
    }

    /// Whether a runner is listening at all.
    static var hasReader: Bool {
        var information = stat()
        return fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFIFO
    }
}
