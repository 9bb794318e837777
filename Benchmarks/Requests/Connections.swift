import HTTPStacks
import LocalServer
import TaskMeter

private let stack = Stack.axis(.curlEasy, .urlSession)
private let connection = Axis("connection", "kept", "new")
private let security = Axis("tls", false, true)
private let time = Metric("connected_time_p50", .nanoseconds, "median time of a request")
private let made = Metric("connections_made", .count, "connections that the server saw")

/// What a connection costs: each request over one that is kept, or over one of its own. The server counts the
/// connections, for not every stack tells of them.
let connections = Benchmark(
    "connections", "Fetches 1 KiB, one request after the other.", axes: [stack, security, connection],
    observing: [time, made]
) { parameters in
    let isSecure = parameters[security]
    var site = NginxSite(bodies: [1_024])
    (site.hasTLS, site.logsAccess) = (isSecure, true)
    let server = try LocalServer(site, folder: parameters.scratchFolder)
    let request = HTTPRequest(
        try server.url(.body(1_024), on: isSecure ? .tls : .plain),
        headers: [HTTPRequest.Header("X-Task", "0")],
        expected: HTTPExpectation(body: LocalServer.body(bytes: 1_024)))
    return Observing { observer in
        defer { server.stop() }
        var policy = ConnectionPolicy()
        (policy.keepsAlive, policy.connections) = (parameters[connection] == "kept", 1)
        policy.authority = server.authority
        try observer.tell(time) {
            let stack = try parameters[stack].choice(policy, clock: observer.clock)
            let times = try stack.outcomes(of: request, 50).map(\.length)
            observer.tell(time, percentile: 0.5, of: times)
            stack.shutDown()
            observer.tell(made, Set(try server.accessLog(ofTasks: 50).map(\.connection)).count)
        }
    }
}
.answering(Experiment("What does a new connection for each request cost?", comparing: connection, by: time))
.trials(atMost: 4)
