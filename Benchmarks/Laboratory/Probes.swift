import Apparatus
import Dispatch
import Glibc
import Synchronization
import TaskMeter

/// Why an observation could not go on.
struct Hang: Error, CustomStringConvertible {
    var what: String
    var description: String { "\(what) did not end within its limit" }
}

/// Short tasks whose waits are kept, each by its number. Thread-safe.
final class Probes: Sendable {
    private let kept: Mutex<[Nanoseconds?]>
    private let left: Atomic<Int>
    private let done = DispatchSemaphore(value: 0)

    init(count: Int) {
        kept = Mutex(Array(repeating: nil, count: count))
        left = Atomic(count)
    }

    /// Keeps how long a probe waited. Each probe runs once.
    func ran(_ probe: Int, _ wait: Nanoseconds) {
        kept.withLock { $0[probe] = wait }
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.signal() }
    }

    /// Waits until all have run; whether they have.
    func wait(within limit: Nanoseconds) -> Bool {
        guard done.wait(timeout: .now() + .nanoseconds(Int(limit.count))) == .success else { return false }
        done.signal()
        return true
    }

    /// Of those that have run, in the order of their numbers.
    var waits: [Nanoseconds] { kept.withLock { $0.compactMap { $0 } } }
    var longest: Nanoseconds { waits.max() ?? .zero }
}

/// The threads of this process, looked at now and then.
final class ThreadCount: Sendable {
    private let most = Atomic<Int>(0)

    func look() { _ = most.max(Self.now, ordering: .relaxed) }
    var peak: Int { most.load(ordering: .relaxed) }

    /// A folder for each, and its two links to itself and its parent.
    private static var now: Int {
        var status = stat()
        return stat("/proc/self/task", &status) == 0 ? Int(status.st_nlink) - 2 : 0
    }
}

/// A moment that one thread stores and another reads after it was told to.
final class MomentBox: Sendable {
    private let stored = Atomic<Int64>(0)
    func note(_ moment: Instant) { stored.store(moment.sinceOrigin, ordering: .releasing) }
    var moment: Instant { Instant(sinceOrigin: stored.load(ordering: .acquiring)) }
}
