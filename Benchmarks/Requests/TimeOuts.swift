import HTTPStacks
import LocalServer
import TaskMeter
import URLSessionStacks

private let stack = Axis(
    "stack",
    [Stack.curlEasy, .curlMulti, .urlSession, Stack(.urlSession(usesOwnTimeOuts: false), as: "urlsession-own-limit")],
    full: [.socket, .urlSessionAsync])
private let asked = Axis("limit-ms", [500], full: [900, 1_000, 1_900])
private let error = Metric("time_limit_error", .nanoseconds, "miss of the time limit, early or late")
private let lateness = Metric("time_limit_lateness", .nanoseconds, "lateness of the end by the time limit")

/// A server that never answers, and a client that waits only so long. `urlsession-own-limit` is given the limit as its
/// `timeoutInterval`; the other `urlsession` is ended by a timer beside it.
let timeOuts = Benchmark(
    "time-outs", "Waits for an answer that never comes.", axes: [stack, asked], observing: [error, lateness]
) { parameters in
    var site = NginxSite(bodies: [])
    site.isScripted = true
    let server = try LocalServer(site, folder: parameters.scratchFolder)
    let limit = Nanoseconds.milliseconds(Double(parameters[asked]))
    let warmUp = HTTPRequest(try server.url(.status(200)))
    let request = HTTPRequest(try server.url(.never), timeLimit: limit)
    return Observing { observer in
        defer { server.stop() }
        try observer.tell(error) {
            let stack = try parameters[stack].choice(ConnectionPolicy(), clock: observer.clock)
            defer { stack.shutDown() }
            _ = try stack.outcomes(of: warmUp, 1)
            guard let outcome = stack.outcome(of: request) else {
                return observer.tell(error, unavailable: "it had not ended \(limit.seconds + 5) s after its begin")
            }
            guard outcome.failure?.class == .timeOut else {
                throw outcome.failure ?? RequestFailure(.protocol, "an answer came where there is none")
            }
            let late = (outcome.length - limit).count
            observer.tell(lateness, Double(late))
            observer.tell(error, Double(abs(late)))
        }
    }
}
.answering(Experiment("Whose time limit comes on time?", comparing: stack, along: asked, by: error))
.trials(atMost: 5)
