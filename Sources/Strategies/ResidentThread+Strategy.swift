import Results
import Threading

extension StrategyChoice {
    /// One thread that lives as long as the strategy and takes tasks in order.
    public static let residentThread = residentThread(
        "", .conditionVariable, "a condition variable and a queue",
        "an allocation and a lock; a wake-up when it is idle")

    /// The same with a run loop, which a source wakes.
    public static let residentThreadRunLoopSource = residentThread(
        "-run-loop-source", .runLoopSource, "a run loop that a source wakes",
        "an allocation and a lock; when it is idle, two locks of the run loop more, and a write to its descriptor")

    /// The same with a run loop that is run for a quarter of a second again and again.
    public static let residentThreadRunLoopSlices = residentThread(
        "-run-loop-slices", .runLoopSlices, "a run loop that is run in slices of time",
        "an allocation and a lock; when it is idle, two locks of the run loop more, and a write to its descriptor")

    private static func residentThread(
        _ suffix: String, _ mechanism: ResidentThread.Mechanism, _ with: String, _ submitting: String
    ) -> StrategyChoice {
        StrategyChoice(
            "resident-thread" + suffix,
            "One resident thread with \(with): one task at a time, in order of submission.", .submission, .one,
            whenBlocked: "A task that blocks holds up all that come after it, and nothing else in the process.",
            submitting: submitting
        ) { try ResidentThreadStrategy(mechanism) }
    }
}

final class ResidentThreadStrategy: Strategy {
    private let thread: ResidentThread

    init(_ mechanism: ResidentThread.Mechanism) throws(StrategyError) {
        thread = ResidentThread(name: "tm-resident", mechanism: mechanism, whenReleased: .drain)
        do { try thread.start() } catch { throw StrategyError(description: error.description) }
    }

    func submit(_ job: consuming @escaping @Sendable () -> Void) { thread.submit(job) }
    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { thread.waitUntilIdle(within: limit) }

    /// Jobs may submit others until all are done: a thread that is stopped would refuse those.
    func shutDown(within limit: Nanoseconds) -> Bool {
        let end = Deadline(after: limit)
        guard thread.waitUntilIdle(within: limit) else { return thread.state == .ended }
        return thread.stop(.drain, within: end.left) == .ended
    }
}
