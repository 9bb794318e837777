import Glibc
import Results

/// A state behind a mutex, with a condition variable for waiting until it is as one needs it (Hoare's monitor).
///
/// Unchecked Sendable: the state is reached only through `withLock` and `wait`, which hold the mutex.
package final class Monitor<State>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    package init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A wait with a deadline must not hang or end early when the wall clock steps.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Waits until `body` returns something else than nil; it is asked again after each wake-up.
    package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Waits until `isTrue`, for a limited time; returns whether it is. What it changes in the state stays, once it is true.
    package func wait(within limit: Nanoseconds, until isTrue: (inout State) -> Bool) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let total = Int64(deadline.tv_nsec) + max(limit.count, 0) % 1_000_000_000
        deadline.tv_sec += Int(max(limit.count, 0) / 1_000_000_000 + total / 1_000_000_000)
        deadline.tv_nsec = Int(total % 1_000_000_000)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isTrue(&state) {
            if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return isTrue(&state) }
        }
        return true
    }

    package func wakeOne() { pthread_cond_signal(condition) }
    package func wakeAll() { pthread_cond_broadcast(condition) }
}
