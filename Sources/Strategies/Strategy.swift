import Results

/// A way of executing tasks.
///
/// A strategy is used by one submitting thread, and executes jobs on workers of its own choice. Every job that was
/// submitted runs, once, however long it must wait. Conforming types are thread-safe.
public protocol Strategy: Sendable {
    /// Hands over a job. Returns before the job has run, and maybe before it has begun.
    func submit(_ job: @escaping @Sendable () -> Void)

    /// Waits until every job that was submitted has ended.
    ///
    /// - Parameter limit: how long to wait at most.
    /// - Returns: whether all jobs have ended.
    func waitUntilAllDone(within limit: Nanoseconds) -> Bool

    /// Ends the strategy's own threads once they have done what was submitted. Nothing may be submitted any more.
    ///
    /// - Parameter limit: how long to wait at most.
    /// - Returns: whether all of them ended.
    func shutDown(within limit: Nanoseconds) -> Bool
}
