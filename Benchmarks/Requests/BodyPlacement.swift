import Apparatus
import HTTPStacks
import LocalServer
import Probes
import TaskMeter

private let stack = Stack.axis(.curlEasy)
private let placement = Axis("placement", "header", "header-large-limit", "with-length", "chunked")
private let bytes = Axis("bytes", [1_024, 8_300, 921_600, 2_097_152], full: [8_100, 65_536, 16_777_216])
private let time = Metric("placed_body_time_p50", .nanoseconds, "median time of a request")
private let memory = Metric("placed_body_memory", .bytes, "growth of this process’s peak memory")

/// Where a client may put what it has to say. A server holds the lines of a head in memory of a fixed size (nginx: 8
/// KiB each, and answers 400 beyond that; 20 MiB with `header-large-limit`), and libcurl makes no head of more than 1
/// MiB. A body has neither limit, and nobody looks through it for the end of a line.
///
/// All placements are answered alike, with how many bytes arrived.
let bodyPlacement = Benchmark(
    "body-placement", "Sends text in a header or as a body, and checks that all of it arrived.",
    axes: [stack, placement, bytes], observing: [time, memory]
) { parameters in
    var site = NginxSite(bodies: [])
    site.isScripted = true
    let server = try LocalServer(site, folder: parameters.scratchFolder)
    let placement = parameters[placement]
    let count = parameters[bytes]
    let request = HTTPRequest.placing(
        [UInt8](repeating: UInt8(ascii: "b"), count: count), placement,
        try server.url(
            placement.hasPrefix("header") ? .headerLength : .bodyLength,
            on: placement == "header-large-limit" ? .largeHeads : .plain))
    return Observing { observer in
        defer { server.stop() }
        var policy = ConnectionPolicy()
        policy.connections = 1
        try observer.tell(time) {
            let stack = try parameters[stack].choice(policy, clock: observer.clock)
            defer { stack.shutDown() }
            // A library's own memory for its first request is not the body's.
            _ = try stack.outcomes(
                of: HTTPRequest(try server.url(.bodyLength), expected: HTTPExpectation(text: "0\n")), 2)
            let start = PeakMemory.begin()
            let times = try stack.outcomes(of: request, 20, warmUps: 2).map(\.length)
            observer.tell(time, percentile: 0.5, of: times)
            observer.tellGrowth(since: start)
        }
    }
}
.answering(Experiment("Where should a request’s text go?", comparing: placement, along: bytes, by: time))
.trials(atMost: 5)

extension HTTPRequest {
    fileprivate static func placing(_ text: [UInt8], _ placement: String, _ url: String) -> HTTPRequest {
        let expected = HTTPExpectation(text: "\(text.count)\n")
        return switch placement {
        case "with-length": HTTPRequest(url, method: "POST", body: .bytes(text), expected: expected)
        case "chunked": HTTPRequest(url, method: "POST", body: .streamed(text), expected: expected)
        default:
            HTTPRequest(url, headers: [Header("X-Body", String(decoding: text, as: UTF8.self))], expected: expected)
        }
    }
}

extension Observer {
    fileprivate func tellGrowth(since start: PeakMemory) {
        switch start {
        case .refused(let reason): tell(memory, unavailable: reason)
        case .counting(let start):
            guard let peak = peakResidentMemory() else {
                return tell(memory, unavailable: "the kernel does not tell VmHWM")
            }
            guard peak - start >= PeakMemory.resolution else {
                return tell(memory, unavailable: "it is less than 256 KiB, by which such a reading may be off")
            }
            tell(memory, peak - start)
        }
    }
}
