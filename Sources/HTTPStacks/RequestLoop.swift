import Results

/// Makes many requests at once on one thread, which waits for all of them together.
///
/// Belongs to the thread that uses it.
package protocol RequestLoop: AnyObject {
    /// What is told when a request has ended: the number that it was started with, and what became of it.
    typealias Ended = (_ number: Int, _ outcome: HTTPOutcome) -> Void

    /// How many requests may be started now.
    var freePlaces: Int { get }
    /// How many have been started and not ended.
    var inFlight: Int { get }

    /// Starts a request; only while there are `freePlaces`.
    ///
    /// - Parameter number: what its end is told with.
    func start(_ request: HTTPRequest, number: Int)

    /// Does what there is to do, or waits until there is something, and tells of requests that have ended.
    ///
    /// - Parameter limit: when to return although nothing happened; nil for never.
    func turn(until limit: Instant?, _ ended: Ended)

    /// Watches a descriptor too: `turn` returns when there is something to read from it.
    func wakeUp(by descriptor: Int32)

    /// Ends those whose callers do not want them any more.
    func endCancelled(_ ended: Ended)
}
