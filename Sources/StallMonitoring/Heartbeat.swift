import CStacks
import Clocks
import Results
import Synchronization

/// Beats that are handed to something that runs blocks, one at a time, and when they ran.
///
/// Thread-safe: beats are sent by the monitor's thread alone, and run anywhere.
final class Heartbeat: Sendable {
    /// Hands over a block; false where there is nobody any more to take it.
    typealias Submit = @Sendable (@escaping @Sendable () -> Void) -> Bool

    private enum Threads {
        static let none: Int32 = 0
        static let several: Int32 = -1
    }

    private let clock: MonotonicClock
    private let submit: Submit
    /// When the last beat ran.
    private let ranAt = Atomic<Int64>(0)
    /// Whether the last beat that was sent has not run yet.
    private let isOut = Atomic<Bool>(false)
    private let isRefused = Atomic<Bool>(false)
    private let thread = Atomic<Int32>(Threads.none)
    private let count = Atomic<Int>(0)
    /// Why nobody can say which thread the beats wait for; nil where the threads of beats may tell.
    private let threadsReason: String?

    init(clock: MonotonicClock, threadsReason: String?, submit: @escaping Submit) {
        self.clock = clock
        self.threadsReason = threadsReason
        self.submit = submit
    }

    /// Sends a beat. The moment is taken once it was handed over: the time that this took is not that of who takes it.
    func send() -> Instant {
        isOut.store(true, ordering: .relaxed)
        let beat = Beat(self)
        if !submit({ beat.run() }) { isRefused.store(true, ordering: .relaxed) }
        return clock.now()
    }

    /// When the last beat ran that was sent; nil while it has not.
    var ran: Instant? {
        isOut.load(ordering: .acquiring) ? nil : Instant(sinceOrigin: ranAt.load(ordering: .relaxed))
    }

    /// Whether a beat was let go of without having run, or nobody is there to take one.
    var isOver: Bool { isRefused.load(ordering: .relaxed) }

    /// So many beats on one thread and on no other are taken for the habit of running on it.
    static let habit = 16

    /// The thread on which every beat so far ran.
    var onlyThread: Result<Int32, Unknown> {
        if let threadsReason { return .failure(Unknown(reason: threadsReason)) }
        let beats = count.load(ordering: .relaxed)
        switch thread.load(ordering: .relaxed) {
        case Threads.several: return .failure(Unknown(reason: "its beats ran on several threads"))
        case let thread where beats >= Self.habit: return .success(thread)
        default: return .failure(Unknown(reason: "only \(beats) beats had run, too few to tell its thread by"))
        }
    }

    /// Why a thread is not known.
    struct Unknown: Error { var reason: String }

    private func ran(at now: Instant) {
        let own = cstacks_own_thread()
        let before = thread.load(ordering: .relaxed)
        if before == Threads.none {
            thread.store(own, ordering: .relaxed)
            if threadsReason == nil { cstacks_allow_capture() }
        } else if before != own {
            thread.store(Threads.several, ordering: .relaxed)
        }
        count.add(1, ordering: .relaxed)
        ranAt.store(now.sinceOrigin, ordering: .relaxed)
        isOut.store(false, ordering: .releasing)
    }

    /// A beat counts when it runs for the first time. One that is let go of without having run was dropped, with all
    /// that waited beside it: there is no use in sending more.
    private final class Beat: Sendable {
        private let heartbeat: Heartbeat
        private let hasRun = Atomic<Bool>(false)

        init(_ heartbeat: Heartbeat) { self.heartbeat = heartbeat }

        func run() {
            let now = heartbeat.clock.now()
            if !hasRun.exchange(true, ordering: .relaxed) { heartbeat.ran(at: now) }
        }

        deinit {
            if !hasRun.load(ordering: .relaxed) { heartbeat.isRefused.store(true, ordering: .relaxed) }
        }
    }
}
