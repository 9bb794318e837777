import Glibc
import Synchronization

/// The streams of the process as people see them: results go to standard output, everything else to standard error.
package enum Console {
    package enum Stream: Int32, Sendable {
        case output = 1
        case error = 2
    }

    /// Writes a text whole. A reader that went away is no error: there is nobody left to tell. Any other failure is kept
    /// for `failure`.
    package static func write(_ text: String, to stream: Stream = .output) {
        var bytes = text
        bytes.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(stream.rawValue, bytes.baseAddress! + written, bytes.count - written)
                if count < 0, errno != EINTR {
                    let reason = errno
                    if stream == .output, reason != EPIPE { outputFailure.withLock { $0 = $0 ?? reason } }
                    return
                }
                written += max(count, 0)
            }
        }
    }

    /// Why results could not be written to standard output (a full disk, say); nil when all were.
    package static var failure: String? { outputFailure.withLock { $0 }.map { String(cString: strerror($0)) } }

    private static let outputFailure = Mutex<Int32?>(nil)

    package static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

    /// Whether to colour what goes to a stream: only on a terminal, and not when `NO_COLOR` is set to anything
    /// (no-color.org) or the terminal is a dumb one.
    package static func usesColour(_ stream: Stream) -> Bool {
        guard isTerminal(stream) else { return false }
        if let value = getenv("NO_COLOR"), value.pointee != 0 { return false }
        return getenv("TERM").map { String(cString: $0) } != "dumb"
    }

    /// Columns of the terminal behind a stream; nil when there is none.
    package static func width(_ stream: Stream) -> Int? {
        guard isTerminal(stream) else { return nil }
        var size = winsize()
        guard ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
