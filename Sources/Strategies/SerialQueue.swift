import Dispatch
import Results

extension StrategyChoice {
    /// One serial dispatch queue of one's own.
    public static let serialQueue = StrategyChoice(
        "serial-queue", "One serial dispatch queue: one task at a time, in order of submission.", .submission, .one,
        whenBlocked: "A task that blocks holds up all that come after it.",
        submitting: "two allocations and an atomic exchange; a wake-up when the queue is idle"
    ) { DispatchQueueStrategy(DispatchQueue(label: "taskmeter.serial")) }
}

/// A dispatch queue with what Dispatch does not tell: whether all that was submitted has ended.
final class DispatchQueueStrategy: Strategy {
    private let queue: DispatchQueue
    private let pending = PendingJobs()

    init(_ queue: DispatchQueue) { self.queue = queue }

    func submit(_ job: @escaping @Sendable () -> Void) { queue.async(execute: pending.counted(job)) }
    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
}
