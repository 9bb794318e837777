import CLinux
import Glibc
import Synchronization
import TaskMeter
import Threading

/// Threads that compute without a pause, one for each processor that may be used: whoever wakes must take one from them.
final class BusyThreads: Sendable {
    private let stopping = Atomic<Bool>(false)
    private let running = Monitor(0)

    /// Starts them; returns when all run.
    init(_ count: Int = max(Int(clinux_usable_processors()), 1)) throws(BusyThreadsError) {
        var started = 0
        for _ in 0..<count {
            let refusal = startThread(named: "busy") { [self] in
                running.withLock { $0 += 1 }
                running.wakeAll()
                var value: UInt64 = 1
                while !stopping.load(ordering: .relaxed) {
                    for _ in 0..<1_000 { value = identity(value &* 6_364_136_223_846_793_005 &+ 1) }
                }
                blackHole(value)
                running.withLock { $0 -= 1 }
                running.wakeAll()
            }
            guard refusal == 0 else {
                waitForRunning(started)
                stop()
                throw BusyThreadsError(reason: String(cString: strerror(refusal)))
            }
            started += 1
        }
        waitForRunning(started)
    }

    /// Ends them; returns when all have.
    func stop() {
        stopping.store(true, ordering: .relaxed)
        running.wait { $0 == 0 ? () : nil }
    }

    private func waitForRunning(_ count: Int) { running.wait { $0 == count ? () : nil } }
}

/// Why there is no load.
struct BusyThreadsError: Error, CustomStringConvertible {
    var reason: String
    var description: String { "cannot start a thread that computes: \(reason)" }
}
