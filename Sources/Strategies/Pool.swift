import Results
import Threading

extension StrategyChoice {
    /// A fixed number of threads that take tasks from one queue.
    public static func pool(workers: Int) -> StrategyChoice {
        StrategyChoice(
            "pool-\(workers)",
            note:
                "\(workers == 1 ? "One thread" : "\(workers) threads") of its own taking tasks from one queue. As many tasks "
                + "that block at once hold up the rest; nothing else in the process is touched."
        ) { try Pool(workers: workers, threadName: "tm-pool") }
    }
}

/// Threads that sleep on a condition variable until there is a job. A resident thread is a pool of one.
final class Pool: Strategy {
    private struct State {
        var jobs = JobQueue()
        var closed = false
        var alive = 0
    }

    private let pending = PendingJobs()
    private let state = Monitor(State())
    /// Told apart from `state`, so that waking a worker never wakes the one who waits for the end instead.
    private let ended = Monitor(())

    init(workers: Int, threadName: String) throws(StrategyError) {
        for _ in 0..<max(workers, 1) {
            state.withLock { $0.alive += 1 }
            let refusal = startThread(named: threadName) { [self] in work() }
            guard refusal == 0 else {
                // A pool with fewer workers than its name says would measure something else under that name.
                let started = state.withLock { state in
                    state.alive -= 1
                    state.closed = true
                    return state.alive
                }
                state.wakeAll()
                throw StrategyError(
                    description: "the system refused thread \(started + 1) of \(workers) (\(errnoText(refusal)))")
            }
        }
    }

    func submit(_ job: @escaping @Sendable () -> Void) {
        let counted = pending.counted(job)
        state.withLock { $0.jobs.append(counted) }
        state.wakeOne()
    }

    private func work() {
        while let job = state.wait({ state -> (@Sendable () -> Void)?? in
            if let job = state.jobs.popFirst() { return .some(job) }
            return state.closed ? .some(nil) : nil
        }) { job() }
        state.withLock { $0.alive -= 1 }
        ended.withLock { _ in ended.wakeAll() }
    }

    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }

    func shutDown(within limit: Nanoseconds) -> Bool {
        state.withLock { $0.closed = true }
        state.wakeAll()
        return ended.wait(within: limit) { _ in state.withLock { $0.alive } == 0 }
    }
}
