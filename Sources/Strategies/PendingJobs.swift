import Results
import Synchronization
import Threading

/// Counts jobs that were submitted and have not ended, and lets one wait until there are none. Thread-safe.
///
/// It may be let go while jobs are pending.
package final class PendingJobs: Sendable {
    private let count = Atomic<Int>(0)
    private let idle = Monitor(())

    package init() {}

    package func enter() { count.add(1, ordering: .relaxed) }

    package func leave() {
        if count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            // Under the lock, so that it cannot fall between a waiter's look and its sleep.
            idle.withLock { _ in idle.wakeAll() }
        }
    }

    /// The job, counted from now until it has run.
    func counted(_ job: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        enter()
        return { [self] in
            job()
            leave()
        }
    }

    package func waitUntilNone(within limit: Nanoseconds) -> Bool {
        idle.wait(within: limit) { _ in count.load(ordering: .acquiring) == 0 }
    }
}
