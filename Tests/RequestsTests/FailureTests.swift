import Clocks
import HTTPStacks
import LocalServer
import Requests
import Results
import TestSupport
import Testing

@Suite("A failure has the same class by whatever stack", .serialized, .timeLimit(.minutes(5)))
struct FailureTests {
    @Test("a name without an address", arguments: Stack.all)
    func name(_ stack: Stack) async throws {
        try await serving(stack) { served in
            let failure = try served.failure(HTTPRequest("http://nosuch.invalid:\(try served.server.port(.plain))/"))
            #expect(failure.class == .name, "\(failure)")
        }
    }

    @Test("a port where nobody listens any more", arguments: Stack.all)
    func connect(_ stack: Stack) async throws {
        try await serving(stack) { served in
            // Nobody else gets the port meanwhile.
            served.server.stop()
            let failure = try served.failure(try served.get(.body(1_000)))
            #expect(failure.class == .connect, "\(failure)")
        }
    }

    @Test("a certificate for another name", arguments: Stack.all.filter { $0.can(.tls) && $0.can(.addresses) })
    func wrongName(_ stack: Stack) async throws {
        @Sendable func policy(_ server: LocalServer) throws -> ConnectionPolicy {
            var policy = ConnectionPolicy().telling(["one.test", "three.test"], port: try server.port(.tls))
            policy.authority = server.authority
            return policy
        }
        try await serving(stack, policy) { served in
            func request(_ host: String) throws -> HTTPRequest {
                HTTPRequest(try served.server.url(.body(1_000), on: .tls, host: host))
            }
            #expect(try served.outcome(request("one.test")).failure == nil)
            let failure = try served.failure(request("three.test"))
            #expect(failure.class == .tls, "\(failure)")
        }
    }

    @Test(
        "a certificate by an authority that nobody knows", arguments: Stack.all.filter { !$0.name.hasPrefix("socket") })
    func unknownAuthority(_ stack: Stack) async throws {
        try await serving(stack) { served in
            let failure = try served.failure(HTTPRequest(try served.server.url(.body(1_000), on: .tls)))
            #expect(failure.class == .tls, "\(failure)")
        }
    }

    @Test("a stack without TLS refuses what needs it", arguments: Stack.all.filter { !$0.can(.tls) })
    func noTLS(_ stack: Stack) throws {
        var policy = ConnectionPolicy()
        policy.authority = "/nowhere/authority.pem"
        #expect(throws: StackError.self) { try stack.choice(policy, clock: MonotonicClock()) }
    }

    @Test("an answer that never comes", arguments: Stack.all)
    func timeOut(_ stack: Stack) async throws {
        try await serving(stack) { served in
            var request = try served.get(.never)
            request.timeLimit = .milliseconds(200)
            let outcome = try served.outcome(request)
            #expect(outcome.failure?.class == .timeOut, "\(String(describing: outcome.failure))")
            // libcurl counts whole milliseconds, and may count the begun one as over.
            #expect(outcome.end - outcome.begin >= .milliseconds(198))
        }
    }

    @Test("a body that comes too slowly", arguments: Stack.all)
    func slow(_ stack: Stack) async throws {
        try await serving(stack) { served in
            var request = try served.get(.slowBody(milliseconds: 60_000, bytes: 100_000))
            request.timeLimit = .milliseconds(300)
            let failure = try served.failure(request)
            #expect(failure.class == .timeOut, "\(failure)")
        }
    }

    @Test("a request that its caller does not want any more, and the next one is right", arguments: Stack.all)
    func cancelled(_ stack: Stack) async throws {
        try await serving(stack) { served in
            for location in [NginxSite.Location.never, .slowBody(milliseconds: 60_000, bytes: 100_000)] {
                let cancellation = HTTPCancellation()
                var request = try served.get(location)
                request.cancellation = cancellation
                startThread { cancellation.cancel() }
                let outcome = try served.outcome(request)
                #expect(outcome.failure?.class == .cancelled, "\(String(describing: outcome.failure))")
                #expect(outcome.taskStatus == .cancelled)
            }
            var next = try served.get(.body(1_000))
            next.expected = HTTPExpectation(body: LocalServer.body(bytes: 1_000))
            #expect(try served.outcome(next).failure == nil)
        }
    }

    @Test(
        "a request for which no connection is free ends when its time is over, or when its caller says so",
        arguments: Stack.all.filter { ["curl-multi", "socket-epoll"].contains($0.name) })
    func waits(_ stack: Stack) async throws {
        @Sendable func one(_: LocalServer) -> ConnectionPolicy {
            var policy = ConnectionPolicy()
            policy.connections = 1
            return policy
        }
        try await serving(stack, one) { served in
            let first = HTTPCancellation()
            var endless = try served.get(.never)
            endless.cancellation = first
            served.stack.send(endless) { _ in }
            var limited = try served.get(.body(1_000))
            limited.timeLimit = .milliseconds(200)
            let late = try served.outcome(limited)
            #expect(late.failure == RequestFailure(.timeOut, "while waiting for a connection to come free"))
            #expect(late.end - late.begin >= .milliseconds(200))
            let second = HTTPCancellation()
            var unwanted = try served.get(.body(1_000))
            unwanted.cancellation = second
            startThread { second.cancel() }
            let cancelled = try served.outcome(unwanted)
            #expect(cancelled.failure == RequestFailure(.cancelled, "while waiting for a connection to come free"))
            first.cancel()
            #expect(try served.outcome(served.get(.body(1_000))).failure == nil)
        }
    }

    @Test("another status than expected", arguments: Stack.all)
    func status(_ stack: Stack) async throws {
        try await serving(stack) { served in
            for status in [204, 404, 503] {
                let failure = try served.failure(served.get(.status(status)))
                #expect(failure == RequestFailure(.status, "\(status) instead of 200"))
            }
        }
    }

    @Test("no HTTP, and no answer at all", arguments: Stack.all)
    func wrongProtocol(_ stack: Stack) async throws {
        try await serving(stack) { served in
            for location in [NginxSite.Location.garbage, .close] {
                let failure = try served.failure(served.get(location))
                #expect(failure.class == .protocol, "\(location.path): \(failure)")
            }
        }
    }

    @Test("a connection that is reset within the body", arguments: Stack.all)
    func truncated(_ stack: Stack) async throws {
        try await serving(stack) { served in
            let failure = try served.failure(served.get(.reset(afterBytes: 1_000)))
            // Nobody is told of a head by data(for:): it cannot tell whether an answer had begun.
            let isBlind = stack.name == "urlsession-async"
            #expect(failure.class == .truncated || isBlind && failure.class == .protocol, "\(failure)")
        }
    }

    @Test("another body than expected", arguments: Stack.all)
    func wrongBody(_ stack: Stack) async throws {
        try await serving(stack) { served in
            var request = try served.get(.body(1_000))
            request.expected = HTTPExpectation(length: 999)
            #expect(try served.failure(request).class == .wrongBody)
            request.expected = HTTPExpectation(length: 1_000, digest: 1)
            #expect(try served.failure(request).class == .wrongBody)
            request.expected = HTTPExpectation(body: LocalServer.body(bytes: 1_000))
            #expect(try served.outcome(request).failure == nil)
        }
    }

    @Test("more redirects than may be followed", arguments: Stack.all.filter { $0.can(.redirects) })
    func redirects(_ stack: Stack) async throws {
        try await serving(stack) { served in
            var request = try served.get(.redirect(3, to: .body(1_000)))
            request.mostRedirects = 2
            let failure = try served.failure(request)
            #expect(failure.class == .clientLimit, "\(failure)")
            request.mostRedirects = 3
            #expect(try served.outcome(request).failure == nil)
        }
    }

    @Test("a head of more than 1 MiB: libcurl’s own limit, and none of a stack without it", arguments: Stack.all)
    func head(_ stack: Stack) async throws {
        try await serving(stack) { served in
            var request = HTTPRequest(try served.server.url(.headerLength, on: .largeHeads))
            request.headers = [HTTPRequest.Header("X-Body", String(repeating: "b", count: 1_048_577))]
            request.expected = HTTPExpectation(text: "1048577\n")
            let failure = try served.outcome(request).failure
            #expect(
                failure?.class == (stack.name.hasPrefix("socket") ? nil : .clientLimit),
                "\(String(describing: failure))")
            // Half of it goes through all of them, and arrives.
            request.headers = [HTTPRequest.Header("X-Body", String(repeating: "b", count: 524_288))]
            request.expected = HTTPExpectation(text: "524288\n")
            #expect(try served.outcome(request).failure == nil)
        }
    }

    @Test("a head that the server has no room for is the server’s answer", arguments: Stack.all)
    func serversLimit(_ stack: Stack) async throws {
        try await serving(stack) { served in
            var request = try served.get(.headerLength)
            request.headers = [HTTPRequest.Header("X-Body", String(repeating: "b", count: 8_300))]
            let failure = try served.failure(request)
            #expect(failure == RequestFailure(.status, "400 instead of 200"))
        }
    }
}
