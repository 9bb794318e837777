import Glibc
import Results

/// A state behind a mutex, with condition variables for waiting until it is as one needs it (Hoare's monitor).
///
/// Those who wait for different things wait in different rooms, each with a condition variable of its own, so that
/// waking one of them never wakes another in its place. Most monitors need only room 0.
///
/// Public although only this package uses it: of what is declared `package`, the compiler (6.3) specialises no generic
/// function in another module, be it inlinable or not, and every lock would go through the metadata of its types.
///
/// Thread-safe. Unchecked Sendable: the state is reached only through `withLock` and `wait`, which hold the mutex.
public final class Monitor<State>: @unchecked Sendable {
    @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @usableFromInline let rooms: UnsafeMutableBufferPointer<pthread_cond_t>
    // Behind a pointer: the mutex already gives the exclusive access that Swift would check at every use of a property.
    @usableFromInline let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

    /// - Parameters:
    ///   - state: what it guards.
    ///   - count: how many rooms there are to wait in.
    public init(_ state: State, rooms count: Int = 1) {
        self.state.initialize(to: state)
        rooms = .allocate(capacity: count)
        var kind = pthread_mutexattr_t()
        pthread_mutexattr_init(&kind)
        // The lock is held for some tens of nanoseconds: one who finds it taken tries a few times more before he
        // sleeps.
        pthread_mutexattr_settype(&kind, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
        pthread_mutex_init(mutex, &kind)
        pthread_mutexattr_destroy(&kind)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A wait with a deadline must not hang or end early when the wall clock steps.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        for room in 0..<count { pthread_cond_init(rooms.baseAddress! + room, &attributes) }
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        for room in 0..<rooms.count { pthread_cond_destroy(rooms.baseAddress! + room) }
        pthread_mutex_destroy(mutex)
        rooms.deallocate()
        mutex.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Runs `body` while nobody else reaches the state.
    @inlinable public func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state.pointee)
    }

    /// Waits until `body` returns something else than nil; it is asked again after each wake-up.
    @inlinable @inline(__always) public func wait<Result>(in room: Int = 0, _ body: (inout State) -> Result?) -> Result
    {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state.pointee) { return result }
            pthread_cond_wait(rooms.baseAddress! + room, mutex)
        }
    }

    /// The same for a limited time: nil when it has passed, and `body` returns nil once more.
    @inlinable @inline(__always) public func waitForResult<Result>(
        in room: Int = 0, within limit: Nanoseconds, _ body: (inout State) -> Result?
    ) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if let result = body(&state.pointee) { return result }
        // Only now, for who need not wait need not read the clock.
        var deadline = timespec(after: limit)
        while true {
            if pthread_cond_timedwait(rooms.baseAddress! + room, mutex, &deadline) == ETIMEDOUT {
                return body(&state.pointee)
            }
            if let result = body(&state.pointee) { return result }
        }
    }

    /// Waits until `isTrue`, for a limited time; returns whether it is. What it changes in the state stays, once it is
    /// true.
    @inlinable @inline(__always) public func wait(
        in room: Int = 0, within limit: Nanoseconds, until isTrue: (inout State) -> Bool
    ) -> Bool {
        waitForResult(in: room, within: limit) { isTrue(&$0) ? () : nil } != nil
    }

    /// Wakes one of those who wait in the room; best called without the lock, which that one needs at once.
    @inlinable public func wakeOne(in room: Int = 0) { pthread_cond_signal(rooms.baseAddress! + room) }
    /// Wakes all who wait in the room.
    @inlinable public func wakeAll(in room: Int = 0) { pthread_cond_broadcast(rooms.baseAddress! + room) }
}

extension timespec {
    /// The moment so long after now on the monotonic clock; now when the length is negative.
    @usableFromInline package init(after limit: Nanoseconds) {
        self.init()
        clock_gettime(CLOCK_MONOTONIC, &self)
        let fraction = Int64(tv_nsec) + max(limit.count, 0) % 1_000_000_000
        tv_sec += Int(max(limit.count, 0) / 1_000_000_000 + fraction / 1_000_000_000)
        tv_nsec = Int(fraction % 1_000_000_000)
    }
}
