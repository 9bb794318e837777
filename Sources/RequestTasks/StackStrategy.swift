import HTTPStacks
import Strategies

extension HTTPStackChoice {
    /// The stack as a way of executing tasks, by its name: on as many threads as it has connections, if it blocks.
    package func strategy(connections: Int) -> StrategyChoice {
        let (blocks, most) = (blocks, max(connections, 1))
        return StrategyChoice(
            name, note: note,
            traits: StrategyTraits(
                ordering: .submission, width: blocks ? .fixed(most) : .submitters,
                whenBlocked: "Requests beyond \(most) wait for a connection.",
                submitting: blocks ? "a hand-over to another thread" : "what the stack takes to begin a request")
        ) { try (blocks ? StrategyChoice.pool(workers: most) : .inline)() }
    }
}
