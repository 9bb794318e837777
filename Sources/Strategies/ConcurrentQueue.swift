import Dispatch
import Results
import Threading

extension StrategyChoice {
    /// A concurrent dispatch queue of one's own.
    public static let concurrentQueue = StrategyChoice(
        "concurrent-queue", "A concurrent dispatch queue of its own.", .submission, .growing(to: dispatchThreads),
        whenBlocked: "It draws on the threads of the global queue, and starves like it when tasks block.",
        submitting: "two allocations and an atomic exchange; a wake-up when a thread is idle"
    ) { DispatchQueueStrategy(DispatchQueue(label: "taskmeter.concurrent", attributes: .concurrent)) }

    /// A concurrent dispatch queue of one's own that runs at most `width` tasks at once.
    public static func concurrentQueue(width: Int) -> StrategyChoice {
        StrategyChoice(
            "concurrent-queue-\(width)", "A concurrent dispatch queue of its own, at most \(width) tasks at once.",
            .none, .fixed(max(width, 1)),
            whenBlocked: "It draws on the threads of the global queue, and starves like it when tasks block.",
            submitting: "three allocations, a lock and an atomic exchange; a wake-up when a thread is idle"
        ) { ConcurrentQueue(width: width) }
    }
}

/// Dispatch has no public way to bound a queue's width: jobs beyond it wait here, and each that ends sends the next.
final class ConcurrentQueue: Strategy {
    private let queue = DispatchQueue(label: "taskmeter.concurrent", attributes: .concurrent)
    private let pending = PendingJobs()
    private let width: Int
    private let state = Monitor((running: 0, waiting: JobQueue()))

    init(width: Int) { self.width = max(width, 1) }

    func submit(_ job: @escaping @Sendable () -> Void) {
        let counted = pending.counted(job)
        let mayRun = state.withLock { state in
            guard state.running < width else {
                state.waiting.append(Job(counted))
                return false
            }
            state.running += 1
            return true
        }
        if mayRun { send(counted) }
    }

    private func send(_ job: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            job()
            let next = state.withLock { state in
                let next = state.waiting.popFirst()
                if next == nil { state.running -= 1 }
                return next
            }
            if let next { send(next.run) }
        }
    }

    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
}
