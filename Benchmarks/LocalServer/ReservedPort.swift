import Glibc

/// A TCP port of 127.0.0.1 that the kernel chose and that nobody else gets while this lives.
///
/// Its socket is bound and never listens, so it takes no connection; `SO_REUSEPORT` lets a server of the same user bind
/// the same port when it asks for that too. A port that is found free and let go again may be taken before the server
/// comes, or after it has ended, and a client would then measure, without noticing, a stranger.
final class ReservedPort: Sendable {
    let number: UInt16
    private let socket: Int32

    init() throws(PortError) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw PortError("open a socket") }
        var yes: Int32 = 1
        var address = sockaddr_in(loopbackPort: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0
                    && bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        number = UInt16(bigEndian: address.sin_port)
        // From here on the end of this object closes the socket, after a failure too.
        guard bound else { throw PortError("bind a port") }
    }

    deinit { close(socket) }
}

/// What could not be done with a port of 127.0.0.1, and why.
package struct PortError: Error, CustomStringConvertible {
    package let description: String

    /// By what `errno` says now.
    init(_ attempt: String) { description = "cannot \(attempt) of 127.0.0.1: \(String(cString: strerror(errno)))" }
}
