import Clocks
import Dispatch
import Foundation
import FoundationNetworking
import HTTPStacks
import Results
import Threading

/// One request through a session: what is known of it so far, and who may end it.
///
/// Thread-safe: the session's queue tells it what came, a timer's queue and the caller may end it.
final class URLSessionTransfer: Sendable {
    private struct State {
        var outcome: HTTPOutcome
        var digest = BodyDigest()
        var bodySent = 0
        /// Why it was ended from here; the session then says no more than that it was cancelled.
        var reason: RequestFailure?
        var stop: (@Sendable () -> Void)?
        var isOver = false
    }

    let request: HTTPRequest
    private let clock: MonotonicClock
    private let state: Monitor<State>
    private let ended: @Sendable (HTTPOutcome) -> Void
    /// Calls back only after `begin`. Safe though unchecked: the functions of dispatch sources may be called by any
    /// thread (dispatch_source_create(3)), and it is set up by `begin` alone.
    private nonisolated(unsafe) let timer: (any DispatchSourceTimer)?

    /// Timers are told on a queue with a thread of its own, which no blocked pool holds up.
    private static let timers = DispatchQueue(label: "time limits of requests")

    init(
        _ request: HTTPRequest, _ clock: MonotonicClock, hasTimer: Bool,
        _ ended: @escaping @Sendable (HTTPOutcome) -> Void
    ) {
        self.request = request
        self.clock = clock
        self.ended = ended
        let now = clock.now()
        state = Monitor(State(outcome: HTTPOutcome(begin: now, end: now)))
        timer = hasTimer ? DispatchSource.makeTimerSource(queue: Self.timers) : nil
    }

    /// The session knows of the request.
    ///
    /// - Parameter stop: ends it there; may be called after its end.
    func begin(stop: @escaping @Sendable () -> Void) {
        let isUnderWay = state.withLock { state in
            if !state.isOver { state.stop = stop }
            return !state.isOver
        }
        guard isUnderWay else { return }
        if let timer {
            let limit = Int(clamping: request.timeLimit.count)
            timer.schedule(deadline: .now() + .nanoseconds(limit), leeway: .nanoseconds(0))
            timer.setEventHandler { [weak self] in self?.stop(because: RequestFailure(.timeOut, "of the request")) }
            timer.activate()
        }
        request.cancellation?.onCancel { [weak self] in self?.stop(because: RequestFailure(.cancelled, "by its caller"))
        }
    }

    private func stop(because reason: RequestFailure) {
        let stop = state.withLock { state in
            if state.reason == nil { state.reason = reason }
            defer { state.stop = nil }
            return state.stop
        }
        stop?()
    }

    /// The answer sends elsewhere. Returns whether that is followed.
    func redirect(status: Int) -> Bool {
        let now = clock.now()
        return state.withLock { state in
            guard state.outcome.redirects.count < request.mostRedirects else {
                if state.reason == nil { state.reason = .tooManyRedirects }
                return false
            }
            state.outcome.hop.firstByte = now
            state.outcome.redirects.append(state.outcome.hop)
            state.outcome.hop = HTTPHop()
            state.bodySent = 0
            return true
        }
    }

    /// Some of the request's body was taken to be sent.
    func send(_ count: Int) {
        let now = clock.now()
        state.withLock { state in
            state.bodySent += count
            if state.bodySent == request.body.count { state.outcome.hop.requestSent = now }
        }
    }

    /// An answer's head came.
    func receive(_ response: URLResponse) {
        let now = clock.now()
        // An interim answer (100) is told like a final one.
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200 else { return }
        state.withLock { state in
            state.outcome.status = response.statusCode
            state.outcome.hop.firstByte = now
            state.outcome.hop.expectedLength =
                response.expectedContentLength >= 0 ? Int(response.expectedContentLength) : nil
        }
    }

    /// Some of the body came.
    func receive(_ data: Data) {
        let now = clock.now()
        let count = state.withLock { state in
            state.outcome.hop.received += data.count
            // Of a body whose length was not told before, the end is told only by the end of all.
            if state.outcome.hop.received == state.outcome.hop.expectedLength { state.outcome.hop.lastByte = now }
            if request.expected.digest != nil {
                for region in data.regions { region.withUnsafeBytes { state.digest.add($0) } }
            }
            return state.outcome.hop.received
        }
        request.onBody?(count)
    }

    /// The final status, where no head was told.
    func note(status: Int) { state.withLock { $0.outcome.status = status } }

    /// It is over.
    func end(_ error: (any Error)?) {
        let now = clock.now()
        timer?.cancel()
        // A timer that was never activated must not be released.
        timer?.activate()
        request.cancellation?.onCancel(nil)
        let outcome = state.withLock { state -> HTTPOutcome? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.stop = nil
            if let error {
                let failure = error as? RequestFailure ?? RequestFailure(error, hasAnswer: state.outcome.status != nil)
                state.outcome.failure = state.reason ?? failure
            } else if state.reason?.class == .clientLimit {
                state.outcome.failure = state.reason
            } else if state.outcome.hop.lastByte == nil {
                state.outcome.hop.lastByte = now
            }
            state.outcome.end = now
            state.outcome.verify(request.expected, digest: state.digest)
            return state.outcome
        }
        if let outcome { ended(outcome) }
    }
}
