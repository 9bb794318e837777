import Clocks
import HTTPStacks
import LocalServer
import Recording
import Requests
import Results
import Testing

@Suite("What a stack tells of a request is what the server’s log tells of it", .serialized, .timeLimit(.minutes(5)))
struct PhaseTests {
    /// A request with its number, and what became of it.
    private struct Told {
        var outcome: HTTPOutcome
        var entries: [AccessLogEntry]
    }

    /// Makes requests one after the other, and finds them in the server's log by their numbers.
    private static func tell(
        _ served: ServedStack, _ locations: [NginxSite.Location], _ change: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> [Told] {
        let outcomes = try locations.enumerated().map { number, location in
            var request = try served.get(location)
            request.headers = [HTTPRequest.Header("X-Task", "\(number)")]
            change(&request)
            return try served.outcome(request)
        }
        let hops = outcomes.reduce(0) { $0 + $1.redirects.count + 1 }
        let log = try served.server.accessLog(ofTasks: hops)
        return outcomes.enumerated().map { number, outcome in
            Told(outcome: outcome, entries: log.filter { $0.task == TaskID(number) })
        }
    }

    /// The phases and their moments, in the order in which they are told.
    private static func phases(_ outcome: HTTPOutcome) -> [(phase: Phase, moment: Instant)] {
        var all: [(Phase, Instant)] = []
        outcome.forEachPhase { phase, moment, _ in all.append((phase, moment)) }
        return all
    }

    private static func expectOrder(_ outcome: HTTPOutcome) {
        let moments = [outcome.begin] + phases(outcome).map(\.moment) + [outcome.end]
        #expect(moments == moments.sorted(), "\(phases(outcome).map(\.phase))")
        var hop: [Int] = []
        for (phase, _) in phases(outcome) {
            hop.append(RequestPhase.inOrder.firstIndex(of: phase) ?? -1)
            if phase == RequestPhase.redirected {
                #expect(hop == hop.sorted())
                hop = []
            }
        }
        #expect(hop == hop.sorted())
    }

    @Test("bytes agree, and the server’s time lies within the client’s", arguments: Stack.all)
    func downloads(_ stack: Stack) async throws {
        try await serving(stack) { served in
            let told = try Self.tell(
                served,
                [
                    .body(0), .body(1_000), .body(100_000), .slowFirstByte(milliseconds: 100, .body(1_000)),
                    .slowBody(milliseconds: 100, bytes: 50_000),
                ])
            for told in told {
                let outcome = told.outcome
                #expect(outcome.failure == nil)
                let entry = try #require(told.entries.first)
                #expect(told.entries.count == 1)
                #expect(outcome.status == entry.status)
                #expect(outcome.hop.received == entry.bodySent)
                if let sent = outcome.sent { #expect(sent == entry.received) }
                if let expected = outcome.hop.expectedLength { #expect(expected == entry.bodySent) }
                Self.expectOrder(outcome)
                // The server reads its clock once for each round of its loop, in milliseconds.
                let tolerance = Nanoseconds.milliseconds(20)
                let sent = outcome.hop.ready ?? outcome.begin
                let came = outcome.hop.lastByte ?? outcome.end
                #expect(entry.duration <= came - sent + tolerance)
            }
            let late = told[3].outcome
            // What is slow at the server is slow before the first byte, or before the last.
            if let first = late.hop.firstByte { #expect(first - late.begin >= .milliseconds(95)) }
            #expect(late.end - late.begin >= .milliseconds(95))
            #expect(told[3].entries[0].duration >= .milliseconds(95))
            let slow = told[4].outcome
            #expect((slow.hop.lastByte ?? slow.begin) - slow.begin >= .milliseconds(95))
        }
    }

    @Test("uploads, with their length told before or in chunks", arguments: Stack.all)
    func uploads(_ stack: Stack) async throws {
        try await serving(stack) { served in
            let body = LocalServer.body(bytes: 70_000)
            var isChunked = false
            // The loop of sockets streams no bodies.
            let ways = stack.name == "socket-epoll" ? 1 : 2
            let told = try Self.tell(served, Array(repeating: .echo, count: ways)) { request in
                (request.method, request.body) = ("POST", isChunked ? .streamed(body) : .bytes(body))
                request.expected = HTTPExpectation(body: body)
                isChunked.toggle()
            }
            for (place, told) in told.enumerated() {
                #expect(told.outcome.failure == nil)
                #expect(told.entries.count == 1)
                let entry = try #require(told.entries.first)
                #expect(told.outcome.hop.received == entry.bodySent && entry.bodySent == 70_000)
                // Of chunks the server counts what frames them too, and a library only what is within.
                if let sent = told.outcome.sent {
                    #expect(place == 0 ? sent == entry.received : 70_000...entry.received ~= sent)
                }
                Self.expectOrder(told.outcome)
            }
        }
    }

    @Test("redirects are told, each with its phases", arguments: Stack.all.filter { $0.can(.redirects) })
    func redirects(_ stack: Stack) async throws {
        try await serving(stack) { served in
            let told = try Self.tell(served, [.redirect(2, to: .body(1_000)), .body(1_000)])
            #expect(told.map(\.outcome.redirects.count) == [2, 0])
            #expect(told.map(\.entries.count) == [3, 1])
            for told in told {
                #expect(told.outcome.failure == nil)
                #expect(told.outcome.status == 200 && told.outcome.hop.received == 1_000)
                Self.expectOrder(told.outcome)
                if let sent = told.outcome.sent { #expect(sent == told.entries.reduce(0) { $0 + $1.received }) }
            }
            let redirected = Self.phases(told[0].outcome).filter { $0.phase == RequestPhase.redirected }
            #expect(redirected.count == 2)
        }
    }

    @Test(
        "a failure after a redirect is one of the request that it led to",
        arguments: Stack.all.filter { $0.can(.redirects) })
    func failureAfterRedirect(_ stack: Stack) async throws {
        try await serving(stack) { served in
            let told = try Self.tell(served, [.redirect(1, to: .close), .redirect(1, to: .status(503))])
            for (told, status) in zip(told, [nil, 503]) {
                Self.expectOrder(told.outcome)
                #expect(told.outcome.failure?.class == (status == nil ? .protocol : .status))
                #expect(told.outcome.redirects.count == 1 && told.outcome.redirects[0].firstByte != nil)
                #expect(told.outcome.status == status)
                if status == nil { #expect(told.outcome.hop.firstByte == nil && told.outcome.hop.received == 0) }
            }
            // It is tried twice: over the connection of the redirect, and over a new one. libcurl adds up the times of
            // both, which tell of neither.
            if stack.name.hasPrefix("curl") {
                let hop = told[0].outcome.hop
                #expect(hop.ready != nil && hop.reusedConnection == false)
                #expect(hop.nameResolved == nil && hop.connected == nil)
            }
        }
    }

    @Test("a connection is new once, and then used again; or new each time", arguments: Stack.all, [true, false])
    func connections(_ stack: Stack, keepsAlive: Bool) async throws {
        @Sendable func policy(_: LocalServer) -> ConnectionPolicy {
            var policy = ConnectionPolicy()
            (policy.keepsAlive, policy.connections) = (keepsAlive, 1)
            return policy
        }
        try await serving(stack, policy) { served in
            let told = try Self.tell(served, [.body(1_000), .body(1_000), .body(1_000)])
            #expect(told.allSatisfy { $0.outcome.failure == nil })
            #expect(Set(told.compactMap { $0.entries.first?.connection }).count == (keepsAlive ? 1 : 3))
            for told in told {
                guard let isReused = told.outcome.hop.reusedConnection else { continue }
                #expect(isReused == (told.entries[0].requestOfConnection > 1))
                #expect((told.outcome.hop.connected == nil) == isReused)
            }
        }
    }

    @Test(
        "with TLS the connection is open before it is agreed how to encrypt",
        arguments: Stack.all.filter { $0.can(.tls) })
    func secure(_ stack: Stack) async throws {
        @Sendable func policy(_ server: LocalServer) throws -> ConnectionPolicy {
            var policy = ConnectionPolicy().telling(["one.test"], port: try server.port(.tls))
            policy.authority = server.authority
            return policy
        }
        try await serving(stack, policy) { served in
            let url = try served.server.url(.body(1_000), on: .tls, host: "one.test")
            let told = try Self.tell(served, [.body(1_000)]) { $0.url = url }
            let outcome = told[0].outcome
            #expect(outcome.failure == nil)
            Self.expectOrder(outcome)
            let connected = try #require(outcome.hop.connected)
            let secured = try #require(outcome.hop.tlsDone)
            let ready = try #require(outcome.hop.ready)
            #expect(connected < secured && secured <= ready)
            #expect(told[0].entries.map(\.serverName) == ["one.test"])
        }
    }
}
