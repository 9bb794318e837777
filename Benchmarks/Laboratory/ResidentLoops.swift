import Apparatus
import CoreFoundation
import Dispatch
import Foundation
import Glibc
import Synchronization
import TaskMeter

private let home = Axis("home", "global-queue", "serial-queues", "own-threads")

private let fired = Metric(
    "timeouts_fired", .count, "time-outs that fired within half a second, of a hundred", .higherIsBetter)
private let lateness = Metric("timeout_lateness_max", .nanoseconds, "greatest lateness of a time-out that fired")
private let started = Metric("loops_started", .count, "run loops that ran at all, of a hundred", .higherIsBetter)

/// A resident run loop on the global queue: the note that this project began with.
///
/// Each request has a run loop that waits for an answer which never comes, and a time-out on the global queue, after which it gives
/// up. Run loops that sit on the global queue take its threads, one for each core and one more each second: the time-outs need the same
/// threads, and none is left for them. On threads of their own all of them fire.
///
/// A private serial queue for each request draws on another pool, of up to 255 threads at once: beyond those, requests wait.
let residentLoops = Benchmark(
    "resident-loops",
    "300 requests whose server never answers, each with a run loop and a time-out of one second (with --quick 100, and 0.2 s).",
    axes: [home], observing: [fired, lateness, started]
) { parameters in
    let requests = parameters.isQuick ? 100 : 300
    let timeout = Nanoseconds.milliseconds(parameters.isQuick ? 200 : 1_000)
    let home = parameters[home]
    // Each run loop takes three descriptors, each connection one.
    let needed = requests * 4 + 100
    let allowed = raiseDescriptorLimit(to: needed)
    return Observing { observer in
        guard allowed >= needed else {
            let reason = "it needs \(needed) open files, and this process may have \(allowed): raise `ulimit -n`"
            for metric in [fired, lateness, started] { observer.tell(metric, unavailable: reason) }
            return
        }
        let clock = observer.clock
        let server = try SilentServer(backlog: requests)
        let loops = Atomic<Int>(0)
        let waits = Mutex<[Nanoseconds]>([])
        let end = clock.now() + timeout + .milliseconds(500)
        let connections = Mutex<[CInt]>([])

        let request: @Sendable () -> Void = {
            loops.add(1, ordering: .relaxed)
            if let connection = server.connect() { connections.withLock { $0.append(connection) } }
            let loop = LoopOfThread()
            let due = clock.now() + timeout
            let over = Flag()
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(timeout.count))) {
                let late = clock.now() - due
                waits.withLock { $0.append(late) }
                over.raise()
                loop.stop()
            }
            // A run loop without a source returns at once: a timer far away keeps it.
            let keep = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
            RunLoop.current.add(keep, forMode: .default)
            // Until it is stopped. (Loops that look at a flag every 50 ms instead are 6,000 wake-ups a second for 300, and what
            // CoreFoundation guards by a lock that spins then holds up all of them now and then, for seconds.)
            while !over.isRaised, clock.now() < end {
                CFRunLoopRunInMode(kCFRunLoopDefaultMode, max((end - clock.now()).seconds, 0), false)
            }
            keep.invalidate()
        }

        var threads: [OwnThread] = []
        for number in 0..<requests {
            switch home {
            case "global-queue": DispatchQueue.global().async(execute: request)
            case "serial-queues": DispatchQueue(label: "request \(number)").async(execute: request)
            default: threads.append(try OwnThread(request))
            }
        }
        // Before the first of them give up, and make room for others.
        while end - clock.now() > .milliseconds(400) { nap(.milliseconds(5)) }
        let startedLoops = loops.load(ordering: .relaxed)
        while clock.now() < end { nap(.milliseconds(5)) }
        let inTime = waits.withLock { $0 }
        observer.tell(fired, Double(inTime.count * 100) / Double(requests))
        observer.tell(started, Double(startedLoops * 100) / Double(requests))
        if let latest = inTime.max() {
            observer.tell(lateness, latest)
        } else {
            observer.tell(lateness, unavailable: "none fired")
        }
        for connection in connections.withLock({ $0 }) { close(connection) }
        server.stop()
    }
}
.answering(Experiment("Do time-outs fire while run loops sit on the queue?", comparing: home, by: fired))
.trials(atMost: 5)

/// The run loop of the thread that makes it, for others to stop.
///
/// Unchecked Sendable: `CFRunLoopStop`, the only thing that is called on it from elsewhere, may be called from any thread.
private final class LoopOfThread: @unchecked Sendable {
    private let loop = CFRunLoopGetCurrent()
    func stop() { CFRunLoopStop(loop) }
}

private final class Flag: Sendable {
    private let raised = Atomic<Bool>(false)
    func raise() { raised.store(true, ordering: .releasing) }
    var isRaised: Bool { raised.load(ordering: .acquiring) }
}

private struct NoServer: Error, CustomStringConvertible {
    var reason: String
    var description: String { "no server on 127.0.0.1: \(reason)" }
}

/// A server that takes connections and never answers: the kernel completes them for it, and nobody reads.
private final class SilentServer: Sendable {
    private let listener: CInt
    private let address: sockaddr_in

    init(backlog: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isUp = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, Int32(backlog)) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        self.listener = listener
        self.address = address
        guard listener >= 0, isUp else { throw NoServer(reason: String(cString: strerror(errno))) }
    }

    /// Connects, and sends a request; nil where the kernel refuses.
    func connect() -> CInt? {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard client >= 0 else { return nil }
        _ = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        _ = request.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        return client
    }

    func stop() { close(listener) }
}

/// Raises the process's limit of open files as far as it may itself; returns what it then is.
private func raiseDescriptorLimit(to needed: Int) -> Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    if Int(limit.rlim_cur) < needed {
        limit.rlim_cur = min(limit.rlim_max, rlim_t(needed))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    return Int(clamping: limit.rlim_cur)
}
