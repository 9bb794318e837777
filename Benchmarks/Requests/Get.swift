import LocalServer
import TaskMeter

private let bytes = Axis("bytes", [1_024, 65_536], full: [1_048_576])
private let keepAlive = Axis("keepalive", [true], full: [false])

/// The least that a request can be to a strategy: an easy handle of libcurl for each worker, and no phases.
let get = Benchmark(
    "get", "Fetches a file from an nginx on this machine by libcurl.", axes: [bytes, keepAlive],
    tasks: 500, load: .inFlight(32)
) { parameters in
    let server = try LocalServer(NginxSite(bodies: [parameters[bytes]]), folder: parameters.scratchFolder)
    let url = try server.url(.body(parameters[bytes]))
    let client = WorkerLocal {
        try HTTPClient(url: url, bodyBytes: parameters[bytes], keepsAlive: parameters[keepAlive])
    }
    return Work { task in
        task.moved(bytes: try client().get())
    } tearDown: {
        server.stop()
    }
}
