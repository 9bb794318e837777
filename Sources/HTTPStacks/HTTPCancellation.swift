import Threading

/// Ends a request from outside of the stack that makes it. Used for one request; thread-safe.
public final class HTTPCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var handler: (@Sendable () -> Void)?
    }

    private let state = Monitor(State())

    public init() {}

    /// Whether the request shall end.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Asks for the end of the request; more than once is harmless, and so is after its end.
    public func cancel() {
        let handler = state.withLock { state in
            state.isCancelled = true
            defer { state.handler = nil }
            return state.handler
        }
        handler?()
    }

    /// What a stack does when the request shall end, on the thread that cancels; at once if it was cancelled before. Nil takes it back.
    public func onCancel(_ handler: (@Sendable () -> Void)?) {
        let isCancelled = state.withLock { state in
            state.handler = state.isCancelled ? nil : handler
            return state.isCancelled
        }
        if isCancelled { handler?() }
    }
}
