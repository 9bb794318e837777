extension StrategyChoice {
    /// One thread that lives as long as the strategy and takes tasks in order.
    public static let residentThread = StrategyChoice(
        "resident-thread",
        note: "One resident thread with a condition variable and a queue: one task at a time, in order of submission. "
            + "A task that blocks holds up all that come after it, and nothing else in the process."
    ) { try Pool(workers: 1, threadName: "tm-resident") }
}
