import Dispatch
import Results

extension StrategyChoice {
    /// One serial dispatch queue of one's own.
    public static let serialQueue = StrategyChoice(
        "serial-queue",
        note: "One serial dispatch queue: one task at a time, in order of submission. A task that blocks holds up all "
            + "that come after it."
    ) { SerialQueue() }
}

final class SerialQueue: Strategy {
    private let queue = DispatchQueue(label: "taskmeter.serial")
    private let pending = PendingJobs()

    func submit(_ job: @escaping @Sendable () -> Void) { queue.async(execute: pending.counted(job)) }
    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
}
