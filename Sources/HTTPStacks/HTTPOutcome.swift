import Recording
import Results

/// What became of a request, and when.
///
/// Moments are by the clock that the stack was given. What a stack cannot see is nil, never made up.
public struct HTTPOutcome: Sendable {
    public var begin: Instant
    public var end: Instant
    /// What went before the final answer, one for each redirect that was followed.
    public var redirects: [HTTPHop] = []
    /// The request for the final answer, or the one that failed.
    public var hop = HTTPHop()
    /// Of the final answer; nil when none came.
    public var status: Int?
    /// The cause of failure; nil when all is as expected.
    public var failure: RequestFailure?

    public init(begin: Instant, end: Instant) {
        self.begin = begin
        self.end = end
    }

    /// Bytes that were sent, heads included; nil when the stack does not tell.
    public var sent: Int? { hop.sent.map { last in redirects.reduce(last) { $0 + ($1.sent ?? 0) } } }

    /// Status for the task that this request is.
    public var taskStatus: TaskStatus {
        switch failure {
        case nil: .ok
        case let failure? where failure.class == .cancelled: .cancelled
        case let failure?: .failed(reason: failure.description)
        }
    }

    /// Calls `body` with each phase that the stack saw, in order, and the bytes that it tells of.
    // hot path: no allocation, no lock
    @inlinable
    public func forEachPhase(_ body: (Phase, Instant, Int?) -> Void) {
        for hop in redirects {
            hop.forEachPhaseOfConnection(body)
            if let moment = hop.firstByte { body(RequestPhase.redirected, moment, nil) }
        }
        hop.forEachPhaseOfConnection(body)
        if let moment = hop.firstByte { body(RequestPhase.firstByte, moment, hop.expectedLength) }
        if let moment = hop.lastByte { body(RequestPhase.lastByte, moment, hop.received) }
    }

    /// Checks status, length and digest, for stacks whose transfer went well.
    ///
    /// - Parameter digest: of the body, where one is expected.
    public mutating func verify(_ expected: HTTPExpectation, digest: BodyDigest) {
        guard failure == nil else { return }
        if let wanted = expected.statuses, !(status.map(wanted.contains) ?? false) {
            let text = wanted.count == 1 ? "\(wanted.lowerBound)" : "\(wanted.lowerBound) to \(wanted.upperBound)"
            failure = RequestFailure(.status, "\(status.map(String.init) ?? "none") instead of \(text)")
        } else if let wanted = expected.length, hop.received != wanted {
            failure = RequestFailure(.wrongBody, "another length than expected")
        } else if let wanted = expected.digest, digest.value != wanted {
            failure = RequestFailure(.wrongBody, "the right length, and other bytes than expected")
        }
    }
}

/// One request and its answer, on the way to the final one.
public struct HTTPHop: Sendable {
    /// Whether it went over a connection that was open before; nil when the stack does not tell.
    public var reusedConnection: Bool?
    /// Nil where there was nothing to look up, too: on a connection that was used again. libcurl does not tell of a
    /// second connection that it needed because the server had closed the first.
    public var nameResolved: Instant?
    public var connected: Instant?
    public var tlsDone: Instant?
    public var ready: Instant?
    public var requestSent: Instant?
    public var firstByte: Instant?
    /// Of the body, as the answer's head announced it.
    public var expectedLength: Int?
    public var lastByte: Instant?
    /// Bytes that were sent, the head included.
    public var sent: Int?
    /// Bytes of the body that came.
    public var received = 0

    public init() {}

    @inlinable
    func forEachPhaseOfConnection(_ body: (Phase, Instant, Int?) -> Void) {
        if let moment = nameResolved { body(RequestPhase.nameResolved, moment, nil) }
        if let moment = connected { body(RequestPhase.connected, moment, nil) }
        if let moment = tlsDone { body(RequestPhase.tlsDone, moment, nil) }
        if let moment = ready { body(RequestPhase.ready, moment, nil) }
        if let moment = requestSent { body(RequestPhase.requestSent, moment, sent) }
    }
}
