import Clocks
import HTTPStacks
import Results
import Synchronization
import TestSupport
import Testing

/// A stack for a test, and its requests, each on a thread that may block.
struct SocketRequests {
    let stack: any HTTPStack

    init(_ change: (inout ConnectionPolicy) -> Void = { _ in }) throws {
        var policy = ConnectionPolicy()
        change(&policy)
        stack = try HTTPStackChoice.socket(policy, clock: MonotonicClock())
    }

    func send(_ request: HTTPRequest) async throws -> HTTPOutcome {
        let stack = stack
        return try await onOwnThread {
            let outcome = Mutex<HTTPOutcome?>(nil)
            stack.send(request) { ended in outcome.withLock { $0 = ended } }
            return try #require(outcome.withLock { $0 })
        }
    }
}

/// Bytes that no mistake of places leaves as they are.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) } }

@Suite("Sockets against nginx", .enabled(if: SmallNginx.isInstalled))
struct SocketStackTests {
    private let body = pattern(300_000)
    private let nginx: SmallNginx

    init() {
        nginx = SmallNginx(
            files: ["body": body, "small": pattern(1_024), "empty": []],
            """
            location = /post-moved { return 302 /method; }
            location = /kept { return 307 /upload; }
            location = /other { return 303 /method; }
            """
        )
    }

    @Test("phases come in order, and bytes are counted")
    func phases() async throws {
        let requests = try SocketRequests()
        let request = HTTPRequest(nginx.url + "/body", expected: HTTPExpectation(body: body))
        let first = try await requests.send(request)
        #expect(first.failure == nil && first.status == 200)
        let hop = first.hop
        #expect(hop.reusedConnection == false && hop.tlsDone == nil)
        #expect(hop.expectedLength == body.count && hop.received == body.count)
        let moments = try [
            first.begin, #require(hop.nameResolved), #require(hop.connected), #require(hop.ready),
            #require(hop.requestSent),
            #require(hop.firstByte), #require(hop.lastByte), first.end,
        ]
        #expect(moments == moments.sorted())
        let head = "GET /body HTTP/1.1\r\nHost: 127.0.0.1:\(nginx.port)\r\n\r\n"
        #expect(hop.sent == head.utf8.count && first.sent == head.utf8.count)

        // A server may close a connection at any time, and nginx does where it runs short: of several requests one finds it open.
        var second = try await requests.send(request)
        for _ in 0..<5 where second.hop.reusedConnection == false { second = try await requests.send(request) }
        #expect(second.failure == nil && second.hop.reusedConnection == true)
        #expect(second.hop.nameResolved == nil && second.hop.connected == nil && second.hop.ready != nil)
        requests.stack.shutDown()
    }

    @Test("a body without a length told before is the same body", arguments: ["body", "small", "empty"])
    func chunked(_ name: String) async throws {
        let requests = try SocketRequests()
        let wanted = name == "body" ? body : name == "small" ? pattern(1_024) : []
        for _ in 0..<2 {
            let outcome = try await requests.send(
                HTTPRequest(nginx.url + "/chunked/" + name, expected: HTTPExpectation(body: wanted)))
            #expect(outcome.failure == nil)
        }
        requests.stack.shutDown()
    }

    @Test("without keep-alive each request has its own connection")
    func closes() async throws {
        let requests = try SocketRequests { $0.keepsAlive = false }
        for _ in 0..<3 {
            let outcome = try await requests.send(
                HTTPRequest(nginx.url + "/small", expected: HTTPExpectation(body: pattern(1_024))))
            #expect(outcome.failure == nil && outcome.hop.reusedConnection == false)
        }
    }

    @Test("bodies arrive whole, told before or in chunks", arguments: [0, 1, 65_536, 65_537, 3_000_000])
    func uploads(_ count: Int) async throws {
        let requests = try SocketRequests()
        for body in [HTTPRequest.Body.bytes(pattern(count)), .streamed(pattern(count))] {
            let outcome = try await requests.send(
                HTTPRequest(
                    nginx.url + "/upload", method: "POST", body: body,
                    expected: HTTPExpectation(body: Array(String(count).utf8))))
            #expect(outcome.failure == nil)
            #expect(try #require(outcome.hop.sent) > count)
        }
        requests.stack.shutDown()
    }

    @Test("a redirect is followed and told, with the method that browsers go on with")
    func redirects() async throws {
        let requests = try SocketRequests()
        let once = try await requests.send(HTTPRequest(nginx.url + "/once", expected: HTTPExpectation(body: body)))
        #expect(once.failure == nil && once.redirects.count == 1 && once.hop.received == body.count)
        #expect(once.redirects[0].firstByte != nil && once.hop.reusedConnection == true)
        #expect(once.sent == (once.redirects[0].sent ?? 0) + (once.hop.sent ?? 0))

        let changed = try await requests.send(
            HTTPRequest(
                nginx.url + "/post-moved", method: "POST", body: .bytes([1, 2]),
                expected: HTTPExpectation(body: Array("GET".utf8))))
        #expect(changed.failure == nil)
        let other = try await requests.send(
            HTTPRequest(nginx.url + "/other", method: "PUT", expected: HTTPExpectation(body: Array("GET".utf8))))
        #expect(other.failure == nil)
        let kept = try await requests.send(
            HTTPRequest(
                nginx.url + "/kept", method: "POST", body: .bytes([1, 2]),
                expected: HTTPExpectation(body: Array("2".utf8))))
        #expect(kept.failure == nil)
    }

    @Test("one redirect more than may be followed is a failure")
    func tooManyRedirects() async throws {
        let requests = try SocketRequests()
        let outcome = try await requests.send(HTTPRequest(nginx.url + "/for-ever", mostRedirects: 3))
        #expect(outcome.failure?.class == .clientLimit && outcome.redirects.count == 3 && outcome.status == 302)
    }

    @Test("a HEAD has a length and no body")
    func head() async throws {
        let requests = try SocketRequests()
        for _ in 0..<2 {
            let outcome = try await requests.send(
                HTTPRequest(nginx.url + "/body", method: "HEAD", expected: HTTPExpectation(length: 0)))
            #expect(outcome.failure == nil && outcome.hop.received == 0)
        }
    }

    @Test("an address told in advance spares the look-up")
    func addresses() async throws {
        let port = nginx.port
        let requests = try SocketRequests {
            $0.addresses = [.init(host: "no-such.invalid", port: port, address: "127.0.0.1")]
        }
        let outcome = try await requests.send(
            HTTPRequest("http://no-such.invalid:\(port)/body", expected: HTTPExpectation(body: body)))
        #expect(outcome.failure == nil)
    }

    @Test("no more connections than the policy allows, however many threads ask")
    func connections() async throws {
        let requests = try SocketRequests { $0.connections = 2 }
        let request = HTTPRequest(nginx.url + "/small", expected: HTTPExpectation(body: pattern(1_024)))
        let opened = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var opened = 0
                    for _ in 0..<20 {
                        let outcome = try await requests.send(request)
                        #expect(outcome.failure == nil)
                        if outcome.hop.reusedConnection == false { opened += 1 }
                    }
                    return opened
                }
            }
            return try await group.reduce(0, +)
        }
        #expect((1...2).contains(opened))
        requests.stack.shutDown()
    }

    @Test("another status, length or body than expected is a failure of its own class")
    func expectations() async throws {
        let requests = try SocketRequests()
        let missing = try await requests.send(HTTPRequest(nginx.url + "/missing"))
        #expect(missing.failure?.class == .status && missing.status == 404)
        let longer = try await requests.send(
            HTTPRequest(nginx.url + "/small", expected: HTTPExpectation(length: 1_025)))
        #expect(longer.failure?.class == .wrongBody)
        let other = try await requests.send(HTTPRequest(nginx.url + "/small", expected: HTTPExpectation(digest: 1)))
        #expect(other.failure?.class == .wrongBody)
    }

    @Test("progress counts up to the length of the final body")
    func progress() async throws {
        let requests = try SocketRequests()
        let counts = Counts()
        let outcome = try await requests.send(HTTPRequest(nginx.url + "/once", onBody: { counts.add($0) }))
        #expect(outcome.failure == nil)
        let seen = counts.all
        #expect(seen == seen.sorted() && seen.last == body.count && Set(seen).count == seen.count)
    }
}

/// Numbers that came, in their order.
final class Counts: Sendable {
    private let numbers = Mutex<[Int]>([])
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    var all: [Int] { numbers.withLock { $0 } }
}
