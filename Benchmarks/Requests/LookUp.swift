import Glibc
import HTTPStacks
import LocalServer
import TaskMeter

private let stack = Stack.axis(.socket, .curlEasy)
private let host = Axis("host", "address", "told", "localhost", "own-name")
private let coldTime = Metric("cold_time_p50", .nanoseconds, "median time of a client’s first request")
private let nameTime = Metric("name_time_p50", .nanoseconds, "median time until the name had an address")

/// What a look-up costs that goes no farther than a file of this machine: the least that any does. libcurl knows
/// `localhost` by itself; the machine's own name goes through getaddrinfo(3) everywhere, and for libcurl to a thread of
/// its own for each look-up.
let lookUp = Benchmark(
    "look-up", "Fetches 1 KiB by a new client.", axes: [stack, host], observing: [coldTime, nameTime]
) { parameters in
    let server = try LocalServer(NginxSite(bodies: [1_024]), folder: parameters.scratchFolder)
    let host = parameters[host]
    let name =
        switch host {
        case "told": "one.test"
        case "localhost": "localhost"
        case "own-name": ownName()
        default: "127.0.0.1"
        }
    let request = HTTPRequest(
        try server.url(.body(1_024), host: name), expected: HTTPExpectation(body: LocalServer.body(bytes: 1_024)))
    return Observing { observer in
        defer { server.stop() }
        var policy = ConnectionPolicy()
        (policy.keepsAlive, policy.connections) = (false, 1)
        if host == "told" { policy = policy.telling([name], port: try server.port(.plain)) }
        try observer.tell(coldTime) {
            let outcomes = try parameters[stack].choice.coldOutcomes(of: request, 40, policy, clock: observer.clock)
            observer.tell(coldTime, percentile: 0.5, of: outcomes.map(\.length))
            let lookUps = outcomes.compactMap { outcome in outcome.hop.nameResolved.map { $0 - outcome.begin } }
            if lookUps.isEmpty {
                observer.tell(nameTime, unavailable: "the stack does not tell when a name had an address")
            } else {
                observer.tell(nameTime, percentile: 0.5, of: lookUps)
            }
        }
    }
}
.answering(Experiment("What does a look-up of a name cost?", comparing: host, by: coldTime))
.trials(atMost: 5)

/// The machine's own name, as most machines know it without asking anybody.
private func ownName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
