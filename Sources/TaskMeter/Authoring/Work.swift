import Clocks
import Recording
import Results

/// What a trial executes: a task, many times, and the end of what was prepared for it.
public struct Work: Sendable {
    /// When a task ends.
    enum Task: Sendable {
        /// When it returns.
        case returning(@Sendable (TaskContext) throws -> Void)
        /// When it says so.
        case endingLater(@Sendable (TaskContext, TaskEnding) throws -> Void)
        /// When the loop that starts it says so.
        case driving(@Sendable (TaskSource) throws -> Void)
    }

    let task: Task
    let tearDown: @Sendable () -> Void

    /// - Parameters:
    ///   - task: one task; called on whatever thread the strategy chooses, by several at once.
    ///   - tearDown: called once, on the main thread, after the last task has ended; its time is not measured.
    public init(
        task: @escaping @Sendable (TaskContext) throws -> Void, tearDown: @escaping @Sendable () -> Void = {}
    ) {
        self.task = .returning(task)
        self.tearDown = tearDown
    }

    /// Work whose tasks end after they have returned: in a callback, on another thread.
    ///
    /// ```swift
    /// Work(endingLater: { task, end in
    ///     client.get(url) { answer in end(answer.isGood ? .ok : .failed(reason: answer.complaint)) }
    /// })
    /// ```
    /// - Parameters:
    ///   - task: starts one task, and has `end` called once when it is over. A task whose end is never told is
    ///     unfinished; a second end is counted as misuse. What it throws ends the task as failed.
    ///   - tearDown: called once, on the main thread, after the last task has ended; its time is not measured.
    public init(
        endingLater task: @escaping @Sendable (TaskContext, TaskEnding) throws -> Void,
        tearDown: @escaping @Sendable () -> Void = {}
    ) {
        self.task = .endingLater(task)
        self.tearDown = tearDown
    }
}

extension Work {
    /// Work of an event loop, which itself starts tasks when they are due and waits for all of them at once, on one thread.
    ///
    /// Its benchmark has `strategies: [.inline]`: no strategy comes between.
    /// - Parameters:
    ///   - loop: called on the main thread, for the warm-up and again for the tasks that are measured; returns when
    ///     `TaskSource.areDone`, or the deadline has come. What it throws fails the trial.
    ///   - tearDown: called once, on the main thread, after the last task has ended; its time is not measured.
    public static func driving(
        _ loop: @escaping @Sendable (TaskSource) throws -> Void,
        tearDown: @escaping @Sendable () -> Void = {}
    ) -> Work { Work(.driving(loop), tearDown) }

    private init(_ task: Task, _ tearDown: @escaping @Sendable () -> Void) {
        self.task = task
        self.tearDown = tearDown
    }
}

/// Tells that a task has ended. May be called on any thread.
public struct TaskEnding: Sendable {
    let end: @Sendable (TaskStatus, Instant?) -> Void

    /// Ends the task, with how it came out.
    ///
    /// - Parameter moment: when it ended, if that was read before, by the run's clock; else it ends now.
    public func callAsFunction(_ status: TaskStatus = .ok, at moment: Instant? = nil) { end(status, moment) }
}

/// What a task may know and tell of itself while it runs.
public struct TaskContext: Sendable {
    /// Which task of its trial this is: 0, 1, 2… in the order of submission.
    public let id: TaskID
    let recorder: TaskRecorder

    /// Adds to the bytes that this task moved.
    public func moved(bytes: Int) { recorder.add(bytes: Int64(bytes), to: id) }

    /// Stores that this task comes to a phase now. May be called on any thread.
    // hot path: no allocation, no lock, no call that can block (but for the first mark of a phase, which stores its name)
    public func mark(_ phase: Phase) { recorder.mark(id, phase) }

    /// Stores that this task came to a phase at a moment that was read before, by `clock`. May be called on any thread, and after the
    /// task's end too: what a library tells of its phases, it often tells last.
    ///
    /// - Parameter bytes: how many bytes the mark tells of, such as the length that was announced with the first byte.
    // hot path: no allocation, no lock, no call that can block (but for the first mark of a phase, which stores its name)
    public func mark(_ phase: Phase, at moment: Instant, bytes: Int? = nil) {
        recorder.mark(id, phase, at: moment, bytes: bytes)
    }

    /// The clock of the run, for moments that are told later.
    public var clock: MonotonicClock { recorder.clock }
}
