import Results

/// One request, as every stack is given it.
///
/// A value: it may be sent often, and by several stacks.
public struct HTTPRequest: Sendable {
    /// A line of a request's head.
    public struct Header: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What is sent after the head.
    public enum Body: Sendable {
        case none
        /// With its length told before it (`Content-Length`).
        case bytes([UInt8])
        /// In pieces, whose sum nobody is told before (`Transfer-Encoding: chunked`).
        case streamed([UInt8])

        /// How many bytes it has.
        public var count: Int {
            switch self {
            case .none: 0
            case .bytes(let bytes), .streamed(let bytes): bytes.count
            }
        }
    }

    /// Absolute, with its scheme: `http://127.0.0.1:8080/body`.
    public var url: String
    public var method: String
    /// Beside those that a stack adds of its own, in this order.
    public var headers: [Header]
    public var body: Body
    /// How many redirects are followed; with one more the request fails.
    public var mostRedirects: Int
    /// How long all of it may take, redirects included.
    public var timeLimit: Nanoseconds
    /// What must come back for the request to count as done.
    public var expected: HTTPExpectation
    /// Called with the bytes of the final body so far, each time that some have come; on whatever thread the stack receives.
    public var onBody: (@Sendable (Int) -> Void)?
    /// By which another thread, or `onBody`, may end it.
    public var cancellation: HTTPCancellation?

    public init(
        _ url: String, method: String = "GET", headers: [Header] = [], body: Body = .none, mostRedirects: Int = 20,
        timeLimit: Nanoseconds = .seconds(30), expected: HTTPExpectation = HTTPExpectation(),
        onBody: (@Sendable (Int) -> Void)? = nil, cancellation: HTTPCancellation? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.mostRedirects = mostRedirects
        self.timeLimit = timeLimit
        self.expected = expected
        self.onBody = onBody
        self.cancellation = cancellation
    }
}

/// What an answer must be. A stack that is fast because it is wrong fails by it.
public struct HTTPExpectation: Hashable, Sendable {
    /// Nil for any.
    public var statuses: ClosedRange<Int>?
    /// How many bytes the body has; nil for any number.
    public var length: Int?
    /// The body's CRC-32, see `BodyDigest`; nil where it is not checked, and then no stack computes it.
    public var digest: UInt32?

    public init(status: Int = 200, length: Int? = nil, digest: UInt32? = nil) {
        self.init(statuses: status...status, length: length, digest: digest)
    }

    /// - Parameter statuses: nil for any.
    public init(statuses: ClosedRange<Int>?, length: Int? = nil, digest: UInt32? = nil) {
        self.statuses = statuses
        self.length = length
        self.digest = digest
    }

    /// What these bytes are, answered with 200.
    public init(body: [UInt8]) { self.init(length: body.count, digest: BodyDigest.of(body)) }
}
