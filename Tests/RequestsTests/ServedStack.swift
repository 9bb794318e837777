import Clocks
import HTTPStacks
import LocalServer
import Requests
import Results
import TestSupport
import Testing
import URLSessionStacks

extension Stack: CustomTestStringConvertible {
    public var testDescription: String { name }
}

/// A server and whatever stack one asks for.
struct ServedStack {
    let server: LocalServer
    let stack: any HTTPStack
    let clock: MonotonicClock

    func get(_ location: NginxSite.Location) throws -> HTTPRequest { HTTPRequest(try server.url(location)) }

    /// What becomes of a request, which must end.
    func outcome(_ request: HTTPRequest) throws -> HTTPOutcome {
        // Apart from the expectation, which would look into all that the stack holds, while others use it. All tests of the package
        // run at once: whoever is slow is waited for.
        let outcome = stack.outcome(of: request, within: request.timeLimit + .seconds(60))
        return try #require(outcome)
    }

    /// Why a request fails, which must.
    func failure(_ request: HTTPRequest) throws -> RequestFailure {
        try #require(try outcome(request).failure, "the request did not fail")
    }
}

/// Everything that a site can have.
private var whole: NginxSite {
    var site = NginxSite(bodies: [0, 1_000, 100_000])
    (site.isScripted, site.hasTLS, site.logsAccess) = (true, true, true)
    return site
}

/// Runs a body with a server and a stack, on a thread of its own: the server lives no longer than the thread.
func serving(
    _ stack: Stack,
    _ policy: @escaping @Sendable (LocalServer) throws -> ConnectionPolicy = { _ in ConnectionPolicy() },
    _ body: @escaping @Sendable (ServedStack) throws -> Void
) async throws {
    try await onOwnThread {
        let folder = TemporaryFolder()
        let server = try LocalServer(whole, folder: folder.path)
        defer { server.stop() }
        let clock = MonotonicClock()
        // Where tests hold up the pool of Swift's tasks, nothing would be shown of the stack.
        let choice =
            stack.name == HTTPStackChoice.urlSessionAsync.name
            ? .urlSessionAsync(usesOwnTimeOuts: true, on: ThreadExecutor()) : stack.choice
        let made = try choice(try policy(server), clock: clock)
        defer { made.shutDown() }
        try body(ServedStack(server: server, stack: made, clock: clock))
    }
}
