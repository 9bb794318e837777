import Dispatch
import Results

extension StrategyChoice {
    /// Rounds of `DispatchQueue.concurrentPerform`, each of all that was submitted during the one before.
    public static let concurrentPerform = StrategyChoice(
        "concurrent-perform",
        "A thread of its own runs what was submitted as one `concurrentPerform` after another.", .none, .cores,
        whenBlocked: "A task that blocks holds up all that were submitted after its round began.",
        submitting: "an allocation and a lock; a wake-up when the thread is idle"
    ) { try ConcurrentPerform() }
}

final class ConcurrentPerform: Strategy {
    private let gathering: BatchThread

    init() throws(StrategyError) {
        gathering = try BatchThread(named: "tm-perform") { jobs in
            // One job needs no company, nor what it costs to ask for some.
            if jobs.count == 1 { return jobs[0].run() }
            DispatchQueue.concurrentPerform(iterations: jobs.count) { jobs[$0].run() }
        }
    }

    func submit(_ job: @escaping @Sendable () -> Void) { gathering.submit(job) }
    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { gathering.waitUntilIdle(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { gathering.shutDown(within: limit) }
}
