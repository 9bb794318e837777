import HTTPStacks
import LocalServer
import TaskMeter

private let secureStack = Stack.axis(.curlEasy)
private let way = Axis(
    "way", "name-told", "localhost", "address", "address-without-certificate", "address-with-host-header",
    "name-without-certificate")
private let secureTime = Metric("cold_tls_time_p50", .nanoseconds, "median time of a client’s first request")
private let named = Metric(
    "server_name_share", .count, "share of requests whose server was told the name in TLS", .higherIsBetter)

/// How a server on the same machine may be reached over TLS. The name in the URL is the one that the server is told
/// (SNI), by which it chooses its certificate, and the one that the certificate must be for. A `Host` header is
/// neither: it is read when all that is done. Told in advance where a name is, a client needs no look-up and still asks
/// for the right certificate.
let byAddress = Benchmark(
    "by-address", "Fetches 1 KiB over TLS by a new client.", axes: [secureStack, way],
    observing: [secureTime, named]
) { parameters in
    var site = NginxSite(bodies: [1_024])
    (site.hasTLS, site.logsAccess) = (true, true)
    let way = parameters[way]
    // As from most servers of the world, which have none for their address.
    site.hasAddressCertificate = way == "localhost" || way == "address"
    let server = try LocalServer(site, folder: parameters.scratchFolder)
    let host =
        switch way {
        case "name-told": "one.test"
        case "localhost": "localhost"
        case "name-without-certificate": "three.test"
        default: "127.0.0.1"
        }
    let isHeader = way == "address-with-host-header"
    let request = HTTPRequest(
        try server.url(.body(1_024), on: .tls, host: host),
        headers: [HTTPRequest.Header("X-Task", "0")] + (isHeader ? [HTTPRequest.Header("Host", "one.test")] : []),
        expected: HTTPExpectation(body: LocalServer.body(bytes: 1_024)))
    return Observing { observer in
        defer { server.stop() }
        var policy = ConnectionPolicy()
        (policy.keepsAlive, policy.connections, policy.authority) = (false, 1, server.authority)
        if host.hasSuffix(".test") { policy = policy.telling([host], port: try server.port(.tls)) }
        try observer.tell(secureTime) {
            let outcomes = try parameters[secureStack].choice.coldOutcomes(
                of: request, 20, policy, clock: observer.clock)
            observer.tell(secureTime, percentile: 0.5, of: outcomes.map(\.length))
            let seen = try server.accessLog(ofTasks: 21)
            observer.tell(named, Double(seen.count { $0.serverName == host }) / Double(max(seen.count, 1)))
        }
    }
}
.answering(
    Experiment("How is a server reached over TLS without a look-up?", comparing: way, by: secureTime)
)
.trials(atMost: 5)
