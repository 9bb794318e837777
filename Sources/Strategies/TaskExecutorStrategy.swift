import Results
import Threading

extension StrategyChoice {
    /// Swift concurrency on threads of one's own: each task is a `Task` that prefers an executor with so many.
    public static func taskExecutor(workers: Int) -> StrategyChoice {
        StrategyChoice(
            "task-executor-\(workers)",
            "A Swift task for each, which prefers an executor with "
                + "\(workers == 1 ? "one thread" : "\(workers) threads") of its own.", .submission,
            .fixed(max(workers, 1)),
            whenBlocked: "As many tasks that block at once hold up the rest; nothing else in the process is touched.",
            submitting: "a Swift task, four allocations and a lock; a wake-up when a thread is idle"
        ) { try TaskExecutorStrategy(workers: workers) }
    }
}

/// An executor whose jobs run on a pool of threads.
final class PoolExecutor: TaskExecutor {
    private let threads: ThreadPool

    init(_ threads: ThreadPool) { self.threads = threads }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

final class TaskExecutorStrategy: Strategy {
    private let threads: ThreadPool
    private let executor: PoolExecutor
    private let pending = PendingJobs()

    init(workers: Int) throws(StrategyError) {
        threads = try ThreadPool(kept: workers, upTo: workers, threadName: "tm-executor")
        executor = PoolExecutor(threads)
    }

    deinit { threads.close() }

    func submit(_ job: @escaping @Sendable () -> Void) {
        let counted = pending.counted(job)
        Task.detached(executorPreference: executor) { counted() }
    }

    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }

    func shutDown(within limit: Nanoseconds) -> Bool {
        let end = Deadline(after: limit)
        guard pending.waitUntilNone(within: limit) else { return false }
        threads.close()
        return threads.waitUntilEnded(within: end.left)
    }
}
