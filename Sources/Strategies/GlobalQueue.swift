import Dispatch
import Results

extension StrategyChoice {
    /// The global concurrent dispatch queue of default priority.
    public static let globalQueue = StrategyChoice(
        "global-queue",
        note: "The global dispatch queue: as many threads as cores at first. When all of them block, Linux gains about "
            + "one thread a second, up to 255; until then tasks wait, and so does all else that uses this queue."
    ) { GlobalQueue() }
}

final class GlobalQueue: Strategy {
    private let queue = DispatchQueue.global()
    private let pending = PendingJobs()

    func submit(_ job: @escaping @Sendable () -> Void) { queue.async(execute: pending.counted(job)) }
    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
}
