import Glibc
import HTTPStacks
import LocalServer
import RequestTasks
import TaskMeter
import Threading

/// A server that answers after a millisecond and, 4 s after it was made ready, stands still for 1 s.
struct StallingServer {
    private let server: LocalServer
    let url: String

    /// When it stops (SIGSTOP), and for how long: well within the 10 s of a trial, whatever its warm-up takes.
    private static let (before, length): (UInt32, UInt32) = (4, 1)

    init(folder: String) throws {
        var site = NginxSite(bodies: [1_024])
        site.isScripted = true
        server = try LocalServer(site, folder: folder)
        url = try server.url(.slowFirstByte(milliseconds: 1, .body(1_024)))
        let refusal = startThread(named: "stall") { [server] in
            sleep(Self.before)
            do { try server.pause() } catch { return print("the server did not stand still: \(error)") }
            sleep(Self.length)
            server.resume()
        }
        guard refusal == 0 else {
            throw GeneratorFailed("no thread could be started: \(String(cString: strerror(refusal)))")
        }
    }

    func stop() { server.stop() }
}

private let stack = HTTPStackChoice.curlMulti(tellsSending: false)

/// Both ask as the generator of `taskmeter load` does.
private func requesting(_ parameters: Parameters, connections: Int) throws -> Work {
    let server = try StallingServer(folder: parameters.scratchFolder)
    var policy = ConnectionPolicy()
    policy.connections = connections
    return try .requesting(
        HTTPRequest(server.url), through: stack, policy, clock: parameters.clock, tells: .none,
        tearDown: { server.stop() })
}

/// The stall as an open loop sees it: a request is due each millisecond, whether or not the server stands still.
let stalledOpenLoop = Benchmark(
    "stall-open", "Fetches 1 KiB a thousand times a second from a server that stands still for 1 s of 10 s.",
    strategies: [stack.strategy(connections: 64)], tasks: 10_000, warmupTasks: 100,
    load: .open(perSecond: 1_000, .uniform)
) { try requesting($0, connections: 64) }
.trials(atMost: 1)

/// The same stall as a closed loop sees it: one request waits, and those that it holds up are not sent.
let stalledClosedLoop = Benchmark(
    "stall-closed", "Fetches 1 KiB again and again from a server that stands still for 1 s of 10 s.",
    strategies: [stack.strategy(connections: 1)], tasks: .during(.seconds(10)), warmupTasks: 100, load: .inFlight(1)
) { try requesting($0, connections: 1) }
.trials(atMost: 1)
