import Dispatch
import Results

extension StrategyChoice {
    /// The global queue behind a semaphore: who submits waits for one of so many places.
    public static func limitedQueue(places: Int) -> StrategyChoice {
        StrategyChoice(
            "limited-queue-\(places)",
            "The global dispatch queue behind a semaphore: submission waits until fewer than \(places) tasks are "
                + "there. Tasks that submit others wait for one another for ever when all places are theirs.",
            .submission,
            .fixed(max(places, 1)),
            whenBlocked:
                "When \(places) tasks block, submission waits for the first of them to end. The queue's threads "
                + "are as many as cores at first, and one more each second while all block.",
            submitting: "a wait for a place, three allocations, and an atomic exchange"
        ) { LimitedQueue(places: max(places, 1)) }
    }
}

final class LimitedQueue: Strategy {
    private let queue = DispatchQueue.global()
    // Made with no places, which then are given: Dispatch ends the process when a semaphore goes with fewer than at
    // first.
    private let places = DispatchSemaphore(value: 0)
    private let pending = PendingJobs()

    init(places count: Int) { for _ in 0..<count { places.signal() } }

    func submit(_ job: @escaping @Sendable () -> Void) {
        places.wait()
        let counted = pending.counted(job)
        queue.async { [places] in
            counted()
            places.signal()
        }
    }

    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
}
