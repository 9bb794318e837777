import Results
import Synchronization
import Threading

extension StrategyChoice {
    /// A new thread for each task.
    public static let threadPerTask = StrategyChoice(
        "thread-per-task",
        "A new thread for each task. Each costs its creation, and what a worker keeps (a connection, a cache) is made "
            + "anew. When the system refuses a thread, submission waits.", .none, .unbounded,
        whenBlocked: "A task that blocks holds up no other.",
        submitting: "a thread, three allocations and two locks"
    ) { ThreadPerTask() }
}

final class ThreadPerTask: Strategy {
    private let pending = PendingJobs()
    private let alive = Monitor(0)
    private let refusals = Atomic<Int>(0)

    func submit(_ job: @escaping @Sendable () -> Void) {
        let counted = pending.counted(job)
        alive.withLock { $0 += 1 }
        let body: @Sendable () -> Void = { [self] in
            counted()
            alive.withLock { alive in
                alive -= 1
                self.alive.wakeAll()
            }
        }
        // The limit on threads (EAGAIN) is met when enough of them are alive: one that ends makes room.
        while startThread(named: "tm-task", body) != 0 {
            refusals.add(1, ordering: .relaxed)
            let before = alive.withLock { $0 }
            _ = alive.wait(within: .milliseconds(100)) { $0 < before }
        }
    }

    var refusedThreads: Int { refusals.load(ordering: .relaxed) }
    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { alive.wait(within: limit) { $0 == 0 } }
}
