/// The name of a task inside its trial: 0, 1, 2… in the order of submission.
public struct TaskID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Its place in the order of submission, from 0.
    public var number: Int

    /// The ID of the task with this number.
    public init(_ number: Int) { self.number = number }

    /// Whether a task was submitted before another of its trial.
    public static func < (left: TaskID, right: TaskID) -> Bool { left.number < right.number }
    /// `task 17`.
    public var description: String { "task \(number)" }
}

/// How a task came out. `unfinished` is what a reader says of a task that has no end.
public enum TaskStatus: Hashable, Sendable {
    case ok
    case failed(reason: String)
    case cancelled
    case unfinished
}

/// What is known of one task. A moment that was never reached is nil; it is never made up.
///
/// `lag + wait + spent = response` holds exactly, in whole nanoseconds.
public struct TaskRecord: Hashable, Sendable {
    /// Which task it is.
    public var id: TaskID
    /// When the task was meant to be submitted. In a closed loop this equals `submitted`.
    public var due: Instant
    /// When it was handed to the strategy.
    public var submitted: Instant
    /// When its first instruction ran.
    public var begin: Instant?
    /// When it ended, however it came out.
    public var end: Instant?
    /// Which worker began it: 0, 1, 2… in the order in which a trial's workers first began a task.
    public var worker: Int?
    /// How it came out.
    public var status: TaskStatus
    /// Bytes that the task says it moved.
    public var bytes: Int64

    /// A record of what is known; what is not is nil.
    public init(
        id: TaskID, due: Instant, submitted: Instant, begin: Instant?, end: Instant?, worker: Int?, status: TaskStatus,
        bytes: Int64
    ) {
        self.id = id
        self.due = due
        self.submitted = submitted
        self.begin = begin
        self.end = end
        self.worker = worker
        self.status = status
        self.bytes = bytes
    }

    /// Due to submitted: how late the generator of the load was.
    public var lag: Nanoseconds { submitted - due }
    /// Submitted to begin: how long the task queued.
    public var wait: Nanoseconds? { begin.map { $0 - submitted } }
    /// Begin to end: what the work itself took.
    public var spent: Nanoseconds? { begin.flatMap { begin in end.map { $0 - begin } } }
    /// Due to end: what the one who asked had to wait.
    public var response: Nanoseconds? { end.map { $0 - due } }
}
