import Results

/// A way of executing tasks.
///
/// Jobs may be submitted from several threads at once, and by jobs that run. They are executed on workers of the
/// strategy's own choice. Every job that was submitted runs, once, however long it must wait; where a strategy keeps an
/// order, that is the order in which `submit` was called, and any order between calls at the same time. Conforming
/// types are thread-safe.
///
/// A job that *waits* for one that it submitted needs a second worker, and may wait for ever where there is none: in
/// all strategies that run one job at a time. In `limited-queue-N` the submission itself waits for a place, so that N
/// jobs which all submit wait for one another for ever.
public protocol Strategy: Sendable {
    /// Hands over a job. Returns before the job has run, and maybe before it has begun, except for strategies whose
    /// note says that submission waits.
    func submit(_ job: consuming @escaping @Sendable () -> Void)

    /// Waits until every job that was submitted has ended, also those that jobs submitted. Not to be called by a job,
    /// which would wait for itself.
    ///
    /// - Parameter limit: how long to wait at most.
    /// - Returns: whether all jobs have ended.
    func waitUntilAllDone(within limit: Nanoseconds) -> Bool

    /// Ends the strategy's own threads once they have done what was submitted, and what that submits in turn. Nothing
    /// else may be submitted any more. When the time is over first, they end later, or when it is called again.
    ///
    /// - Parameter limit: how long to wait at most.
    /// - Returns: whether all of them ended.
    func shutDown(within limit: Nanoseconds) -> Bool

    /// How often the system refused it a thread so far. A strategy that cannot be what its name says without that thread throws when it
    /// is made, and counts none.
    var refusedThreads: Int { get }
}

extension Strategy {
    /// None, for those that start no threads by themselves.
    public var refusedThreads: Int { 0 }
}
