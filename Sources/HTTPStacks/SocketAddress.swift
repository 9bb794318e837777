import Glibc
import Results

/// An address of a server, as the kernel takes it.
struct SocketAddress {
    private var storage: sockaddr_storage
    private var length: socklen_t

    /// The addresses of a host, in the order in which they are to be tried (getaddrinfo(3)); blocks for as long as that
    /// does.
    ///
    /// - Parameter isNumeric: whether it is an address already, and nobody may be asked.
    static func all(host: String, port: Int, isNumeric: Bool = false) throws(RequestFailure) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : 0)
        var first: UnsafeMutablePointer<addrinfo>?
        let refusal = getaddrinfo(host, String(port), &hints, &first)
        guard refusal == 0 else { throw RequestFailure(.name, String(cString: gai_strerror(refusal))) }
        defer { freeaddrinfo(first) }
        var found: [SocketAddress] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let address = entry.ai_addr, Int(entry.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size else {
                continue
            }
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
            }
            found.append(SocketAddress(storage: storage, length: entry.ai_addrlen))
        }
        return found
    }

    /// Begins a connection that never blocks; whether it is open already.
    func begin() throws(RequestFailure) -> (socket: CInt, isConnected: Bool) {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(CInt(storage.ss_family), kind, 0)
        guard socket >= 0 else { throw .connecting(errno: errno) }
        var storage = storage
        let begun = withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, length) }
        }
        if begun == 0 { return (socket, true) }
        if errno == EINPROGRESS || errno == EINTR { return (socket, false) }
        let refusal = errno
        close(socket)
        throw .connecting(errno: refusal)
    }

    /// Why a connection that was begun is not there; nil when it is.
    static func failure(of socket: CInt) -> RequestFailure? {
        var failure: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        getsockopt(socket, SOL_SOCKET, SO_ERROR, &failure, &size)
        return failure == 0 ? nil : .connecting(errno: failure)
    }

    /// Opens a connection; without blocking while it is made, so that the wait for it can be limited, and blocking from
    /// then on.
    func connect(within limit: () -> Nanoseconds, _ interrupt: SocketInterrupt?) throws(RequestFailure) -> CInt {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(CInt(storage.ss_family), kind, 0)
        guard socket >= 0 else { throw .connecting(errno: errno) }
        interrupt?.watch(socket)
        let result = finish(socket, within: limit)
        let wasInterrupted = interrupt?.unwatch() ?? false
        if case nil = result, !wasInterrupted {
            _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~CInt(SOCK_NONBLOCK.rawValue))
            return socket
        }
        close(socket)
        throw wasInterrupted ? .cancelled : result ?? .cancelled
    }

    /// Why there is no connection; nil when there is.
    private func finish(_ socket: CInt, within limit: () -> Nanoseconds) -> RequestFailure? {
        var storage = storage
        let begun = withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, length) }
        }
        if begun == 0 { return nil }
        guard errno == EINPROGRESS || errno == EINTR else {
            return .connecting(errno: errno)
        }
        var waiting = pollfd(fd: socket, events: CShort(POLLOUT), revents: 0)
        while true {
            let left = limit()
            guard left.count > 0 else { return RequestFailure(.timeOut, "while connecting") }
            // Rounded up: a rest of less than a millisecond must not become a loop that never sleeps.
            let milliseconds = CInt(min((left.count - 1) / 1_000_000 + 1, 1_000_000))
            if poll(&waiting, 1, milliseconds) > 0 { break }
        }
        return Self.failure(of: socket)
    }
}

extension RequestFailure {
    static let cancelled = RequestFailure(.cancelled, "by its caller")
}
