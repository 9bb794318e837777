import Clocks
import Recording
import Results

/// Gives tasks to an event loop when they are due, and keeps what became of them; see `Work.driving`.
///
/// ```swift
/// Work.driving { tasks in
///     while !tasks.areDone {
///         while let task = tasks.next() { start(task) }      // with tasks.begin(task), later tasks.end(task)
///         waitForEvents(until: tasks.nextDue)
///     }
/// }
/// ```
/// Belongs to the thread that drives: it locks nothing.
public final class TaskSource {
    private let recorder: TaskRecorder
    private let length: TrialLength
    private let most: Int
    private let arrivals: ArrivalClock?
    /// When no more tasks are given out, however many there should be; nil for never.
    private let close: Instant?
    private var given = 0
    private var inFlight = 0

    /// When the trial is ended, whatever is still under way; a loop that is not done by then should return.
    public let deadline: Instant

    init(
        _ length: TrialLength, within limit: Nanoseconds? = nil, _ load: Load, _ arrivals: ArrivalClock?,
        recording recorder: TaskRecorder,
        until deadline: Instant
    ) {
        self.recorder = recorder
        self.length = length
        self.arrivals = arrivals
        self.deadline = deadline
        most = if case .inFlight(let most) = load { most } else { Int.max }
        close = (length.time ?? limit).map { recorder.clock.now() + $0 }
    }

    /// The clock of the run.
    public var clock: MonotonicClock { recorder.clock }

    /// Whether no more tasks come, and all that came have ended.
    public var areDone: Bool { inFlight == 0 && isExhausted }

    /// The next task, submitted now; nil when none is due, or as many are under way as the load allows.
    // hot path: no allocation, no lock, no call that can block
    public func next() -> TaskContext? {
        guard inFlight < most, !isExhausted else { return nil }
        var due: Instant?
        if let arrivals {
            let moment = arrivals.due(given)
            guard moment <= clock.now() else { return nil }
            due = moment
        }
        given += 1
        inFlight += 1
        return TaskContext(id: recorder.submit(due: due), recorder: recorder)
    }

    /// When the next task is due by a schedule, or no more will be; nil when none will be before another has ended.
    public var nextDue: Instant? {
        guard !isExhausted, let arrivals else { return nil }
        let due = arrivals.due(given)
        return close.map { min(due, $0) } ?? due
    }

    /// Stores that work on the task begins now.
    // hot path: no allocation, no lock, no call that can block
    public func begin(_ task: TaskContext) { recorder.begin(task.id) }

    /// Ends a task, once.
    ///
    /// - Parameter moment: when it ended, if that was read before; else it ends now.
    // hot path for tasks that did not fail: no allocation, no lock, no call that can block
    public func end(_ task: TaskContext, _ status: TaskStatus = .ok, at moment: Instant? = nil) {
        if recorder.end(task.id, status, at: moment ?? clock.now()) { inFlight -= 1 }
    }

    private var isExhausted: Bool {
        if let count = length.count, given >= count { return true }
        return close.map { clock.now() >= $0 } ?? false
    }
}
