import Glibc

/// A TCP port of 127.0.0.1 that the kernel chose and that nobody else gets while this lives.
///
/// Its socket is bound and never listens, so it takes no connection; `SO_REUSEPORT` lets a server of the same user bind
/// the same port when it asks for that too. A port that is found free and let go again may be taken before the server
/// comes, and a client would then measure, without noticing, a stranger.
struct ReservedPort: ~Copyable {
    let number: UInt16
    private let socket: Int32

    init() throws(PortError) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw PortError() }
        var yes: Int32 = 1
        var address = Self.loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0
                    && bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard bound else {
            let error = PortError()
            close(socket)
            throw error
        }
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(socket) }

    /// Whether a server accepts connections on a port of 127.0.0.1.
    static func answers(_ port: UInt16) -> Bool {
        let probe = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return false }
        defer { close(probe) }
        var address = loopback(port: port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}

/// Why no port of 127.0.0.1 could be had.
struct PortError: Error, CustomStringConvertible {
    private let reason = String(cString: strerror(errno))
    var description: String { "cannot bind a port of 127.0.0.1: \(reason)" }
}
