import Results
import Threading

/// An executor of tasks with one thread, on which nothing else runs.
final class ThreadExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isStopping = false
    }

    private let state = Monitor(State())

    /// - Throws: the errno's sentence when the system refuses a thread.
    init(named name: String) throws(ThreadRefusal) {
        let refusal = startThread(named: name) { self.run() }
        guard refusal == 0 else { throw ThreadRefusal(reason: errnoText(refusal)) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        state.wakeOne()
    }

    /// Ends the thread once it has done what was enqueued.
    func stop() {
        state.withLock { $0.isStopping = true }
        state.wakeOne()
    }

    private func run() {
        while true {
            let jobs = state.wait { state -> [UnownedJob]? in
                guard !state.jobs.isEmpty || state.isStopping else { return nil }
                defer { state.jobs.removeAll() }
                return state.jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}

/// The system gave no thread.
package struct ThreadRefusal: Error, CustomStringConvertible {
    package var reason: String
    package var description: String { "the system refuses a thread: \(reason)" }
}
