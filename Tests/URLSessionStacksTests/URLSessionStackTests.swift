import Clocks
import Dispatch
import Glibc
import HTTPStacks
import Results
import Synchronization
import TestSupport
import Testing
import URLSessionStacks

/// Which of the two stacks a test is about.
enum Session: String, CaseIterable, Sendable {
    case delegate, async

    func choice(usesOwnTimeOuts: Bool = true) -> HTTPStackChoice {
        self == .delegate
            ? .urlSession(usesOwnTimeOuts: usesOwnTimeOuts)
            : .urlSessionAsync(usesOwnTimeOuts: usesOwnTimeOuts, on: ThreadExecutor())
    }
}

/// A stack for a test, and its requests.
struct SessionRequests {
    let stack: any HTTPStack

    init(_ session: Session, usesOwnTimeOuts: Bool = true, _ change: (inout ConnectionPolicy) -> Void = { _ in }) throws
    {
        var policy = ConnectionPolicy()
        change(&policy)
        stack = try session.choice(usesOwnTimeOuts: usesOwnTimeOuts)(policy, clock: MonotonicClock())
    }

    func send(_ request: HTTPRequest) async -> HTTPOutcome {
        await withCheckedContinuation { continuation in stack.send(request) { continuation.resume(returning: $0) } }
    }
}

/// Bytes that no mistake of places leaves as they are.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) } }

@Suite("URLSession against nginx", .serialized, .enabled(if: SmallNginx.isInstalled))
struct URLSessionStackTests {
    private let body = pattern(300_000)
    private let nginx: SmallNginx

    init() {
        nginx = SmallNginx(
            files: ["body": body, "small": pattern(1_024)],
            """
            large_client_header_buffers 4 4m;
            location = /post-moved { return 302 /method; }
            location = /cookie { add_header Set-Cookie "a=b"; return 200 $http_cookie; }
            location = /cookie-moved { add_header Set-Cookie "c=d"; return 302 /cookie; }
            """)
    }

    @Test("a delegate is told of the first byte, of progress and of the end")
    func phases() async throws {
        let requests = try SessionRequests(.delegate)
        let counts = Counts()
        let outcome = await requests.send(
            HTTPRequest(nginx.url + "/body", expected: HTTPExpectation(body: body), onBody: { counts.add($0) }))
        #expect(outcome.failure == nil && outcome.status == 200)
        let hop = outcome.hop
        #expect(hop.expectedLength == body.count && hop.received == body.count)
        #expect(
            hop.nameResolved == nil && hop.connected == nil && hop.ready == nil && hop.reusedConnection == nil
                && hop.sent == nil)
        let moments = try [outcome.begin, #require(hop.firstByte), #require(hop.lastByte), outcome.end]
        #expect(moments == moments.sorted())
        #expect(counts.all == counts.all.sorted() && counts.all.last == body.count)
        requests.stack.shutDown()
    }

    @Test("data(for:) tells of the whole body and its end")
    func phasesOfAsync() async throws {
        let requests = try SessionRequests(.async)
        let counts = Counts()
        let outcome = await requests.send(
            HTTPRequest(nginx.url + "/body", expected: HTTPExpectation(body: body), onBody: { counts.add($0) }))
        #expect(
            outcome.failure == nil && outcome.status == 200 && outcome.hop.lastByte != nil
                && outcome.hop.firstByte == nil)
        #expect(counts.all == [body.count])
        requests.stack.shutDown()
    }

    @Test("a body without a length told before is the same body", arguments: Session.allCases)
    func chunked(_ session: Session) async throws {
        let requests = try SessionRequests(session)
        let outcome = await requests.send(
            HTTPRequest(nginx.url + "/chunked/body", expected: HTTPExpectation(body: body)))
        #expect(outcome.failure == nil && outcome.hop.expectedLength == nil && outcome.hop.lastByte != nil)
        requests.stack.shutDown()
    }

    @Test("bodies arrive whole, told before or in chunks", arguments: Session.allCases, [1, 65_537, 1_000_000])
    func uploads(_ session: Session, _ count: Int) async throws {
        let requests = try SessionRequests(session)
        for body in [HTTPRequest.Body.bytes(pattern(count)), .streamed(pattern(count))] {
            let outcome = await requests.send(
                HTTPRequest(
                    nginx.url + "/upload", method: "POST", body: body,
                    expected: HTTPExpectation(body: Array(String(count).utf8))))
            #expect(outcome.failure == nil)
            #expect((outcome.hop.requestSent != nil) == (session == .delegate))
        }
        requests.stack.shutDown()
    }

    @Test("a redirect is followed, and told by a delegate", arguments: Session.allCases)
    func redirects(_ session: Session) async throws {
        let requests = try SessionRequests(session)
        let told = session == .delegate
        let once = await requests.send(HTTPRequest(nginx.url + "/once", expected: HTTPExpectation(body: body)))
        #expect(once.failure == nil && once.redirects.count == (told ? 1 : 0))
        #expect((once.redirects.first?.firstByte != nil) == told)
        let changed = await requests.send(
            HTTPRequest(
                nginx.url + "/post-moved", method: "POST", body: .bytes([1, 2]),
                expected: HTTPExpectation(body: Array("GET".utf8))))
        #expect(changed.failure == nil)
        let endless = await requests.send(HTTPRequest(nginx.url + "/for-ever", mostRedirects: 3))
        #expect(endless.failure?.class == .clientLimit && endless.redirects.count == (told ? 3 : 0))
        // The session's own limit.
        let more = await requests.send(HTTPRequest(nginx.url + "/for-ever", mostRedirects: 100))
        #expect(more.failure?.class == .clientLimit && more.redirects.count == (told ? 20 : 0))
        requests.stack.shutDown()
    }

    @Test("cookies are kept when the policy says so, over a redirect too", arguments: Session.allCases)
    func cookies(_ session: Session) async throws {
        let keeping = try SessionRequests(session) { $0.keepsCookies = true }
        let over = await keeping.send(
            HTTPRequest(nginx.url + "/cookie-moved", expected: HTTPExpectation(body: Array("c=d".utf8))))
        #expect(over.failure == nil)
        let both = await keeping.send(HTTPRequest(nginx.url + "/cookie", expected: HTTPExpectation(length: 8)))
        #expect(both.failure == nil)
        keeping.stack.shutDown()

        let forgetting = try SessionRequests(session)
        for _ in 0..<2 {
            let outcome = await forgetting.send(
                HTTPRequest(nginx.url + "/cookie", expected: HTTPExpectation(length: 0)))
            #expect(outcome.failure == nil)
        }
        forgetting.stack.shutDown()
    }

    @Test("another status, length or body than expected is a failure of its own class", arguments: Session.allCases)
    func expectations(_ session: Session) async throws {
        let requests = try SessionRequests(session)
        let missing = await requests.send(HTTPRequest(nginx.url + "/missing"))
        #expect(missing.failure?.class == .status && missing.status == 404)
        let longer = await requests.send(HTTPRequest(nginx.url + "/small", expected: HTTPExpectation(length: 1_025)))
        #expect(longer.failure?.class == .wrongBody)
        let other = await requests.send(HTTPRequest(nginx.url + "/small", expected: HTTPExpectation(digest: 1)))
        #expect(other.failure?.class == .wrongBody)
        requests.stack.shutDown()
    }

    @Test("a head beyond what libcurl sends is the client's limit", arguments: Session.allCases)
    func largeHead(_ session: Session) async throws {
        let requests = try SessionRequests(session)
        let header = HTTPRequest.Header("X-B", String(repeating: "x", count: 1_100_000))
        let outcome = await requests.send(HTTPRequest(nginx.url + "/small", headers: [header]))
        #expect(outcome.failure?.class == .clientLimit)
        requests.stack.shutDown()
    }

    @Test("requests end though all threads of the global queue are blocked")
    func blockedPool() async throws {
        let requests = try SessionRequests(.delegate)
        let (stack, url) = (requests.stack, nginx.url)
        // All on one thread that waits for nobody else: tasks of other tests run on the same threads as what blocks
        // here.
        let outcome = try await onOwnThread {
            let (blocked, mayEnd, ended) = (Gate(), Gate(), Gate())
            // More than the queue has threads for at first; it makes one more a second.
            let count = 64
            for _ in 0..<count {
                DispatchQueue.global().async {
                    blocked.open()
                    mayEnd.pass()
                }
            }
            blocked.pass()
            let outcome = Mutex<HTTPOutcome?>(nil)
            stack.send(HTTPRequest(url + "/small", expected: HTTPExpectation(body: pattern(1_024)))) { end in
                outcome.withLock { $0 = end }
                ended.open()
            }
            ended.pass()
            mayEnd.open(times: count)
            return try #require(outcome.withLock { $0 })
        }
        #expect(outcome.failure == nil)
        requests.stack.shutDown()
    }

    @Test("many at once all end, each with its own answer", arguments: Session.allCases)
    func many(_ session: Session) async throws {
        let requests = try SessionRequests(session)
        let url = nginx.url
        await withTaskGroup(of: RequestFailure?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await requests.send(
                        number.isMultiple(of: 2)
                            ? HTTPRequest(url + "/small", expected: HTTPExpectation(body: pattern(1_024)))
                            : HTTPRequest(url + "/body", expected: HTTPExpectation(length: 300_000))
                    ).failure
                }
            }
            for await failure in group { #expect(failure == nil) }
        }
        requests.stack.shutDown()
    }

    @Test("stacks may come and go", arguments: Session.allCases)
    func shortLived(_ session: Session) async throws {
        for _ in 0..<30 {
            let requests = try SessionRequests(session)
            let outcome = await requests.send(HTTPRequest(nginx.url + "/small"))
            #expect(outcome.failure == nil)
            requests.stack.shutDown()
        }
    }
}

/// Numbers that came, in their order.
final class Counts: Sendable {
    private let numbers = Mutex<[Int]>([])
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    var all: [Int] { numbers.withLock { $0 } }
}
