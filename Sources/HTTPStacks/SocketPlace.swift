import Clocks
import Glibc
import Results

/// A place of a `SocketLoop`: a connection, and the request that is at it.
final class SocketPlace {
    private(set) var socket: Int32 = -1
    var number = 0
    var outcome: HTTPOutcome
    var deadline = Instant(sinceOrigin: 0)
    var isBusy = false
    var isConnecting = false
    var isWatchedForWriting = false
    /// Whether the server lets the connection serve another request.
    private(set) var keepsAlive = true

    private var request: HTTPRequest?
    /// The request as it goes over the wire, and how much of it was sent.
    private var bytes: [UInt8] = []
    private var written: (url: String, method: String, headers: [HTTPRequest.Header], bodyCount: Int)?
    private var sent = 0
    private var digest = BodyDigest()
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
    /// Bytes of the head that lie in the buffer; of the body none stays there.
    private var held = 0
    private var head: HTTPResponseHead?
    private var chunks = ChunkedBodyParser()
    private var hasReceived = false
    /// Whether the server takes no more of the request.
    private(set) var isRefused = false
    /// Host and port that the connection leads to.
    var authority = ""
    /// The host's addresses that were not tried yet.
    var addresses: ArraySlice<SocketAddress> = []

    init(_ clock: MonotonicClock) {
        outcome = HTTPOutcome(begin: clock.now(), end: clock.now())
        self.clock = clock
    }
    private let clock: MonotonicClock
    deinit { buffer.deallocate() }

    var isCancelled: Bool { request?.cancellation?.isCancelled == true }
    var isConnected: Bool { socket >= 0 }
    var isSending: Bool { sent < bytes.count && !isRefused }
    /// Whether the server cannot have known of the request when it closed the connection.
    var mayTryAgain: Bool { outcome.hop.reusedConnection == true && !hasReceived }

    func begin(_ request: HTTPRequest, number: Int) {
        let now = clock.now()
        self.number = number
        self.request = request
        outcome = HTTPOutcome(begin: now, end: now)
        outcome.hop.reusedConnection = isConnected
        isBusy = true
        digest = BodyDigest()
        forget()
    }

    /// Begins the request anew, on another connection.
    func forget() {
        (sent, held, head, hasReceived, keepsAlive, isRefused) = (0, 0, nil, false, true, false)
        chunks = ChunkedBodyParser()
    }

    /// Puts the request into bytes, unless they are those of the one before.
    func write(_ request: HTTPRequest, _ url: HTTPURL, keepsAlive: Bool) throws(RequestFailure) {
        if case .streamed = request.body { throw RequestFailure(.clientLimit, "the stack streams no bodies") }
        let count = request.body.count
        if let written, written.url == request.url, written.method == request.method,
            written.headers == request.headers,
            written.bodyCount == count
        {
            if let body = request.body.data { bytes.replaceSubrange((bytes.count - count)..., with: body) }
            return
        }
        written = nil
        bytes.removeAll(keepingCapacity: true)
        try HTTPRequestHead(method: request.method, url: url, body: request.body, keepsAlive: keepsAlive)
            .write(request.headers, to: &bytes)
        if let body = request.body.data { bytes += body }
        written = (request.url, request.method, request.headers, count)
    }

    func connect(_ socket: Int32, isConnecting: Bool) {
        self.socket = socket
        self.isConnecting = isConnecting
        var yes: CInt = 1
        setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
    }

    func disconnect() {
        if socket >= 0 { Glibc.close(socket) }
        (socket, isConnecting) = (-1, false)
    }

    /// Sends as much as the kernel takes.
    // hot path: no allocation, no lock, no call that can block
    func send(_ clock: MonotonicClock) throws(RequestFailure) {
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress! + sent, $0.count - sent, CInt(MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EAGAIN { return }
                if errno == EINTR { continue }
                // The server may have answered before it closed: what it said is worth more than that it did.
                isRefused = true
                return
            }
            sent += count
        }
        outcome.hop.requestSent = clock.now()
        outcome.hop.sent = bytes.count
    }

    /// Takes what has come; whether the answer is whole.
    // hot path: no allocation, no lock, no call that can block
    func receive(_ clock: MonotonicClock) throws(RequestFailure) -> Bool {
        while true {
            let count = recv(socket, buffer.baseAddress! + held, buffer.count - held, 0)
            if count < 0 {
                if errno == EAGAIN { return false }
                if errno == EINTR { continue }
                throw head == nil ? .noAnswer : RequestFailure(.truncated, "the connection ended within the body")
            }
            if count == 0 { return try takeEnd() }
            let room = buffer.count - held
            hasReceived = true
            outcome.hop.lastByte = clock.now()
            if outcome.hop.firstByte == nil { outcome.hop.firstByte = outcome.hop.lastByte }
            if try take(held + count) { return true }
            // What did not fill the buffer was all that there was.
            if count < room { return false }
        }
    }

    /// The server closed: the end of a body that has no other, or a failure.
    private func takeEnd() throws(RequestFailure) -> Bool {
        guard let head else { throw .noAnswer }
        guard head.framing == .untilEnd else {
            throw RequestFailure(.truncated, "the connection ended within the body")
        }
        keepsAlive = false
        return true
    }

    private func take(_ count: Int) throws(RequestFailure) -> Bool {
        var start = 0
        while head == nil {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[start..<count])
            guard let found = try HTTPResponseHead.parse(bytes, answersHEAD: request?.method == "HEAD") else {
                guard start > 0 || count < buffer.count else {
                    throw RequestFailure(.protocol, "the answer's head is longer than 64 KiB")
                }
                buffer.baseAddress!.copyMemory(from: buffer.baseAddress! + start, byteCount: count - start)
                held = count - start
                return false
            }
            start += found.byteCount
            if found.isInterim {
                // What came together with it came when it did.
                outcome.hop.firstByte = start < count ? outcome.hop.lastByte : nil
                continue
            }
            head = found
            outcome.status = found.status
            outcome.hop.expectedLength = found.announcedLength
        }
        held = 0
        return try takeBody(UnsafeRawBufferPointer(rebasing: buffer[start..<count]))
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) throws(RequestFailure) -> Bool {
        guard let head else { return false }
        switch head.framing {
        case .none: return true
        case .length(let length):
            let wanted = length - outcome.hop.received
            add(UnsafeRawBufferPointer(rebasing: bytes.prefix(wanted)))
            // What nobody asked for would be taken for the next answer.
            if bytes.count > wanted { keepsAlive = false }
            return outcome.hop.received == length
        case .chunked:
            _ = try chunks.consume(bytes) { add($0) }
            return chunks.isDone
        case .untilEnd:
            add(bytes)
            return false
        }
    }

    private func add(_ piece: UnsafeRawBufferPointer) {
        outcome.hop.received += piece.count
        if request?.expected.digest != nil { digest.add(piece) }
        request?.onBody?(outcome.hop.received)
    }

    /// The answer is whole; what became of the request.
    func finish() -> HTTPOutcome {
        isBusy = false
        // After a part of a request, the server cannot tell where the next one begins.
        keepsAlive = keepsAlive && head?.keepsAlive == true && sent == bytes.count
        outcome.end = outcome.hop.lastByte ?? clock.now()
        if let request { outcome.verify(request.expected, digest: digest) }
        return outcome
    }
}
