import Results
import Threading

extension StrategyChoice {
    /// Swift concurrency: one actor, which a task for each job calls.
    public static let actor = StrategyChoice(
        "actor", "A Swift task for each, which calls one actor: one at a time, in no certain order.", .none, .one,
        whenBlocked:
            "A task that blocks a thread, in place of suspending, holds up all others, and one of the threads that "
            + "every Swift task of the process shares.",
        submitting: "a Swift task, three allocations and an atomic exchange; then a hop to the actor"
    ) {
        let runner = Runner()
        return TaskStrategy { job in Task.detached { await runner.run(job) } }
    }

    /// Swift concurrency: one actor with a thread of its own, which a task for each job calls.
    public static let serialExecutor = StrategyChoice(
        "serial-executor",
        "A Swift task for each, which calls one actor with a thread of its own: one at a time, in no certain order.",
        .none,
        .one,
        whenBlocked:
            "A task that blocks holds up all others, and nothing else in the process: the calls wait without a "
            + "thread.",
        submitting: "a Swift task, three allocations and an atomic exchange; then a hop to the actor's thread"
    ) { try SerialExecutorStrategy() }
}

private actor Runner {
    func run(_ job: @Sendable () -> Void) { job() }
}

private actor ThreadRunner {
    // Kept by the actor, whose calls can come as long as it lives.
    private let executor: ThreadSerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: ThreadSerialExecutor) { self.executor = executor }

    func run(_ job: @Sendable () -> Void) { job() }
}

/// An executor whose jobs run on one resident thread.
final class ThreadSerialExecutor: SerialExecutor {
    private let thread: ResidentThread

    init(_ thread: ResidentThread) { self.thread = thread }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        // A job that is never run leaks its task. The thread is stopped only after all tasks have ended.
        thread.submit { [self] in
            withExtendedLifetime(self) { job.runSynchronously(on: executor) }
        }
    }
}

final class SerialExecutorStrategy: Strategy {
    private let thread: ResidentThread
    private let runner: ThreadRunner
    private let pending = PendingJobs()

    init() throws(StrategyError) {
        thread = ResidentThread(name: "tm-executor", whenReleased: .drain)
        do { try thread.start() } catch { throw StrategyError(description: error.description) }
        runner = ThreadRunner(ThreadSerialExecutor(thread))
    }

    func submit(_ job: @escaping @Sendable () -> Void) {
        let counted = pending.counted(job)
        Task.detached { [runner] in await runner.run(counted) }
    }

    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }

    /// When no job is pending, no task needs the thread any more: each leaves it with the end of its job.
    func shutDown(within limit: Nanoseconds) -> Bool {
        let end = Deadline(after: limit)
        guard pending.waitUntilNone(within: limit) else { return false }
        return thread.stop(.drain, within: end.left) == .ended
    }
}
