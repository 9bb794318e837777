import HTTPStacks
import LocalServer
import RequestTasks
import TaskMeter

private let uploaded = Axis("bytes", [4_096, 262_144], full: [4_194_304])
private let downloaded = Axis("bytes", [262_144], full: [4_194_304])
private let inFlight = Axis("in-flight", [16], full: [1, 64])

/// Each task blocks its thread in one request: what a strategy makes of that. Bodies go both ways, for the server sends
/// back what came; so each upload is checked byte by byte.
let upload = Benchmark(
    "upload", "Uploads a body to a server that sends it back, and checks all of it.", axes: [uploaded, inFlight],
    tasks: .by { $0[uploaded] > 1_000_000 ? 40 : 200 }, loadBy: { .inFlight($0[inFlight]) }
) { parameters in
    var site = NginxSite(bodies: [])
    site.isScripted = true
    let body = LocalServer.body(bytes: parameters[uploaded])
    return try blocking(parameters, site) {
        HTTPRequest(
            try $0.url(.echo), method: "POST", body: .bytes(body), expected: HTTPExpectation(body: body))
    }
}
.answering(Experiment("Which strategy uploads most?", along: inFlight, by: .throughput))
.called("blocking uploads").trials(atMost: 6)

/// The same without an upload; smaller bodies are those of `get`.
let download = Benchmark(
    "download", "Fetches a file, and checks all of it.", axes: [downloaded, inFlight],
    tasks: .by { $0[downloaded] > 1_000_000 ? 40 : 200 }, loadBy: { .inFlight($0[inFlight]) }
) { parameters in
    let bytes = parameters[downloaded]
    return try blocking(parameters, NginxSite(bodies: [bytes])) {
        HTTPRequest(try $0.url(.body(bytes)), expected: HTTPExpectation(body: LocalServer.body(bytes: bytes)))
    }
}
.answering(Experiment("Which strategy downloads most?", along: inFlight, by: .throughput))
.called("blocking downloads").trials(atMost: 6)

/// Requests by libcurl's easy interface, with a connection for each task in flight: none waits for any but its
/// strategy's threads.
private func blocking(
    _ parameters: Parameters, _ site: NginxSite, _ request: (LocalServer) throws -> HTTPRequest
) throws -> Work {
    let server = try LocalServer(site, folder: parameters.scratchFolder)
    var policy = ConnectionPolicy()
    policy.connections = parameters[inFlight]
    return try Work.requesting(
        try request(server), through: Stack.curlEasy.choice, policy, clock: parameters.clock,
        tearDown: { server.stop() })
}
