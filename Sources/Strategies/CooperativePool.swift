import Results

extension StrategyChoice {
    /// Swift concurrency: each task is a detached `Task` on the default executor.
    public static let cooperativePool = StrategyChoice(
        "cooperative-pool", "A detached Swift task for each: one thread per core, and never more.", .none, .cores,
        whenBlocked:
            "Work that blocks a thread, in place of suspending, holds up every other Swift task of the process.",
        submitting: "a Swift task, three allocations and an atomic exchange"
    ) { TaskStrategy { job in Task.detached { job() } } }

    /// Swift concurrency: one long-lived task, whose discarding task group has a child for each task.
    public static let taskGroup = StrategyChoice(
        "task-group",
        "One long-lived Swift task reads a stream, and adds a child to its discarding task group for each.", .none,
        .cores,
        whenBlocked:
            "Work that blocks a thread, in place of suspending, holds up every other Swift task of the process, "
            + "also the one that adds children.",
        submitting: "two allocations and a lock; the child task is made later"
    ) { TaskGroupStrategy() }
}

/// Jobs of Swift concurrency, each sent on its way by a closure.
final class TaskStrategy: Strategy {
    private let pending = PendingJobs()
    private let send: @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

    init(_ send: @escaping @Sendable (_ job: @escaping @Sendable () -> Void) -> Void) { self.send = send }

    func submit(_ job: @escaping @Sendable () -> Void) { send(pending.counted(job)) }
    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
}

final class TaskGroupStrategy: Strategy {
    private let jobs: AsyncStream<Job>.Continuation
    private let pending = PendingJobs()

    init() {
        let (stream, jobs) = AsyncStream.makeStream(of: Job.self)
        self.jobs = jobs
        Task.detached {
            await withDiscardingTaskGroup { group in
                for await job in stream { group.addTask { job.run() } }
            }
        }
    }

    deinit { jobs.finish() }

    func submit(_ job: @escaping @Sendable () -> Void) { jobs.yield(Job(pending.counted(job))) }
    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }

    func shutDown(within limit: Nanoseconds) -> Bool {
        guard pending.waitUntilNone(within: limit) else { return false }
        jobs.finish()
        return true
    }
}
