import Apparatus
import Dispatch
import HTTPStacks
import LocalServer
import Synchronization
import TaskMeter

private let stack = Stack.axis(.socket, .curlEasy, .curlMulti, .urlSession)
private let moment = Axis("moment", "half-of-body", "no-answer-yet")
private let delay = Metric("cancel_to_end", .nanoseconds, "time from the cancellation to the end")
private let late = Metric("bytes_after_cancel", .bytes, "bytes that still came after the cancellation")
private let next = Metric("next_request_right", .count, "whether the next request was right, 1 or 0", .higherIsBetter)

private let size = 4 * 1_024 * 1_024

/// Another thread cancels a request: when half of a body of 4 MiB has come that takes the server 0.2 s, or 30 ms after
/// it was sent to a server that says nothing. What comes afterwards on the same stack must not notice.
let cancel = Benchmark(
    "cancel", "Is cancelled by another thread.", axes: [stack, moment], observing: [delay, late, next]
) { parameters in
    var site = NginxSite(bodies: [1_024])
    site.isScripted = true
    let server = try LocalServer(site, folder: parameters.scratchFolder)
    let isBody = parameters[moment] == "half-of-body"
    let url = try server.url(isBody ? .slowBody(milliseconds: 200, bytes: size) : .never)
    let after = HTTPRequest(
        try server.url(.body(1_024)), expected: HTTPExpectation(body: LocalServer.body(bytes: 1_024)))
    return Observing { observer in
        defer { server.stop() }
        var policy = ConnectionPolicy()
        policy.connections = 1
        try observer.tell(delay) {
            let stack = try parameters[stack].choice(policy, clock: observer.clock)
            defer { stack.shutDown() }
            _ = try stack.outcomes(of: after, 1)
            let course = Course()
            let cancellation = HTTPCancellation()
            let request = HTTPRequest(
                url, timeLimit: .seconds(5), onBody: { course.note($0) }, cancellation: cancellation)
            let cancelling = try OwnThread { [clock = observer.clock] in
                if isBody { course.waitForHalf() } else { nap(.milliseconds(30)) }
                course.cancelled(at: clock.now())
                cancellation.cancel()
            }
            guard let outcome = stack.outcome(of: request) else {
                throw WrongResult("the request had not ended 10 s after its begin")
            }
            course.stopWaiting()
            guard cancelling.wait(within: .seconds(5)) else { throw WrongResult("nobody cancelled") }
            observer.tell(next, (try? stack.outcomes(of: after, 1)) == nil ? 0 : 1)
            guard let failure = outcome.failure else {
                return observer.tell(delay, unavailable: "all of it came before anybody was told of half")
            }
            guard failure.class == .cancelled else { throw failure }
            let (moment, bytes) = course.atCancellation
            observer.tell(delay, outcome.end - moment)
            observer.tell(late, outcome.hop.received - bytes)
        }
    }
}
.answering(Experiment("How soon does a cancelled request end?", comparing: stack, by: delay))
.trials(atMost: 5)

/// How far the body has come, and when it was cancelled.
private final class Course: Sendable {
    private struct State {
        var bytes = 0
        var moment = Instant(sinceOrigin: 0)
        var bytesThen = 0
    }

    private let state = Mutex(State())
    private let half = DispatchSemaphore(value: 0)

    func note(_ bytes: Int) {
        let isHalf = state.withLock { state in
            defer { state.bytes = bytes }
            return state.bytes < size / 2 && bytes >= size / 2
        }
        if isHalf { half.signal() }
    }

    func waitForHalf() { half.wait() }
    /// The request is over: whoever still waits is let go.
    func stopWaiting() { half.signal() }

    func cancelled(at moment: Instant) {
        state.withLock { state in
            state.moment = moment
            state.bytesThen = state.bytes
        }
    }

    var atCancellation: (moment: Instant, bytes: Int) { state.withLock { ($0.moment, $0.bytesThen) } }
}
