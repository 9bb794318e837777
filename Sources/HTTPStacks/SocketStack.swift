import Clocks
import Results
import Threading

extension HTTPStackChoice {
    /// Blocking sockets of the kernel, with as much of HTTP/1.1 as requests here need, and nothing in between: what a
    /// library costs is what it takes longer than this.
    ///
    /// Its time limit is exact to about a hundredth and a tick of the kernel's clock, but for the look-up of a name,
    /// which nothing can end. A body is sent whole before the answer is read: a server that answers a long body at
    /// length before it has read it waits for ever, and so the request ends by its time limit.
    public static let socket = HTTPStackChoice(
        "socket", "blocking sockets and the least HTTP/1.1, without any library", blocks: true,
        limits: [
            Limit(.encryption, because: "that would take a library, and this is the floor below all libraries"),
            Limit(.tls, because: "encryption would take a library, and this is the floor below all libraries"),
            Limit(.http2, because: "it speaks the least HTTP/1.1 that does"),
            Limit(.cookies, because: "it keeps nothing but connections from one request to the next"),
        ]
    ) { policy, clock in SocketStack(policy, clock) }
}

/// Requests over blocking sockets, on the thread that makes them.
final class SocketStack: HTTPStack {
    private let policy: ConnectionPolicy
    private let clock: MonotonicClock
    private let places = Monitor(Places())

    /// Where requests went before.
    private struct Places {
        var servers: [SocketServer] = []
        /// URLs that were read before, for requests to one and the same.
        var known: [Destination] = []
    }

    private struct Destination {
        let text: String
        let url: HTTPURL
        let server: SocketServer
    }

    /// How many URLs are kept: enough for a load of a few, and not enough to take long to search.
    private static let mostKnown = 16

    init(_ policy: ConnectionPolicy, _ clock: MonotonicClock) {
        self.policy = policy
        self.clock = clock
    }

    func send(_ request: HTTPRequest, _ ended: @escaping @Sendable (HTTPOutcome) -> Void) {
        let begin = clock.now()
        var outcome = HTTPOutcome(begin: begin, end: begin)
        let (deadline, overflows) = begin.sinceOrigin.addingReportingOverflow(request.timeLimit.count)
        var errand = SocketErrand(
            request: request, deadline: Instant(sinceOrigin: overflows ? .max : deadline),
            interrupt: request.cancellation.map(SocketInterrupt.init))
        do throws(RequestFailure) { try follow(&errand, &outcome) } catch { outcome.failure = error }
        if let interrupt = errand.interrupt {
            interrupt.end()
            if outcome.failure != nil, interrupt.isCancelled { outcome.failure = .cancelled }
        }
        outcome.end = clock.now()
        outcome.verify(request.expected, digest: errand.digest)
        ended(outcome)
    }

    func shutDown() {
        for server in places.withLock({ $0.servers }) { server.closeIdle() }
    }

    /// Makes the request, and those to which its answers lead.
    private func follow(_ errand: inout SocketErrand, _ outcome: inout HTTPOutcome) throws(RequestFailure) {
        guard let destination = destination(errand.request.url) else {
            throw RequestFailure(.clientLimit, "the URL is none of HTTP")
        }
        var (url, server) = (destination.url, destination.server)
        var head = HTTPRequestHead(
            method: errand.request.method, url: url, body: errand.request.body, keepsAlive: policy.keepsAlive)
        var headers = errand.request.headers
        while true {
            guard !url.isSecure else { throw RequestFailure(.clientLimit, "it speaks no TLS") }
            let answer = try exchange(head, headers, server, &errand, &outcome.hop)
            guard answer.isRedirect, let location = answer.location else {
                outcome.status = answer.status
                return
            }
            guard outcome.redirects.count < errand.request.mostRedirects else {
                outcome.status = answer.status
                throw RequestFailure(.clientLimit, "more redirects than may be followed")
            }
            guard let next = url.resolving(location) else {
                outcome.status = answer.status
                throw RequestFailure(.protocol, "a redirect leads to no URL of HTTP")
            }
            outcome.redirects.append(outcome.hop)
            outcome.hop = HTTPHop()
            if answer.status == 303 ? head.method != "HEAD" : answer.status < 303 && head.method == "POST" {
                // Browsers have done so since before it was written down (RFC 9110, 15.4).
                head.method = "GET"
                head.body = .none
                headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
            }
            if next.authority != url.authority || next.isSecure != url.isSecure {
                // Who is trusted here is not to be trusted there.
                headers.removeAll { ["authorization", "cookie", "host"].contains($0.name.lowercased()) }
            }
            url = next
            server = self.server(next)
            head.url = next
        }
    }

    /// One request and its answer, over a connection that is open or over a new one.
    private func exchange(
        _ head: HTTPRequestHead, _ headers: [HTTPRequest.Header], _ server: SocketServer,
        _ errand: inout SocketErrand, _ hop: inout HTTPHop
    ) throws(RequestFailure) -> HTTPResponseHead {
        if errand.interrupt?.isCancelled == true { throw .cancelled }
        let (deadline, clock) = (errand.deadline, clock)
        switch server.take(within: { deadline - clock.now() }, errand.interrupt) {
        case .cancelled: throw .cancelled
        case .timedOut: throw RequestFailure(.timeOut, "while waiting for a connection to come free")
        case .reused(let connection):
            hop.reusedConnection = true
            var exchange = errand.exchange(connection, clock, hop)
            do throws(RequestFailure) {
                return try run(&exchange, head, headers, server, &errand, &hop)
            } catch {
                guard error == .noAnswer, !exchange.hasReceived, errand.interrupt?.isCancelled != true else {
                    server.leave()
                    throw error
                }
                // The server had closed it while nobody used it; as good as no connection, and the place is still ours.
                hop = HTTPHop()
            }
        case .new: break
        }
        do throws(RequestFailure) {
            hop.reusedConnection = false
            let connection = try open(head.url, &errand, &hop)
            var exchange = errand.exchange(connection, clock, hop)
            return try run(&exchange, head, headers, server, &errand, &hop)
        } catch {
            server.leave()
            throw error
        }
    }

    /// The exchange itself; afterwards the connection is either back at its server or closed. A failure keeps the place
    /// at the server.
    private func run(
        _ exchange: inout SocketExchange, _ head: HTTPRequestHead, _ headers: [HTTPRequest.Header],
        _ server: SocketServer,
        _ errand: inout SocketErrand, _ hop: inout HTTPHop
    ) throws(RequestFailure) -> HTTPResponseHead {
        let connection = exchange.connection
        errand.interrupt?.watch(connection.socket)
        defer { hop = exchange.hop }
        do throws(RequestFailure) {
            let answer = try exchange.run(head, headers: headers)
            let wasInterrupted = errand.interrupt?.unwatch() ?? false
            errand.digest = exchange.digest
            if policy.keepsAlive, answer.keepsAlive, !wasInterrupted, connection.received.isEmpty {
                server.putBack(connection)
            } else {
                connection.close()
                server.leave()
            }
            return answer
        } catch {
            _ = errand.interrupt?.unwatch()
            connection.close()
            throw error
        }
    }

    private func open(_ url: HTTPURL, _ errand: inout SocketErrand, _ hop: inout HTTPHop) throws(RequestFailure)
        -> SocketConnection
    {
        let told = policy.toldAddress(ofHost: url.host, port: url.port)
        let addresses = try SocketAddress.all(host: told ?? url.host, port: url.port, isNumeric: told != nil)
        hop.nameResolved = clock.now()
        var failure = RequestFailure(.name, "the name has no address")
        let (deadline, clock) = (errand.deadline, clock)
        for address in addresses {
            do throws(RequestFailure) {
                let socket = try address.connect(within: { deadline - clock.now() }, errand.interrupt)
                hop.connected = clock.now()
                return SocketConnection(socket)
            } catch {
                failure = error
                guard error.class == .connect else { break }
            }
        }
        throw failure
    }

    /// What a request's own URL means; nil where it is none of HTTP.
    // hot path: no allocation but for a URL that is new; one lock
    private func destination(_ text: String) -> Destination? {
        if let known = places.withLock({ $0.known.first { $0.text == text } }) { return known }
        guard let url = HTTPURL(text) else { return nil }
        let new = Destination(text: text, url: url, server: server(url))
        places.withLock { places in
            if places.known.count == Self.mostKnown { places.known.removeAll(keepingCapacity: true) }
            places.known.append(new)
        }
        return new
    }

    private func server(_ url: HTTPURL) -> SocketServer {
        places.withLock { places in
            if let known = places.servers.first(where: { $0.port == url.port && $0.host == url.host }) { return known }
            let new = SocketServer(host: url.host, port: url.port, connections: policy.connections)
            places.servers.append(new)
            return new
        }
    }
}

/// What belongs to one call of `send`, over all of its redirects.
struct SocketErrand {
    let request: HTTPRequest
    let deadline: Instant
    let interrupt: SocketInterrupt?
    var digest = BodyDigest()

    func exchange(_ connection: SocketConnection, _ clock: MonotonicClock, _ hop: HTTPHop) -> SocketExchange {
        SocketExchange(
            connection, clock: clock, deadline: deadline, request: request, interrupt: interrupt, hop: hop)
    }
}
