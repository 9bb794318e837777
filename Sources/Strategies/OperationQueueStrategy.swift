import Foundation
import Results

extension StrategyChoice {
    /// An operation queue of default width.
    public static let operationQueue = StrategyChoice(
        "operation-queue", "Foundation's operation queue, as wide as it chooses.", .none,
        .growing(to: dispatchThreads),
        whenBlocked: "It draws on the threads of the global queue, and starves like it when tasks block.",
        submitting: "an operation object, several locks, and key-value observation"
    ) { OperationQueueStrategy(width: nil) }

    /// An operation queue that runs at most `width` tasks at once.
    public static func operationQueue(width: Int) -> StrategyChoice {
        StrategyChoice(
            "operation-queue-\(width)", "Foundation's operation queue, at most \(width) tasks at once.", .none,
            .fixed(max(width, 1)),
            whenBlocked: "It draws on the threads of the global queue, and starves like it when tasks block.",
            submitting: "an operation object, several locks, and key-value observation"
        ) { OperationQueueStrategy(width: width) }
    }
}

final class OperationQueueStrategy: Strategy {
    private let queue = OperationQueue()
    private let pending = PendingJobs()

    init(width: Int?) { if let width { queue.maxConcurrentOperationCount = max(width, 1) } }

    func submit(_ job: @escaping @Sendable () -> Void) { queue.addOperation(pending.counted(job)) }
    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
}
