import Dispatch
import Results
import Synchronization

extension StrategyChoice {
    /// So many serial dispatch queues that take tasks in turn, and all target one concurrent queue.
    public static func targetQueues(_ count: Int) -> StrategyChoice {
        StrategyChoice(
            "target-queues-\(count)",
            "\(count) serial dispatch queues take tasks in turn, and all target one concurrent queue of their own.",
            .none, .fixed(max(count, 1)),
            whenBlocked:
                "A task that blocks holds up every \(count)th task after it. They share the threads of the global "
                + "queue, and starve like it when tasks block.",
            submitting: "two allocations and two atomic exchanges; a wake-up when the queue is idle"
        ) { TargetQueues(max(count, 1)) }
    }

    /// One serial dispatch queue that targets another one, and so on: so many in all.
    public static func targetChain(_ length: Int) -> StrategyChoice {
        StrategyChoice(
            "target-chain-\(length)",
            "A chain of \(length) serial dispatch queues, each the target of the one before it: one task at a time, in "
                + "order of submission.", .submission, .one,
            whenBlocked: "A task that blocks holds up all that come after it.",
            submitting:
                "two allocations and an atomic exchange; when the chain is idle, one for each queue and a wake-up"
        ) {
            var queue = DispatchQueue(label: "taskmeter.chain")
            for _ in 1..<max(length, 1) { queue = DispatchQueue(label: "taskmeter.chain", target: queue) }
            return DispatchQueueStrategy(queue)
        }
    }
}

final class TargetQueues: Strategy {
    private let queues: [DispatchQueue]
    private let turn = Atomic<Int>(0)
    private let pending = PendingJobs()

    init(_ count: Int) {
        let target = DispatchQueue(label: "taskmeter.target", attributes: .concurrent)
        queues = (0..<count).map { _ in DispatchQueue(label: "taskmeter.targeting", target: target) }
    }

    func submit(_ job: @escaping @Sendable () -> Void) {
        let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        queues[Int(UInt(bitPattern: turn) % UInt(queues.count))].async(execute: pending.counted(job))
    }

    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
}
