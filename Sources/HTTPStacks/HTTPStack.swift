import Clocks
import Results

/// A way of making HTTP requests: a library, or a way of using one.
///
/// All stacks are used through this, so that the same request is measured through each.
public protocol HTTPStack: AnyObject, Sendable {
    /// Makes one request. Thread-safe.
    ///
    /// - Parameter ended: called once, on whatever thread. A stack that `blocks` calls it before this returns.
    func send(_ request: HTTPRequest, _ ended: @escaping @Sendable (HTTPOutcome) -> Void)

    /// Closes connections and ends threads; only after the last request has ended.
    func shutDown()
}

/// Which connections a stack makes. The same for all stacks that are compared.
public struct ConnectionPolicy: Hashable, Sendable {
    /// The versions of HTTP that may be asked for.
    public enum Version: String, CaseIterable, Sendable {
        case http1 = "HTTP/1.1"
        /// Over TLS as the two sides agree (ALPN); without TLS from the first byte on (“prior knowledge”).
        case http2 = "HTTP/2"
    }

    /// Where a host is, told in advance: no look-up is made, and the URL's host stays the name that certificates and cookies are for.
    public struct Address: Hashable, Sendable {
        public var host: String
        public var port: Int
        public var address: String

        public init(host: String, port: Int, address: String) {
            self.host = host
            self.port = port
            self.address = address
        }
    }

    /// Whether a connection serves request after request; else each request opens and closes its own.
    public var keepsAlive = true
    /// At most so many connections at once to one server.
    public var connections = 8
    public var version = Version.http1
    /// A file of certificates (PEM) of the only authorities that are trusted; nil for those that the system trusts.
    public var authority: String?
    public var addresses: [Address] = []
    /// Whether cookies that came are sent with later requests to their host.
    public var keepsCookies = false

    public init() {}

    /// Where a host is, if that was told; names of hosts are the same in capitals and small letters (RFC 9110, 4.2.3).
    func toldAddress(ofHost host: String, port: Int) -> String? {
        addresses.first { $0.port == port && $0.host.lowercased() == host.lowercased() }?.address
    }
}

/// A stack by its name.
public struct HTTPStackChoice: Sendable {
    /// Part of benchmarks' identities, such as `curl-easy`; means the same for ever.
    public let name: String
    /// What it is, in a sentence, with its library's version.
    public let note: String
    /// Whether `send` returns only when the request has ended: such a stack needs a thread for each request in flight.
    public let blocks: Bool
    /// What it cannot do or tell, by what a person would look for, and why.
    public let limits: [Limit]
    private let make: @Sendable (ConnectionPolicy, MonotonicClock) throws -> any HTTPStack
    /// The stack as a loop that its user drives; nil where it has none.
    package let makeLoop: (@Sendable (ConnectionPolicy, MonotonicClock) throws(StackError) -> any RequestLoop)?

    /// What a stack does not do.
    public enum Ability: String, CaseIterable, Sendable {
        case connectionPhases = "phases of the connection"
        /// With whatever authority.
        case encryption = "TLS"
        case tls = "TLS with an authority of one's own"
        case http2 = "HTTP/2"
        case addresses = "addresses told in advance"
        case cookies
        case redirects
    }

    public struct Limit: Hashable, Sendable {
        public let lacks: Ability
        /// Goes on “because …”.
        public let reason: String

        public init(_ lacks: Ability, because reason: String) {
            self.lacks = lacks
            self.reason = reason
        }
    }

    public init(
        _ name: String, _ note: String, blocks: Bool, limits: [Limit] = [],
        make: @escaping @Sendable (ConnectionPolicy, MonotonicClock) throws -> any HTTPStack
    ) {
        self.init(name, note, blocks: blocks, limits: limits, makeLoop: nil, make: make)
    }

    /// A stack that is a loop: on a thread of its own, or driven by its user.
    init(
        _ name: String, _ note: String, blocks: Bool, limits: [Limit] = [],
        loop: @escaping @Sendable (ConnectionPolicy, MonotonicClock) throws(StackError) -> any RequestLoop
    ) {
        self.init(name, note, blocks: blocks, limits: limits, makeLoop: loop) { policy, clock in
            try LoopStack(named: "tm-\(name)", clock: clock) { () throws(StackError) in try loop(policy, clock) }
        }
    }

    private init(
        _ name: String, _ note: String, blocks: Bool, limits: [Limit],
        makeLoop: (@Sendable (ConnectionPolicy, MonotonicClock) throws(StackError) -> any RequestLoop)?,
        make: @escaping @Sendable (ConnectionPolicy, MonotonicClock) throws -> any HTTPStack
    ) {
        self.name = name
        self.note = note
        self.blocks = blocks
        self.limits = limits
        self.makeLoop = makeLoop
        self.make = make
    }

    /// Makes the stack.
    ///
    /// - Throws: `StackError` when it lacks what the policy asks for, or its library refuses.
    public func callAsFunction(_ policy: ConnectionPolicy, clock: MonotonicClock) throws -> any HTTPStack {
        try check(policy)
        return try make(policy, clock)
    }

    /// - Parameters:
    ///   - encrypts: whether requests go to `https`.
    ///   - redirects: whether they are to be followed.
    /// - Throws: `StackError` when the stack lacks what is asked for.
    package func check(_ policy: ConnectionPolicy, encrypts: Bool = false, redirects: Bool = false) throws(StackError) {
        func isNeeded(_ ability: Ability) -> Bool {
            policy.needs(ability) || ability == .encryption && encrypts || ability == .redirects && redirects
        }
        if let limit = limits.first(where: { isNeeded($0.lacks) }) {
            throw StackError(description: "\(name) has no \(limit.lacks.rawValue): \(limit.reason)")
        }
    }
}

extension ConnectionPolicy {
    /// Whether a stack must be able to do this.
    func needs(_ ability: HTTPStackChoice.Ability) -> Bool {
        switch ability {
        case .connectionPhases, .encryption, .redirects: false
        case .tls: authority != nil
        case .http2: version == .http2
        case .addresses: !addresses.isEmpty
        case .cookies: keepsCookies
        }
    }
}

/// Why there is no stack, in a sentence.
public struct StackError: Error, Hashable, CustomStringConvertible {
    public var description: String

    public init(description: String) { self.description = description }
}
