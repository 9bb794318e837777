import Results
import Threading

/// One thread that lives for as long as it is needed, and runs blocks one at a time, in order of submission.
///
/// The thread starts with the first block, and ends when it is stopped or when the last reference to this object goes.
/// It keeps no reference to this object, so that an owner that forgets to stop it leaks nothing. Safe to use from any
/// thread, and from inside its blocks: `stop` and the release of the last reference never wait for the thread that
/// they are called on.
///
/// ```swift
/// let thread = ResidentThread(name: "cache")
/// thread.submit { … }
/// thread.stop(.drain, within: .seconds(1))
/// ```
public final class ResidentThread: Sendable {
    /// What the thread sleeps on until there is a block.
    public enum Mechanism: String, Hashable, Sendable, CaseIterable {
        /// A condition variable: the cheapest, for blocks that need no run loop.
        case conditionVariable
        /// A run loop, which a source of its own keeps alive and wakes. Blocks can use `RunLoop.current`: timers, ports
        /// and sources that they add are served between blocks. Costs three file descriptors.
        case runLoopSource
        /// A run loop that is run for a bounded time again and again, with a look at a flag in between: a wake-up that
        /// somebody else swallowed delays a block by a quarter of a second, and never for ever. Costs as much, and a
        /// wake-up four times a second.
        case runLoopSlices
    }

    /// What becomes of blocks that have not begun when the thread is stopped.
    public enum Remainder: Sendable {
        /// They run first, as long as time allows.
        case drain
        /// They are released without having run.
        case discard
    }

    /// What `stop` achieved.
    public enum Ending: Sendable {
        /// The last block has ended, and none will ever begin.
        case ended
        /// `stop` was called on the thread itself: it ends after the block that called it, and after those that are
        /// drained.
        case endsAfterThisBlock
        /// The time was over first. The block that runs then is let finish; none will ever begin.
        case stillRunning
    }

    /// Where a thread is in its life.
    public enum State: Sendable {
        /// Not started: nothing was submitted yet, or the system refused the thread.
        case idle
        /// Started, and takes blocks.
        case running
        /// Stopped, and still at a block or at those that are drained.
        case stopping
        /// Ended, or stopped before it started.
        case ended
    }

    private let core: ResidentCore
    private let whenReleased: Remainder

    /// Makes a thread that starts with its first block.
    ///
    /// - Parameters:
    ///   - name: what `top` and debuggers show; the system keeps 15 bytes of it.
    ///   - mechanism: what the thread sleeps on.
    ///   - whenReleased: what becomes of blocks that have not begun when the last reference to this object goes.
    public convenience init(
        name: String = "resident", mechanism: Mechanism = .conditionVariable, whenReleased: Remainder = .discard
    ) {
        self.init(name: name, mechanism: mechanism, whenReleased: whenReleased, startingThreadsWith: nil)
    }

    /// - Parameter startThread: what starts a thread in place of the system, and returns an errno or 0.
    package init(
        name: String = "resident", mechanism: Mechanism = .conditionVariable, whenReleased: Remainder = .discard,
        startingThreadsWith startThread: ThreadStarter?
    ) {
        core = ResidentCore(name: name, mechanism: mechanism, startingThreadsWith: startThread)
        self.whenReleased = whenReleased
    }

    deinit { core.release(whenReleased) }

    /// Starts the thread now, and not with the first block. Does nothing when it runs already.
    ///
    /// - Throws: when the system refuses the thread, or when it was stopped. After a refusal one can try again.
    public func start() throws(ResidentThreadError) {
        switch core.start() {
        case .accepted: return
        case .stopped: throw .stopped
        case .refused(let number): throw .refused(errno: number)
        }
    }

    /// Hands over a block, which runs once the blocks before it have ended.
    ///
    /// - Returns: false when the block will never run: the thread was stopped, or the system refused it (see
    ///   `refusal`). The block is released before the call returns. True when it will run, unless a later `stop`, or
    ///   the end of this object, discards it.
    @discardableResult public func submit(_ block: consuming @escaping @Sendable () -> Void) -> Bool {
        if case .accepted = core.submit(block) { return true }
        return false
    }

    /// Stops the thread: it takes no more blocks, and ends. Calling it again, from several threads at once, or before
    /// the start is allowed. Once it has returned, no block begins any more, but on the thread itself, where those that
    /// are drained come after it.
    ///
    /// - Parameters:
    ///   - remainder: what becomes of the blocks that have not begun. `.discard` also ends the draining of an earlier
    ///     call.
    ///   - limit: how long it may take. What has not begun by then is discarded.
    /// - Returns: what was achieved. `.endsAfterThisBlock` at once when called on the thread itself.
    @discardableResult public func stop(
        _ remainder: Remainder = .drain, within limit: Nanoseconds = .seconds(5)
    ) -> Ending { core.stop(remainder, within: limit) }

    /// Waits until no block waits or runs.
    ///
    /// - Parameter limit: how long to wait at most.
    /// - Returns: whether it is so; false at once when called on the thread itself.
    public func waitUntilIdle(within limit: Nanoseconds) -> Bool { core.waitUntilIdle(within: limit) }

    /// Where the thread is in its life. It may have gone on by the time that one looks.
    public var state: State { core.phase }

    /// Why the last attempt to start the thread failed; nil when none was made, or none failed.
    public var refusal: ResidentThreadError? { core.refusal.map { .refused(errno: $0) } }

    /// Whether the caller runs on this thread, inside a block.
    public var isCurrent: Bool { core.isCurrent }
}

/// Why a resident thread could not be started.
public enum ResidentThreadError: Error, Hashable, CustomStringConvertible {
    /// The system refuses another thread, with this errno: EAGAIN where a limit on threads or processes is reached.
    case refused(errno: Int32)
    /// It was stopped before. A stopped thread never starts again.
    case stopped

    /// The reason in a sentence.
    public var description: String {
        switch self {
        case .refused(let number): "the system refused the thread (\(errnoText(number)))"
        case .stopped: "the thread was stopped before it started"
        }
    }
}
