import Clocks
import CoreFoundation
import Dispatch
import Recording
import Results

/// Watches run loops, serial queues, actors and executors, and records each time that one of them could take no work
/// for longer than a threshold.
///
/// ```swift
/// let monitor = try StallMonitor { stall in print(stall.watched, stall.spent ?? "is stalled") }
/// monitor.watch(runLoop: CFRunLoopGetMain(), named: "main loop")
/// monitor.watch(queue: queue, named: "database")
/// ```
///
/// **Run loops** are watched by observers that stamp when the loop takes work. Every pass that is longer than the
/// threshold is found, also when it began and ended between two looks of the monitor, and its begin and end are
/// exact. Waiting for events is no stall, and a loop that nobody runs is none. The observers lie in the common modes;
/// while the loop runs in another mode from within a callback, the common modes take no work, and are stalled. Name
/// other modes to have them watched, too.
///
/// **Queues, actors and executors** are watched by beats: every `beating` a block that does nothing is handed to
/// them, unless the last one still waits. A beat that waits for longer than the threshold is a stall. A stall is
/// certain to be found when it is longer than the threshold, `beating` and a step together; of those between, some
/// are. A queue with so many short blocks that a newcomer waits for longer than the threshold is stalled as well. So
/// is an actor whose pool of threads is blocked: its beats come from that pool, as other callers do. An actor that
/// awaits is not stalled.
///
/// **The machine.** A monitor cannot tell a thread that works from one that was given no processor. On an idle
/// virtual machine threads come 2 to 5 ms late, so a threshold below 10 ms reports the host. When the monitor's own
/// thread comes late too, it notes a gap (``monitorGaps``), and that time counts for no stall: a process that was
/// stopped, or a machine that was suspended, is not stalled. Of a stop that is no longer than the threshold this is
/// not certain.
///
/// **Stacks.** When a stall is noticed while it lasts, the stalled thread is interrupted once by a realtime signal
/// that the program does not use, and copies its stack; its frames are then followed on the monitor's thread. System
/// calls of that thread that are never restarted, such as `nanosleep`, `poll` and `epoll_wait`, end early with
/// `EINTR` by that (signal(7)): turn `capturesStacks` off where the program does not expect it. The thread of a run
/// loop is known. That of a serial queue or of an actor changes, and threads of Dispatch block all signals: their
/// stalls say so in place of a stack. An executor whose beats all ran on one thread has the stack of that one. The
/// signal is unblocked on a thread whose stack may be asked for, for threads that Dispatch's threads start inherit that
/// they block it. Frames are followed in the copy, by the call-frame information of the code, and by frame pointers
/// where there is none; only the newest 64 KiB of the stack are copied, and the last frames of a deeper one are
/// missing.
///
/// **What it costs** depends on how often it looks and beats, each of which wakes a thread: at the defaults, less
/// than 1 % of one core for a busy run loop, a queue and an actor together. Thread-safe. It never keeps the program
/// from ending; `stop()` it, or let go of it, to end its thread.
public final class StallMonitor: Sendable {
    private let watcher: StallWatcher

    /// Starts to watch; nothing is watched yet.
    ///
    /// - Parameters:
    ///   - threshold: what takes longer than this is a stall; 1 ms at least.
    ///   - sampling: how often to look; three quarters of the threshold where none is given, 0.1 ms at least. Stops
    ///     of the process are told from stalls by this: keep it below the threshold.
    ///   - beating: how often to send a beat; twice the threshold where none is given, in whole steps of sampling.
    ///   - capturesStacks: whether to interrupt a stalled thread in order to see where it is.
    ///   - recorder: where each stall becomes a task with the stall's begin and end, and a phase `stalled: NAME` at
    ///     its begin. Its clock is then the monitor's, too.
    ///   - clock: what stalls are timed by, where there is no recorder.
    ///   - onStall: called on the monitor's thread when a stall is noticed while it lasts (it has no end then), and
    ///     when one is over. The monitor looks at nothing meanwhile: keep it short. The monitor keeps it until
    ///     both it and its thread have ended: it must not hold the monitor, which would then never go by itself.
    /// - Throws: `StallMonitorError` when the system refuses a thread.
    public init(
        threshold: Nanoseconds = .milliseconds(10), sampling: Nanoseconds? = nil, beating: Nanoseconds? = nil,
        capturesStacks: Bool = true, recorder: TaskRecorder? = nil, clock: MonotonicClock = MonotonicClock(),
        onStall: (@Sendable (Stall) -> Void)? = nil
    ) throws(StallMonitorError) {
        let threshold = max(threshold, .milliseconds(1))
        let sampling = max(sampling ?? Nanoseconds(threshold.count * 3 / 4), .microseconds(100))
        watcher = StallWatcher(
            StallWatcher.Settings(
                threshold: threshold, sampling: sampling,
                beating: max(beating ?? Nanoseconds(threshold.count * 2), sampling),
                stackRefusal: capturesStacks ? StackCapture.takeSignal() : "stacks are not asked for",
                clock: recorder?.clock ?? clock, recorder: recorder, onStall: onStall))
        let refusal = watcher.start()
        guard refusal == 0 else {
            throw StallMonitorError(
                description: "the system refuses a thread to watch for stalls (error \(refusal)); end some threads, or "
                    + "raise the limit of processes (ulimit -u)")
        }
    }

    deinit { stop() }

    /// What takes longer than this is a stall.
    public var threshold: Nanoseconds { watcher.settings.threshold }
    /// The time between two looks.
    public var sampling: Nanoseconds { watcher.settings.sampling }
    /// The time between two beats.
    public var beating: Nanoseconds { watcher.settings.beating }
    /// The clock of all its moments.
    public var clock: MonotonicClock { watcher.settings.clock }

    /// Watches a run loop. The monitor keeps the loop until the watch ends.
    ///
    /// - Parameter modes: the modes in which it is watched.
    @discardableResult
    public func watch(
        runLoop: CFRunLoop, named name: String, modes: [CFRunLoopMode] = [kCFRunLoopCommonModes]
    ) -> Watch {
        let passes = RunLoopPasses(clock: clock, threshold: threshold)
        return watcher.add(Watch(name, .runLoop(passes, RunLoopObservers(passes, of: runLoop, in: modes))))
    }

    /// Watches a queue of Dispatch, by beats. The monitor keeps the queue until the watch ends. Of a concurrent queue
    /// this sees that no thread is left for it, and barriers.
    @discardableResult
    public func watch(queue: DispatchQueue, named name: String) -> Watch {
        beats(name, threadsReason: "the thread of a queue changes, and threads of Dispatch block all signals") { beat in
            queue.async(execute: DispatchWorkItem(flags: .inheritQoS, block: beat))
            return true
        }
    }

    /// Watches an actor, by beats: tasks that enter it. The monitor does not keep the actor; the watch ends when it
    /// is gone.
    @discardableResult
    public func watch(actor: any Actor, named name: String) -> Watch {
        beats(name, threadsReason: "the thread of an actor changes, and threads of Swift's pool block all signals") {
            [weak actor] beat in
            guard let actor else { return false }
            Task.detached { await Self.run(beat, on: actor) }
            return true
        }
    }

    /// Watches anything that runs blocks, such as a pool, a thread with a queue or an executor, by beats.
    ///
    /// - Parameter running: hands a block over to be run, and returns without having waited for that. The watch ends
    ///   when a block is let go of without having been run.
    @discardableResult
    public func watch(
        named name: String, running: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> Watch {
        beats(name, threadsReason: nil) { beat in
            running(beat)
            return true
        }
    }

    private func beats(_ name: String, threadsReason: String?, _ submit: @escaping Heartbeat.Submit) -> Watch {
        watcher.add(Watch(name, .beats(Heartbeat(clock: clock, threadsReason: threadsReason, submit: submit))))
    }

    private static func run(_ beat: @Sendable () -> Void, on actor: isolated any Actor) { beat() }

    /// The stalls so far in the order in which they were noticed, those without an end among them. The newest 2,048
    /// are kept at least.
    public var stalls: [Stall] { watcher.state.withLock { $0.book.stalls } }

    /// The times in which the monitor itself did not run. The newest 2,048 are kept at least.
    public var monitorGaps: [MonitorGap] { watcher.state.withLock { $0.book.gaps } }

    /// Delays that took longer than the threshold, but not without the monitor's own gaps: nobody can say whether
    /// they were stalls, and they are none.
    public var doubtfulDelays: Int { watcher.state.withLock { $0.book.doubtful } }

    /// Stalls of run loops that were not kept, because a loop had 64 of them before the monitor came to look.
    public var lostStalls: Int { watcher.state.withLock { $0.lost } }

    /// Looks once more, ends all watches and the monitor's thread; what was found stays. Waits for that for 5 s at
    /// most, which only a handler of stalls or an executor that blocks the monitor can take. May be called more than
    /// once, and from anywhere, also from what is watched and from the handler of stalls.
    public func stop() { watcher.stop(within: .seconds(5)) }
}

/// Why there is no monitor, in a sentence.
public struct StallMonitorError: Error, CustomStringConvertible {
    /// What the system said, and what to do about it.
    public let description: String
}
