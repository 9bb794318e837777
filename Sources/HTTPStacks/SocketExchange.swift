import Clocks
import Glibc
import Results

/// One request over one connection, and its answer.
struct SocketExchange {
    let connection: SocketConnection
    let clock: MonotonicClock
    let deadline: Instant
    let request: HTTPRequest
    let interrupt: SocketInterrupt?
    var hop: HTTPHop
    var digest = BodyDigest()
    /// Whether any of an answer came: before that, the server may have closed the connection without knowing of the
    /// request.
    private(set) var hasReceived = false
    /// When the last bytes came.
    private var arrival = Instant(sinceOrigin: 0)

    /// Of a streamed body.
    static let chunkBytes = 65_536

    init(
        _ connection: SocketConnection, clock: MonotonicClock, deadline: Instant, request: HTTPRequest,
        interrupt: SocketInterrupt?, hop: HTTPHop
    ) {
        self.connection = connection
        self.clock = clock
        self.deadline = deadline
        self.request = request
        self.interrupt = interrupt
        self.hop = hop
    }

    private var left: Nanoseconds { deadline - clock.now() }

    /// Sends the request and receives all of the answer.
    ///
    /// - Returns: the answer's head; it keeps the connection alive only if all of the request was sent.
    // hot path: no allocation beyond the connection's own memory, no lock but a cancellation's
    mutating func run(_ head: HTTPRequestHead, headers: [HTTPRequest.Header]) throws(RequestFailure) -> HTTPResponseHead
    {
        connection.head.removeAll(keepingCapacity: true)
        try head.write(headers, to: &connection.head)
        hop.ready = clock.now()
        hop.sent = 0
        var isSent = true
        switch try send(head.body) {
        case .bytes: hop.requestSent = clock.now()
        case .timedOut: throw RequestFailure(.timeOut, "while sending")
        // The server may have answered before it closed: what it said is worth more than that it did.
        case .failed, .ended, .full: isSent = false
        }
        var answer = try receiveHead(answersHEAD: head.method == "HEAD")
        if !isSent { answer.keepsAlive = false }
        try receiveBody(answer)
        return answer
    }

    private mutating func send(_ body: HTTPRequest.Body) throws(RequestFailure) -> SocketConnection.Progress {
        switch body {
        case .none: send(connection.head, [])
        case .bytes(let bytes): send(connection.head, bytes[...])
        case .streamed(let bytes): try sendChunks(bytes)
        }
    }

    /// A head and what comes after it, in one call.
    private mutating func send(_ head: [UInt8], _ body: ArraySlice<UInt8>, _ tail: StaticString = "")
        -> SocketConnection.Progress
    {
        let progress = head.withUnsafeBytes { head in
            body.withUnsafeBytes { body in
                withUnsafeTemporaryAllocation(of: iovec.self, capacity: 3) { pieces in
                    // The kernel only reads them.
                    pieces.initializeElement(at: 0, to: iovec(reading: head))
                    pieces.initializeElement(at: 1, to: iovec(reading: body))
                    pieces.initializeElement(
                        at: 2,
                        to: iovec(reading: UnsafeRawBufferPointer(start: tail.utf8Start, count: tail.utf8CodeUnitCount))
                    )
                    return connection.send(pieces) { left }
                }
            }
        }
        if case .bytes(let count) = progress { hop.sent = (hop.sent ?? 0) + count }
        return progress
    }

    private mutating func sendChunks(_ bytes: [UInt8]) throws(RequestFailure) -> SocketConnection.Progress {
        var place = 0
        var head = connection.head
        var progress = SocketConnection.Progress.bytes(0)
        while place < bytes.count {
            let next = min(place + Self.chunkBytes, bytes.count)
            head.append(contentsOf: String(next - place, radix: 16).utf8)
            head.append(contentsOf: "\r\n".utf8)
            progress = send(head, bytes[place..<next], next == bytes.count ? "\r\n0\r\n\r\n" : "\r\n")
            guard case .bytes = progress else { return progress }
            if interrupt?.isCancelled == true { throw .cancelled }
            head.removeAll(keepingCapacity: true)
            place = next
        }
        return bytes.isEmpty ? send(head, [], "0\r\n\r\n") : progress
    }

    /// Waits for more of the answer.
    private mutating func receive() -> SocketConnection.Progress {
        let progress = connection.receive { left }
        arrival = clock.now()
        if case .bytes = progress { hasReceived = true }
        return progress
    }

    private mutating func receiveHead(answersHEAD: Bool) throws(RequestFailure) -> HTTPResponseHead {
        while true {
            if let head = try HTTPResponseHead.parse(connection.received, answersHEAD: answersHEAD) {
                connection.use(head.byteCount)
                // What came together with an interim answer came when that did.
                if head.isInterim {
                    hop.firstByte = connection.received.isEmpty ? nil : arrival
                    continue
                }
                hop.expectedLength = head.announcedLength
                return head
            }
            switch receive() {
            case .bytes: if hop.firstByte == nil { hop.firstByte = arrival }
            case .timedOut: throw RequestFailure(.timeOut, "while waiting for the answer")
            case .full: throw RequestFailure(.protocol, "the answer's head is longer than 64 KiB")
            case .ended, .failed:
                throw hop.firstByte == nil
                    ? .noAnswer : RequestFailure(.protocol, "the connection ended within the answer's head")
            }
        }
    }

    private mutating func receiveBody(_ head: HTTPResponseHead) throws(RequestFailure) {
        // Of a redirect that is followed, nobody wants to know the body.
        let isWanted = head.location == nil || !head.isRedirect
        switch head.framing {
        case .none: break
        case .length(let length):
            while true {
                let bytes = connection.received
                let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(length - hop.received))
                if !piece.isEmpty {
                    try take(piece, isWanted)
                    connection.use(piece.count)
                }
                if hop.received == length { break }
                guard try hasMore() else { throw .truncated }
            }
        case .chunked:
            var parser = ChunkedBodyParser()
            while true {
                let used = try parser.consume(connection.received) { piece throws(RequestFailure) in
                    try take(piece, isWanted)
                }
                connection.use(used)
                if parser.isDone { break }
                guard try hasMore() else { throw .truncated }
            }
        case .untilEnd:
            repeat {
                let piece = connection.received
                if !piece.isEmpty { try take(piece, isWanted) }
                connection.use(piece.count)
            } while try hasMore()
        }
        hop.lastByte = arrival
    }

    /// Waits for more of the body; false when the connection ended in good order.
    private mutating func hasMore() throws(RequestFailure) -> Bool {
        switch receive() {
        case .bytes: return true
        case .ended: return false
        case .timedOut: throw RequestFailure(.timeOut, "within the body")
        case .failed, .full: throw .truncated
        }
    }

    private mutating func take(_ piece: UnsafeRawBufferPointer, _ isWanted: Bool) throws(RequestFailure) {
        hop.received += piece.count
        guard isWanted else { return }
        if request.expected.digest != nil { digest.add(piece) }
        request.onBody?(hop.received)
        if interrupt?.isCancelled == true { throw .cancelled }
    }
}

extension HTTPResponseHead {
    /// Whether it sends elsewhere, in a way that is followed.
    var isRedirect: Bool { status == 301 || status == 302 || status == 303 || status == 307 || status == 308 }
}

extension RequestFailure {
    fileprivate static let truncated = RequestFailure(.truncated, "the connection ended within the body")
    package static let noAnswer = RequestFailure(.protocol, "the connection ended before an answer began")
}

extension iovec {
    /// Bytes that the kernel reads, and never writes.
    fileprivate init(reading bytes: UnsafeRawBufferPointer) {
        self.init(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }
}
