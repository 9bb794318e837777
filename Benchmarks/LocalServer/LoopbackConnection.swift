import Glibc
import Results

/// A TCP connection to a port of 127.0.0.1, for those who speak HTTP by hand: for requests that no library makes, and
/// for answers that no library tells exactly. Belongs to one thread.
package final class LoopbackConnection {
    /// How a stream of bytes ended.
    package enum End: Hashable, Sendable {
        /// In order, after all that was sent (FIN).
        case closed
        /// The other side threw the connection away (RST).
        case reset
        /// Nothing came for as long as one may wait.
        case timedOut
        /// Otherwise, by its errno.
        case failed(Int32)
    }

    private let socket: Int32

    /// - Parameter limit: how long to wait for each piece that is sent or received.
    /// - Throws: `PortError`, at once when nobody listens.
    package init(port: UInt16, limit: Nanoseconds = .seconds(10)) throws(PortError) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw PortError("open a socket") }
        var time = timeval(
            tv_sec: Int(limit.count / 1_000_000_000), tv_usec: Int(limit.count % 1_000_000_000 / 1_000))
        var address = sockaddr_in(loopbackPort: port)
        let socket = socket
        let isOpen = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                [SO_RCVTIMEO, SO_SNDTIMEO].allSatisfy {
                    setsockopt(socket, SOL_SOCKET, $0, &time, socklen_t(MemoryLayout<timeval>.size)) == 0
                } && connect(socket, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        // From here on the end of this object closes the socket, after a failure too.
        guard isOpen else { throw PortError("reach port \(port)") }
    }

    deinit { close(socket) }

    /// Sends all of it; whether the other side took it.
    package func send(_ bytes: some Sequence<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends a request without a body, for which the other side closes the connection after its answer.
    package func get(_ path: String) -> Bool {
        send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8)
    }

    /// All that comes until the end, and how that was.
    package func receive() -> (bytes: [UInt8], end: End) {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &piece, piece.count, 0)
            if count > 0 {
                all.append(contentsOf: piece[..<count])
            } else if count == 0 {
                return (all, .closed)
            } else {
                switch errno {
                case EINTR: continue
                case ECONNRESET: return (all, .reset)
                case EAGAIN, EWOULDBLOCK: return (all, .timedOut)
                case let other: return (all, .failed(other))
                }
            }
        }
    }
}

extension sockaddr_in {
    init(loopbackPort port: UInt16) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = port.bigEndian
        sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    }
}
