import Results

/// A time in which something that runs blocks could take no new work, because something ran or blocked on it for too
/// long.
///
/// What this means exactly depends on what was watched:
/// - A run loop takes work when it looks at its sources and timers, or waits for them. It is stalled from when it
///   last woke or looked until it looks or waits again.
/// - A queue, an actor or an executor is stalled for newcomers: from when a block was handed to it until that block
///   ran. One long block and a backlog of many short ones are the same to who waits behind them.
public struct Stall: Hashable, Sendable {
    /// 0, 1, 2… in the order in which the monitor noticed its stalls.
    public var number: Int
    /// The name under which it is watched.
    public var watched: String
    /// When it took no more work.
    ///
    /// Of a run loop this is the stamp of its own observer. Of everything else, when the block was handed to it that
    /// had to wait: the stall began by up to `uncertainty` earlier.
    public var begin: Instant
    /// When it took work again, by its own stamp; nil while it is stalled, and for good where it still was at the end
    /// of its watch.
    public var end: Instant?
    /// By how much it may have begun earlier than `begin`: the time since it was last seen to take work. Zero for run
    /// loops; nil where it was stalled already when its watch began, so that nobody knows.
    public var uncertainty: Nanoseconds?
    /// How much of it fell into gaps in which the monitor did not run either (see `MonitorGap`). Without them it is
    /// still longer than the threshold.
    public var unobserved: Nanoseconds
    /// The kernel's number (`gettid`) of the thread that was stalled; nil where nobody knows which it was.
    public var thread: Int32?
    /// Where that thread was when the stall was noticed.
    public var stack: StalledStack

    /// How long it took no work, without the uncertainty; nil while nobody knows its end.
    public var spent: Nanoseconds? { end.map { $0 - begin } }
}

/// Where a stalled thread was, or why nobody knows.
public enum StalledStack: Hashable, Sendable {
    /// Where the thread was when the stall was noticed.
    case captured(StackTrace)
    /// Why there is no stack, in words for a person.
    case unavailable(reason: String)

    /// The stack, where there is one.
    public var trace: StackTrace? { if case .captured(let trace) = self { trace } else { nil } }
}

/// A time in which the monitor itself did not run when it should have: the process was stopped (SIGSTOP), the machine
/// was suspended, its host gave it no processor, other threads kept the monitor from one, or a handler of stalls took
/// long.
///
/// What seems stalled in such a time may be no more than not run, so it counts for no stall.
public struct MonitorGap: Hashable, Sendable {
    /// When the monitor is known to have run for the last time before.
    public var begin: Instant
    /// When it ran again.
    public var end: Instant
    /// By how much that was later than asked for. The process may have been stopped for so long at least, and for all
    /// of the gap at most.
    public var late: Nanoseconds
}
