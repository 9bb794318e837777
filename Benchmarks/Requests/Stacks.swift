import HTTPStacks
import LocalServer
import RequestTasks
import TaskMeter

private let bytes = Axis("bytes", [1_024, 65_536], full: [1_048_576])
private let version = Axis("http", ["1.1"], full: ["2"])
private let inFlight = 8

/// The same request, eight in flight, by each stack. `socket` is the floor: what the kernel and the server take, with
/// no library at all.
let stacksOverPlain = Benchmark(
    "stacks", "Fetches a file, and checks all of it.",
    strategies: Stack.all.map { $0.choice.strategy(connections: inFlight) },
    axes: [bytes], tasks: 400, load: .inFlight(inFlight)
) { parameters in
    let server = try LocalServer(NginxSite(bodies: [parameters[bytes]]), folder: parameters.scratchFolder)
    return try fetching(parameters, from: server, ConnectionPolicy(), url: try server.url(.body(parameters[bytes])))
}
.answering(Experiment("Which stack makes the same request fastest?", along: bytes, by: .throughput))
.called("requests without TLS").trials(atMost: 6)

/// The same over TLS, by those stacks that can be told whom to trust. The others are left out, for a benchmark of tasks
/// has no number that could be missing for a reason; `connections` tells the reasons.
let stacksOverTLS = Benchmark(
    "stacks-tls", "Fetches a file over TLS, and checks all of it.",
    strategies: Stack.all.filter { $0.can(.tls) }.map { $0.choice.strategy(connections: inFlight) },
    axes: [bytes, version], tasks: 400, load: .inFlight(inFlight)
) { parameters in
    var site = NginxSite(bodies: [parameters[bytes]])
    site.hasTLS = true
    let server = try LocalServer(site, folder: parameters.scratchFolder)
    var policy = ConnectionPolicy().telling(["one.test"], port: try server.port(.tls))
    policy.authority = server.authority
    policy.version = parameters[version] == "2" ? .http2 : .http1
    let url = try server.url(.body(parameters[bytes]), on: .tls, host: "one.test")
    return try fetching(parameters, from: server, policy, url: url)
}
.answering(Experiment("Which stack makes the same request over TLS fastest?", along: bytes, by: .throughput))
.called("requests over TLS").trials(atMost: 6)

private func fetching(
    _ parameters: Parameters, from server: LocalServer, _ policy: ConnectionPolicy, url: String
) throws -> Work {
    var policy = policy
    policy.connections = inFlight
    guard let stack = Stack.all.first(where: { $0.name == parameters.strategy?.name }) else {
        throw StackError(description: "there is no stack of this name")
    }
    let request = HTTPRequest(url, expected: HTTPExpectation(body: LocalServer.body(bytes: parameters[bytes])))
    return try Work.requesting(
        request, through: stack.choice, policy, clock: parameters.clock,
        // What comes in one piece has no progress.
        tells: parameters[bytes] > 16_384 ? .allWithProgress : .all, tearDown: { server.stop() })
}
