import Results
import Threading

/// A thread that takes all jobs that were submitted at once, and has somebody run them.
final class BatchThread: Sendable {
    private struct State {
        var jobs: [Job] = []
        var isRunning = false
        var isClosed = false
        var hasEnded = false
    }

    private let state = Monitor(State())

    init(named name: String, running run: @escaping @Sendable ([Job]) -> Void) throws(StrategyError) {
        // The thread keeps the state, and not this object, whose end closes it.
        let refusal = startThread(named: name) { [state] in
            while let jobs = Self.next(state) { run(jobs) }
            state.withLock { $0.hasEnded = true }
            state.wakeAll()
        }
        guard refusal == 0 else {
            throw StrategyError(description: "the system refused the thread (\(errnoText(refusal)))")
        }
    }

    deinit { close() }

    private static func next(_ state: Monitor<State>) -> [Job]? {
        var wasRunning = true
        return state.wait { now -> [Job]?? in
            if wasRunning {
                now.isRunning = false
                wasRunning = false
                state.wakeAll()
            }
            guard now.jobs.isEmpty else {
                defer { now.jobs = [] }
                now.isRunning = true
                return .some(now.jobs)
            }
            return now.isClosed ? .some(nil) : nil
        }
    }

    func submit(_ run: @escaping @Sendable () -> Void) {
        let job = Job(run)
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            return state.jobs.count == 1 && !state.isRunning
        }
        // All, for who waits for the end waits in the same room.
        if isFirst { state.wakeAll() }
    }

    func waitUntilIdle(within limit: Nanoseconds) -> Bool {
        state.wait(within: limit) { $0.jobs.isEmpty && !$0.isRunning }
    }

    private func close() {
        state.withLock { $0.isClosed = true }
        state.wakeAll()
    }

    func shutDown(within limit: Nanoseconds) -> Bool {
        close()
        return state.wait(within: limit) { $0.hasEnded }
    }
}
