import Apparatus
import Dispatch
import Foundation
import FoundationNetworking
import HTTPStacks
import LocalServer
import TaskMeter

private let stack = Axis(
    "stack", [Stack.curlEasy, .urlSession, Stack(.urlSessionOnDefaultQueue)],
    full: [.socket, Stack(.socketEpoll), .curlMulti, .urlSessionAsync])
private let time = Metric("time_while_blocked", .nanoseconds, "time of a request while the global queue is blocked")
private let free = Metric("time_before_blocked", .nanoseconds, "time of a request before")

/// Whether a request ends while others block all threads of `DispatchQueue.global()`. A session without a queue of its
/// own gives its answers there, and waits for threads that nobody gives back.
let isolation = Benchmark(
    "isolation", "Fetches 1 KiB while 300 blocks on the global queue sleep.", axes: [stack], observing: [time, free]
) { parameters in
    let server = try LocalServer(NginxSite(bodies: [1_024]), folder: parameters.scratchFolder)
    let request = HTTPRequest(
        try server.url(.body(1_024)), timeLimit: .seconds(2),
        expected: HTTPExpectation(body: LocalServer.body(bytes: 1_024)))
    return Observing { observer in
        defer { server.stop() }
        try observer.tell(time) {
            let stack = try parameters[stack].choice(ConnectionPolicy(), clock: observer.clock)
            observer.tell(free, try stack.outcomes(of: request, 1, warmUps: 1)[0].length)
            // They sleep until the trial's process ends.
            for _ in 0..<300 { DispatchQueue.global().async { nap(.seconds(60)) } }
            nap(.milliseconds(20))
            guard let outcome = stack.outcome(of: request, within: .milliseconds(2_200)) else {
                return observer.tell(time, unavailable: "time-out: no end within 2.2 s, though it may take 2 s")
            }
            if let failure = outcome.failure { throw failure }
            observer.tell(time, outcome.length)
            stack.shutDown()
        }
    }
}
.answering(
    Experiment("Whose requests end while the global queue is blocked?", comparing: stack, by: time)
)
.trials(atMost: 5)

extension HTTPStackChoice {
    /// A session as most programs make it, which is given no queue.
    fileprivate static var urlSessionOnDefaultQueue: HTTPStackChoice {
        HTTPStackChoice(
            "urlsession-default-queue", "URLSession of swift-corelibs-foundation, on the queue it makes itself",
            blocks: false
        ) { _, clock in DefaultQueueStack(clock) }
    }
}

private final class DefaultQueueStack: HTTPStack {
    private let session = URLSession(configuration: .ephemeral)
    private let clock: MonotonicClock

    init(_ clock: MonotonicClock) { self.clock = clock }

    func send(_ request: HTTPRequest, _ ended: @escaping @Sendable (HTTPOutcome) -> Void) {
        let begin = clock.now()
        guard let url = URL(string: request.url) else { return }
        let task = session.dataTask(with: url) { [clock] data, response, error in
            var outcome = HTTPOutcome(begin: begin, end: clock.now())
            outcome.status = (response as? HTTPURLResponse)?.statusCode
            outcome.hop.received = data?.count ?? 0
            if let error { outcome.failure = RequestFailure(.protocol, error.localizedDescription) }
            var digest = BodyDigest()
            data?.withUnsafeBytes { digest.add($0) }
            outcome.verify(request.expected, digest: digest)
            ended(outcome)
        }
        task.resume()
    }

    func shutDown() { session.invalidateAndCancel() }
}
