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

let longestProbeWait = Metric("probe_task_wait_max", .nanoseconds, "longest wait of a probe task")
let medianProbeWait = Metric("probe_task_wait_p50", .nanoseconds, "median wait of a probe task")

/// Short tasks that come one each millisecond from a thread of their own, and whose waits are kept. Thread-safe.
final class Probes: Sendable {
    static let count = 20
    private let kept = Mutex<[Nanoseconds?]>(Array(repeating: nil, count: count))
    private let left = Atomic<Int>(count)
    private let done = Latch()

    /// Begins to send them: the first a millisecond after `begin`, one each `pause`.
    ///
    /// - Parameter submit: hands one over.
    init(
        from begin: Instant, each pause: Nanoseconds = .milliseconds(1), _ clock: MonotonicClock,
        _ submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) throws(ThreadRefused) {
        _ = try OwnThread { [self] in
            for probe in 0..<Self.count {
                let due = begin + Nanoseconds(pause.count * Int64(probe + 1))
                while clock.now() < due { nap(.milliseconds(0.1)) }
                submit { [self] in ran(probe, clock.now() - due) }
            }
        }
    }

    private func ran(_ probe: Int, _ wait: Nanoseconds) {
        kept.withLock { $0[probe] = wait }
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.open() }
    }

    /// Waits until all have run; whether they have.
    func wait(within limit: Nanoseconds) -> Bool { done.wait(within: limit) }

    /// Of those that have run, in the order of their numbers.
    var waits: [Nanoseconds] { kept.withLock { $0.compactMap { $0 } } }
    var longest: Nanoseconds { waits.max() ?? .zero }
}

/// Something that happens once, and that one can wait for.
final class Latch: Sendable {
    private let hasOpened = Atomic<Bool>(false)
    private let opened = DispatchSemaphore(value: 0)

    var isOpen: Bool { hasOpened.load(ordering: .acquiring) }

    func open() {
        hasOpened.store(true, ordering: .releasing)
        opened.signal()
    }

    /// Waits until it has opened; whether it has. May be called again.
    func wait(within limit: Nanoseconds) -> Bool {
        guard opened.wait(timeout: .now() + .nanoseconds(Int(limit.count))) == .success else { return false }
        opened.signal()
        return true
    }
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
