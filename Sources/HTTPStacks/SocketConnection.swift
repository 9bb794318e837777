import Glibc
import Results

/// A TCP connection, its blocking calls, and the memory that a request and an answer need.
///
/// Unchecked Sendable: a connection is used by one thread at a time, the one that took it from its `SocketServer`,
/// whose lock lies between one thread's use and the next one's.
final class SocketConnection: @unchecked Sendable {
    let socket: CInt
    /// What was received and not yet used lies at `start..<end`.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SocketConnection.bufferBytes, alignment: 64)
    private var start = 0
    private var end = 0
    /// The head of a request, kept for its memory.
    var head: [UInt8] = []
    /// How long the kernel lets a call block.
    private var armed = Nanoseconds(0)

    static let bufferBytes = 65_536

    /// Takes over a connected socket.
    init(_ socket: CInt) {
        self.socket = socket
        head.reserveCapacity(1_024)
        var yes: CInt = 1
        // A small request must not wait for the acknowledgement of the one before (Nagle's algorithm).
        setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
    }

    deinit { buffer.deallocate() }

    func close() { _ = Glibc.close(socket) }

    /// What was received and not yet used.
    var received: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[start..<end]) }

    /// So many bytes of it were used.
    func use(_ count: Int) {
        start += count
        if start == end { (start, end) = (0, 0) }
    }

    /// What came of a call that blocked.
    enum Progress: Equatable {
        case bytes(Int)
        case ended
        case timedOut
        case failed(errno: CInt)
        /// There is no room for more.
        case full
    }

    /// Waits for more bytes, behind those that are there.
    // hot path: no allocation, no lock
    func receive(within limit: () -> Nanoseconds) -> Progress {
        if end == buffer.count, start > 0 {
            buffer.baseAddress!.copyMemory(from: buffer.baseAddress! + start, byteCount: end - start)
            (start, end) = (0, end - start)
        }
        guard end < buffer.count else { return .full }
        while true {
            guard arm(limit()) else { return .timedOut }
            let count = recv(socket, buffer.baseAddress! + end, buffer.count - end, 0)
            if count > 0 {
                end += count
                return .bytes(count)
            }
            if count == 0 { return .ended }
            guard errno == EINTR || errno == EAGAIN else { return .failed(errno: errno) }
        }
    }

    /// Sends all of the pieces, in one call where the kernel takes them.
    // hot path: no allocation, no lock
    func send(_ pieces: UnsafeMutableBufferPointer<iovec>, within limit: () -> Nanoseconds) -> Progress {
        var total = 0
        var first = 0
        while true {
            while first < pieces.count, pieces[first].iov_len == 0 { first += 1 }
            guard first < pieces.count else { return .bytes(total) }
            guard arm(limit()) else { return .timedOut }
            var message = msghdr()
            message.msg_iov = pieces.baseAddress! + first
            message.msg_iovlen = pieces.count - first
            var count = sendmsg(socket, &message, CInt(MSG_NOSIGNAL))
            if count < 0 {
                guard errno == EINTR || errno == EAGAIN else { return .failed(errno: errno) }
                continue
            }
            total += count
            while count > 0 {
                let taken = min(count, pieces[first].iov_len)
                pieces[first].iov_base += taken
                pieces[first].iov_len -= taken
                count -= taken
                if pieces[first].iov_len == 0 { first += 1 }
            }
        }
    }

    /// Lets calls block for about as long; false when there is no time left.
    ///
    /// The kernel is told anew only when it would let them block shorter, or longer by more than a hundredth: requests
    /// with one and the same limit cost no call for it. Calls block at most a hundredth of the limit too long, and a
    /// tick of the kernel's (some ms).
    private func arm(_ left: Nanoseconds) -> Bool {
        guard left.count > 0 else { return false }
        if armed.count >= left.count, armed.count - left.count <= left.count / 100 { return true }
        // Ten years at most: the sum must fit.
        let slack = min(left.count, 315_360_000_000_000_000)
        armed = Nanoseconds(max(slack + slack / 200, 1_000))
        var time = timeval(
            tv_sec: Int(armed.count / 1_000_000_000), tv_usec: Int(armed.count % 1_000_000_000 / 1_000))
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        return true
    }
}
