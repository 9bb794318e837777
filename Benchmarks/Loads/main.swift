import HTTPStacks
import LocalServer
import TaskMeter

// Our generators of load beside those that everybody knows, on one server and the same processors, and what they tell of a stall. Not
// part of a run of all suites: `make bench-load` runs it, and checks the figures that TaskMeter promises.

private let generator = Axis("by", Generator.allCases.map(\.rawValue))
private let inFlight = Axis("inflight", 1, 8)
private let stack = Axis("stack", HTTPStackChoice.curlMulti().name, HTTPStackChoice.socketEpoll.name)
private let recorded = Axis("recorded", true, false)

private let throughput = Metric("requests_per_second", .perSecond, "requests a second", .higherIsBetter)
private let latency = Metric("median_latency", .nanoseconds, "median time of a request")

/// What all of them fetch.
private let bytes = 1_024

Suite("Loads", runsByDefault: false) {
    Benchmark(
        "throughput", "Fetches 1 KiB for two seconds over connections that are kept, as often as it goes.",
        axes: [generator, inFlight], observing: [throughput, latency]
    ) { parameters in
        guard let by = Generator(rawValue: parameters[generator]) else { throw GeneratorFailed("unknown") }
        let server = try LocalServer(NginxSite(bodies: [bytes]), folder: parameters.scratchFolder)
        let url = try server.url(.body(bytes))
        return Observing { observer in
            defer { server.stop() }
            let told = try by.run(url, inFlight: parameters[inFlight], folder: parameters.scratchFolder)
            observer.tell(throughput, told.perSecond)
            switch told.median {
            case .success(let median): observer.tell(latency, median)
            case .failure(let untold): observer.tell(latency, unavailable: untold.reason)
            }
        }
    }
    .answering(Experiment("Which generator asks the most of a server?", comparing: generator, by: throughput))

    Benchmark(
        "recording", "Fetches 1 KiB for two seconds, with a record of each request or without.",
        axes: [recorded, stack], observing: [throughput]
    ) { parameters in
        let server = try LocalServer(NginxSite(bodies: [bytes]), folder: parameters.scratchFolder)
        let url = try server.url(.body(bytes))
        return Observing { observer in
            defer { server.stop() }
            let loop = ClosedLoop(url: url, inFlight: 8, recorder: parameters[recorded] ? observer.tasks : nil)
            observer.tell(throughput, try loop.run(parameters[stack], clock: observer.clock))
        }
    }
    .answering(Experiment("What does a record of every request cost?", comparing: recorded, by: throughput))

    stalledOpenLoop
    stalledClosedLoop
}.main()
