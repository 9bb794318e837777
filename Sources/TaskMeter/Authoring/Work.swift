import Recording
import Results

/// What a trial executes: a task, many times, and the end of what was prepared for it.
public struct Work: Sendable {
    let task: @Sendable (TaskContext) throws -> Void
    let tearDown: @Sendable () -> Void

    /// - Parameters:
    ///   - task: one task; called on whatever thread the strategy chooses, by several at once.
    ///   - tearDown: called once, on the main thread, after the last task has ended; its time is not measured.
    public init(
        task: @escaping @Sendable (TaskContext) throws -> Void, tearDown: @escaping @Sendable () -> Void = {}
    ) {
        self.task = task
        self.tearDown = tearDown
    }
}

/// What a task may know and tell of itself while it runs.
public struct TaskContext: Sendable {
    /// Which task of its trial this is: 0, 1, 2… in the order of submission.
    public let id: TaskID
    let recorder: TaskRecorder

    /// Adds to the bytes that this task moved.
    public func moved(bytes: Int) { recorder.add(bytes: Int64(bytes), to: id) }
}
