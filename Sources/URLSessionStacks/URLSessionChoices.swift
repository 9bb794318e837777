import HTTPStacks

extension HTTPStackChoice {
    /// `URLSession` of swift-corelibs-foundation with a delegate, on a queue of its own.
    ///
    /// `firstByte` is when the delegate was told of the answer's head, and in a redirect when it was told of the
    /// redirect, whose body had come by then. `requestSent` is there only for bodies, and up to a buffer of libcurl's
    /// (64 KiB) too early: the delegate is told when libcurl takes the bytes, not when the kernel does. A proxy that
    /// the environment names is used; there is no way to forbid it.
    public static let urlSession = urlSession(usesOwnTimeOuts: true)

    /// `URLSession` of swift-corelibs-foundation by `data(for:)`, from a task of Swift's own for each request.
    ///
    /// The body comes in one piece at the end, and of phases there is only the last byte. There is no `bytes(for:)` on
    /// Linux.
    public static let urlSessionAsync = urlSessionAsync(usesOwnTimeOuts: true)

    /// - Parameter usesOwnTimeOuts: whether a timer of ours ends requests at their limit; else the session is given the
    ///   limit, which it cuts to whole seconds (less than one second is over after 1 ms) and counts anew with each
    ///   piece of data.
    package static func urlSession(usesOwnTimeOuts: Bool) -> HTTPStackChoice {
        HTTPStackChoice(
            "urlsession", "URLSession of swift-corelibs-foundation, with a delegate", blocks: false,
            limits: sessionLimits
        ) { policy, clock in URLSessionStack(policy, clock, usesOwnTimeOuts: usesOwnTimeOuts) }
    }

    /// - Parameters:
    ///   - usesOwnTimeOuts: see `urlSession(usesOwnTimeOuts:)`.
    ///   - executor: where its tasks run; nil for the pool that all tasks of Swift share.
    package static func urlSessionAsync(
        usesOwnTimeOuts: Bool, on executor: (any TaskExecutor)? = nil
    ) -> HTTPStackChoice {
        HTTPStackChoice(
            "urlsession-async", "URLSession of swift-corelibs-foundation, by data(for:)", blocks: false,
            limits: sessionLimits + [untoldRedirects]
        ) { policy, clock in URLSessionAsyncStack(policy, clock, usesOwnTimeOuts: usesOwnTimeOuts, executor: executor) }
    }
}

/// What neither can do, on Linux.
private let sessionLimits: [HTTPStackChoice.Limit] = [
    .init(
        .connectionPhases,
        because: "on Linux it never delivers URLSessionTaskMetrics (swift-corelibs-foundation issue 4988)"),
    .init(
        .tls,
        because:
            "on Linux it trusts only the system's authorities: it asks no delegate and reads no variable about them"
    ),
    .init(.http2, because: "it takes HTTP/2 over TLS where the server offers it, and nothing chooses between versions"),
    .init(.addresses, because: "it has no setting for where a host is"),
]

private let untoldRedirects = HTTPStackChoice.Limit(
    .redirects,
    because:
        "on Linux data(for:) asks no delegate about redirects: 20 are followed, and none is told of"
)
