import Results

extension StrategyChoice {
    /// Swift concurrency: each task is a detached `Task` on the default executor.
    public static let cooperativePool = StrategyChoice(
        "cooperative-pool",
        note:
            "A detached Swift task for each: one thread per core, and never more. Work that blocks a thread, in place "
            + "of suspending, holds up every other Swift task of the process."
    ) { CooperativePool() }
}

final class CooperativePool: Strategy {
    private let pending = PendingJobs()

    func submit(_ job: @escaping @Sendable () -> Void) {
        let counted = pending.counted(job)
        Task.detached { counted() }
    }

    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
}
