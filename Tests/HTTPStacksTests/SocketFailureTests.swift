import Glibc
import HTTPStacks
import Results
import Synchronization
import TestSupport
import Testing

@Suite("How requests over sockets fail")
struct SocketFailureTests {
    /// The class of the failure of one request to a server that does this with its connections.
    private func failure(
        of request: (String) -> HTTPRequest = { HTTPRequest($0 + "/") },
        _ serve: @escaping @Sendable (RawServer.Connection) -> Void
    ) async throws -> RequestFailure? {
        let server = RawServer(serve)
        return try await SocketRequests().send(request(server.url)).failure
    }

    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("a name without an address")
    func name() async throws {
        let outcome = try await SocketRequests().send(HTTPRequest("http://no-such.invalid/"))
        #expect(outcome.failure?.class == .name)
    }

    @Test("a port where nobody listens")
    func refused() async throws {
        let listener = Listener(backlog: nil)
        let outcome = try await SocketRequests().send(HTTPRequest("http://127.0.0.1:\(listener.port)/"))
        #expect(outcome.failure == RequestFailure(.connect, "Connection refused"))
        close(listener.socket)
    }

    @Test(
        "what the stack will not send",
        arguments: [
            HTTPRequest("https://127.0.0.1/"), HTTPRequest("127.0.0.1"),
        ])
    func refusedURL(_ request: HTTPRequest) async throws {
        #expect(try await SocketRequests().send(request).failure?.class == .clientLimit)
    }

    @Test("headers and methods that would be another request than was meant")
    func refusedHead() async throws {
        let server = RawServer { $0.waitForEnd() }
        let requests = try SocketRequests()
        for header in [HTTPRequest.Header("A", "b\r\nC: d"), .init("A\n", "b"), .init("", "b"), .init("A:", "b")] {
            let outcome = try await requests.send(HTTPRequest(server.url + "/", headers: [header]))
            #expect(outcome.failure?.class == .clientLimit)
        }
        #expect(try await requests.send(HTTPRequest(server.url + "/", method: "G T")).failure?.class == .clientLimit)
    }

    @Test("a server that closes without an answer, or breaks off")
    func noAnswer() async throws {
        #expect(try await failure { _ = $0.head() } == .noAnswer)
        #expect(
            try await failure {
                _ = $0.head()
                $0.breakOff()
            } == .noAnswer)
    }

    @Test("no HTTP, a malformed head, half a head, and one without end")
    func malformed() async throws {
        let answers = [
            "SSH-2.0\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-",
            "HTTP/1.1 200 OK\r\nA: " + String(repeating: "b", count: 100_000),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        ]
        for text in answers {
            let failure = try await failure {
                _ = $0.head()
                $0.say(text)
            }
            #expect(failure?.class == .protocol)
        }
    }

    @Test("a body that ends too early, whatever told its length and however it ends")
    func truncated() async throws {
        for text in [
            "Content-Length: 10\r\n\r\n12345", "Transfer-Encoding: chunked\r\n\r\n5\r\n123",
            "Transfer-Encoding: chunked\r\n\r\n1\r\n1\r\n",
        ] {
            for breaksOff in [false, true] {
                let failure = try await failure {
                    _ = $0.head()
                    if breaksOff { $0.breakOff() }
                    $0.say("HTTP/1.1 200 OK\r\n" + text)
                }
                // A broken connection may take along what was not read yet, and then no answer ever began.
                #expect(failure?.class == .truncated || (breaksOff && failure?.class == .protocol))
            }
        }
    }

    @Test("a time limit holds while connecting, waiting and receiving")
    func timeOuts() async throws {
        // Long enough for a busy machine to connect within it.
        let limit = Nanoseconds.seconds(1)
        func limited(_ url: String) -> HTTPRequest { HTTPRequest(url + "/", timeLimit: limit) }

        let silent = try await failure(of: limited) { $0.waitForEnd() }
        #expect(silent == RequestFailure(.timeOut, "while waiting for the answer"))
        let slow = try await failure(of: limited) { connection in
            _ = connection.head()
            connection.say("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
            // Byte by byte: each comes in time, and all together do not.
            while connection.say("x") { usleep(1_000) }
        }
        #expect(slow == RequestFailure(.timeOut, "within the body"))

        // Of a socket that nobody accepts from, the kernel takes no connection beyond its backlog.
        let full = Listener(backlog: 0)
        let others = (0..<3).map { _ in Listener.connecting(to: full.port) }
        let outcome = try await SocketRequests().send(limited("http://127.0.0.1:\(full.port)"))
        #expect(outcome.failure == RequestFailure(.timeOut, "while connecting"))
        #expect((outcome.end - outcome.begin) >= limit)
        for socket in others + [full.socket] { close(socket) }
    }

    @Test("a time limit holds for a server that does not read")
    func timeOutWhileSending() async throws {
        let ended = Gate()
        let server = RawServer { _ in ended.pass() }
        let body = HTTPRequest.Body.bytes([UInt8](repeating: 1, count: 64 << 20))
        let outcome = try await SocketRequests().send(
            HTTPRequest(server.url + "/", method: "POST", body: body, timeLimit: .milliseconds(100)))
        #expect(outcome.failure == RequestFailure(.timeOut, "while sending"))
        ended.open()
    }

    @Test("a time limit holds while a connection does not come free")
    func timeOutInTheQueue() async throws {
        let hasCome = Gate()
        let server = RawServer {
            hasCome.open()
            $0.waitForEnd()
        }
        let requests = try SocketRequests { $0.connections = 1 }
        let cancellation = HTTPCancellation()
        async let first = requests.send(HTTPRequest(server.url + "/", cancellation: cancellation))
        try await onOwnThread { hasCome.pass() }
        let second = try await requests.send(HTTPRequest(server.url + "/", timeLimit: .milliseconds(50)))
        #expect(second.failure == RequestFailure(.timeOut, "while waiting for a connection to come free"))
        cancellation.cancel()
        #expect(try await first.failure?.class == .cancelled)
    }

    @Test("a request is cancelled before, while connecting, while waiting, and within its body")
    func cancelled() async throws {
        let requests = try SocketRequests()
        let before = HTTPCancellation()
        before.cancel()
        #expect(
            try await requests.send(HTTPRequest("http://127.0.0.1:1/", cancellation: before)).failure?.class
                == .cancelled)

        let waiting = HTTPCancellation()
        let server = RawServer {
            _ = $0.head()
            waiting.cancel()
            $0.waitForEnd()
        }
        let outcome = try await requests.send(HTTPRequest(server.url + "/", cancellation: waiting))
        #expect(outcome.failure?.class == .cancelled && outcome.taskStatus == .cancelled)

        let within = HTTPCancellation()
        let longer = RawServer {
            _ = $0.head()
            $0.say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1")
            $0.waitForEnd()
        }
        let cut = try await requests.send(
            HTTPRequest(longer.url + "/", onBody: { _ in within.cancel() }, cancellation: within))
        #expect(cut.failure?.class == .cancelled && cut.hop.received == 1)

        let full = Listener(backlog: 0)
        let others = (0..<3).map { _ in Listener.connecting(to: full.port) }
        let connecting = HTTPCancellation()
        async let ended = requests.send(HTTPRequest("http://127.0.0.1:\(full.port)/", cancellation: connecting))
        // One of the others has the only place; the rest knock, and so will the request.
        try await onOwnThread { while Listener.knocking(at: full.port) < others.count { usleep(500) } }
        connecting.cancel()
        #expect(try await ended.failure?.class == .cancelled)
        for socket in others + [full.socket] { close(socket) }
    }

    @Test("a cancellation reaches one who waits for a connection, and none who comes after")
    func cancelledInTheQueue() async throws {
        let (mayAnswer, hasCome) = (Gate(), Gate())
        let server = RawServer { connection in
            while !connection.head().isEmpty {
                hasCome.open()
                mayAnswer.pass()
                connection.say(Self.answer)
            }
        }
        let requests = try SocketRequests { $0.connections = 1 }
        async let first = requests.send(HTTPRequest(server.url + "/"))
        try await onOwnThread { hasCome.pass() }
        let cancellation = HTTPCancellation()
        async let second = requests.send(HTTPRequest(server.url + "/", cancellation: cancellation))
        cancellation.cancel()
        #expect(try await second.failure?.class == .cancelled)
        mayAnswer.open(times: 2)
        #expect(try await first.failure == nil)
        // A cancellation that comes late finds nothing of another request's.
        let late = HTTPCancellation()
        #expect(try await requests.send(HTTPRequest(server.url + "/", cancellation: late)).failure == nil)
        late.cancel()
        mayAnswer.open()
        let third = try await requests.send(HTTPRequest(server.url + "/"))
        #expect(third.failure == nil && third.hop.reusedConnection == true)
        requests.stack.shutDown()
    }

    @Test("however many are cancelled at whatever moment, no other request fails by it")
    func cancelledAtAnyMoment() async throws {
        let server = RawServer { connection in
            while !connection.head().isEmpty { connection.say(Self.answer) }
        }
        let requests = try SocketRequests { $0.connections = 3 }
        let expected = HTTPExpectation(body: Array("ok".utf8))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    for round in 0..<100 {
                        let cancellation = number.isMultiple(of: 2) ? HTTPCancellation() : nil
                        if let cancellation {
                            // From a moment before the request to one after it.
                            startThread {
                                for _ in 0..<(round * 7) { sched_yield() }
                                cancellation.cancel()
                            }
                        }
                        let outcome = try? await requests.send(
                            HTTPRequest(server.url + "/", expected: expected, cancellation: cancellation))
                        let failure = outcome?.failure?.class
                        #expect(outcome != nil && (failure == nil || (failure == .cancelled && cancellation != nil)))
                    }
                }
            }
        }
        requests.stack.shutDown()
    }

    @Test("a connection that the server closed while it was idle is made anew, once")
    func closedWhileIdle() async throws {
        let closed = Gate()
        let server = RawServer { connection in
            _ = connection.head()
            connection.say(Self.answer)
            if connection.number == 0 {
                shutdown(connection.socket, CInt(SHUT_RDWR))
                closed.open()
            }
            if connection.number == 1 { _ = connection.head() }
        }
        let requests = try SocketRequests()
        #expect(try await requests.send(HTTPRequest(server.url + "/")).failure == nil)
        try await onOwnThread { closed.pass() }
        let second = try await requests.send(HTTPRequest(server.url + "/", expected: HTTPExpectation(length: 2)))
        #expect(second.failure == nil && second.hop.reusedConnection == false && second.hop.connected != nil)
        // This one is closed after it took the request; a third connection answers.
        let third = try await requests.send(HTTPRequest(server.url + "/"))
        #expect(third.failure == nil && third.hop.reusedConnection == false)
    }

    @Test("an answer before the end of a long body is the answer")
    func answersEarly() async throws {
        let server = RawServer { connection in
            _ = connection.head()
            connection.say("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            shutdown(connection.socket, CInt(SHUT_WR))
            _ = connection.bytes(1_000)
        }
        let outcome = try await SocketRequests().send(
            HTTPRequest(
                server.url + "/", method: "POST", body: .bytes([UInt8](repeating: 1, count: 32 << 20)),
                expected: HTTPExpectation(status: 413)))
        #expect(outcome.failure == nil && outcome.hop.requestSent == nil)
    }

    @Test("interim answers are passed over, and an answer may come byte by byte")
    func interim() async throws {
        let server = RawServer { connection in
            _ = connection.head()
            for byte in "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n\(Self.answer)".utf8 {
                connection.say([byte])
            }
            connection.waitForEnd()
        }
        let outcome = try await SocketRequests().send(
            HTTPRequest(server.url + "/", expected: HTTPExpectation(body: Array("ok".utf8))))
        #expect(outcome.failure == nil && outcome.status == 200)
    }

    @Test("a body that ends with the connection, and bytes that nobody asked for")
    func untilEnd() async throws {
        let server = RawServer { connection in
            _ = connection.head()
            connection.say(connection.number == 0 ? "HTTP/1.1 200 OK\r\n\r\nok" : Self.answer + "more")
        }
        let requests = try SocketRequests()
        for _ in 0..<3 {
            let outcome = try await requests.send(
                HTTPRequest(server.url + "/", expected: HTTPExpectation(body: Array("ok".utf8))))
            #expect(outcome.failure == nil && outcome.hop.reusedConnection == false)
        }
    }

    @Test("what it lacks is refused before the first request")
    func limits() throws {
        #expect(throws: StackError.self) { try SocketRequests { $0.authority = "authority.pem" } }
        #expect(throws: StackError.self) { try SocketRequests { $0.version = .http2 } }
        #expect(throws: StackError.self) { try SocketRequests { $0.keepsCookies = true } }
        #expect(HTTPStackChoice.socket.blocks)
    }
}

extension Listener {
    /// How many connections to a port are asked for and not answered (SYN_SENT is state 02 there).
    static func knocking(at port: Int) -> Int {
        let digits = String(port, radix: 16, uppercase: true)
        let wanted = "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        guard let file = fopen("/proc/net/tcp", "re") else { return 0 }
        defer { fclose(file) }
        let count = fread(&bytes, 1, bytes.count, file)
        let table = String(decoding: bytes.prefix(count), as: UTF8.self)
        return table.split(separator: "\n").count { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[2] == wanted && fields[3] == "02"
        }
    }

    /// A socket that has asked for a connection to a port of 127.0.0.1 and does not wait for it.
    static func connecting(to port: Int) -> CInt {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return socket
    }
}
