import Results

extension StrategyChoice {
    /// No strategy at all: the task runs in the call that submits it. What the others are held against.
    public static let inline = StrategyChoice(
        "inline", "The baseline: a task runs within its submission, on the thread that submits.", .submission,
        .submitters,
        whenBlocked: "A task that blocks holds up whoever submitted it.",
        submitting: "two atomic additions, and the task itself"
    ) { Inline() }
}

final class Inline: Strategy {
    private let pending = PendingJobs()

    func submit(_ job: @escaping @Sendable () -> Void) {
        pending.enter()
        job()
        pending.leave()
    }

    func waitUntilAllDone(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
    func shutDown(within limit: Nanoseconds) -> Bool { pending.waitUntilNone(within: limit) }
}
