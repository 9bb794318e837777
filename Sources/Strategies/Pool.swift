import Results
import Threading

extension StrategyChoice {
    /// A fixed number of threads that take tasks from one queue.
    public static func pool(workers: Int) -> StrategyChoice {
        StrategyChoice(
            "pool-\(workers)",
            "\(workers == 1 ? "One thread" : "\(workers) threads") of its own taking tasks from one queue.",
            .submission,
            .fixed(max(workers, 1)),
            whenBlocked: "As many tasks that block at once hold up the rest; nothing else in the process is touched.",
            submitting: "an allocation and a lock; a wake-up when a thread is idle"
        ) { try Pool(kept: workers, upTo: workers, threadName: "tm-pool") }
    }

    /// Threads that take tasks from one queue, as many as there is work for.
    public static func elasticPool(upTo most: Int) -> StrategyChoice {
        StrategyChoice(
            "elastic-pool-\(most)",
            "Threads of its own taking tasks from one queue. One is always there; another is started when none is idle, "
                + "up to \(most), and leaves after five idle seconds.", .submission, .fixed(max(most, 1)),
            whenBlocked: "\(most) tasks that block at once hold up the rest; nothing else in the process is touched.",
            submitting: "an allocation and a lock; a wake-up when a thread is idle, a thread when none is"
        ) { try Pool(kept: 1, upTo: most, threadName: "tm-elastic") }
    }
}

/// The owner of a `ThreadPool`: when it goes, the threads end once they have done what was submitted.
package final class Pool: Strategy {
    private let threads: ThreadPool

    package init(
        kept: Int, upTo most: Int, keepAlive: Nanoseconds = .seconds(5), threadName: String,
        startingThreadsWith startThread: @escaping ThreadStarter = systemThread
    ) throws(StrategyError) {
        threads = try ThreadPool(
            kept: kept, upTo: most, keepAlive: keepAlive, threadName: threadName, startingThreadsWith: startThread)
    }

    deinit { threads.close() }

    package func submit(_ job: consuming @escaping @Sendable () -> Void) { threads.submit(job) }
    package var refusedThreads: Int { threads.refusedThreads }
    package func waitUntilAllDone(within limit: Nanoseconds) -> Bool { threads.waitUntilIdle(within: limit) }

    package func shutDown(within limit: Nanoseconds) -> Bool {
        threads.close()
        return threads.waitUntilEnded(within: limit)
    }
}
