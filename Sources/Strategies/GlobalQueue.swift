import Dispatch

extension StrategyChoice {
    /// The global concurrent dispatch queue of default priority.
    public static let globalQueue = globalQueue(qos: .default)

    /// The global concurrent dispatch queue of a quality of service: `global-queue-background`, `-utility`,
    /// `-user-initiated`, `-user-interactive`, and `global-queue` for the default one.
    ///
    /// On Linux a quality of service is a nice value of the queue's threads: 10 for background, 2 for utility, and
    /// below zero for the two highest, which is silently kept at 0 for users who may not raise priorities.
    public static func globalQueue(qos: DispatchQoS.QoSClass) -> StrategyChoice {
        let (suffix, kind) =
            switch qos {
            case .background: ("-background", " of background quality")
            case .utility: ("-utility", " of utility quality")
            case .userInitiated: ("-user-initiated", " of user-initiated quality")
            case .userInteractive: ("-user-interactive", " of user-interactive quality")
            default: ("", "")
            }
        return StrategyChoice(
            "global-queue" + suffix, "The global dispatch queue\(kind): as many threads as cores at first.",
            .submission,
            .growing(to: dispatchThreads),
            whenBlocked:
                "When all of them block, Linux gains about one thread a second, up to 255; until then tasks wait, "
                + "and so does all else that uses this queue.",
            submitting: "two allocations and an atomic exchange; a wake-up when a thread is idle"
        ) { DispatchQueueStrategy(suffix.isEmpty ? .global() : .global(qos: qos)) }
    }

    /// The most threads that Dispatch keeps for one priority on Linux (DISPATCH_WORKQ_MAX_PTHREAD_COUNT in its source).
    static let dispatchThreads = 255
}
