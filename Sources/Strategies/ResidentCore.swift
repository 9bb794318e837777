import Glibc
import Results
import Synchronization
import Threading

/// What a resident thread and its owner share. The thread keeps this alive, and not the owner.
///
/// The thread takes all blocks that wait at once and runs them without the lock. So that a stop reaches those too, each
/// block is *claimed* first, in one word that a stop can close: a block whose claim came first has begun, and of those
/// whose claim comes later none begins. Without that word a block could begin between the thread's look at a flag and
/// the return of the stop that set it.
final class ResidentCore: Sendable {
    enum Receipt {
        case accepted
        case stopped
        case refused(Int32)
    }

    private struct State {
        var phase = ResidentThread.State.idle
        var waiting = JobQueue()
        /// Blocks that were submitted and have neither ended nor been discarded.
        var pending = 0
        /// Whether the thread sleeps, or is about to, and was not woken since.
        var needsBell = false
        var idleWatchers = 0
        var thread: pthread_t?
        var bell: RunLoopBell?
        var refusal: Int32?
    }

    private enum Room {
        static let work = 0
        static let idle = 1
        static let end = 2
    }

    /// What the thread finds when it looks for work.
    enum Find {
        case blocks
        case nothing
        case end
    }

    private let state = Monitor(State(), rooms: 3)
    /// Twice the number of claims, and 1 once nothing more may begin.
    private let claims = Atomic<Int>(0)
    /// When a draining that nobody waits for is over, in nanoseconds of the monotonic clock.
    private let drainingEnds = Atomic<Int64>(.max)
    private let name: String
    let mechanism: ResidentThread.Mechanism
    private let startThread: ThreadStarter

    init(name: String, mechanism: ResidentThread.Mechanism, startingThreadsWith starter: ThreadStarter?) {
        self.name = name
        self.mechanism = mechanism
        startThread = starter ?? systemThread
    }

    var phase: ResidentThread.State { state.withLock { $0.phase } }
    var refusal: Int32? { state.withLock { $0.refusal } }
    var isCurrent: Bool { state.withLock { isOwn($0) } }

    private func isOwn(_ state: State) -> Bool {
        // A thread that has ended may have given its identity to another one.
        state.phase != .ended && state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }

    // MARK: For any thread

    func start() -> Receipt { state.withLock { start(&$0) } }

    /// Under the lock: who submits meanwhile must not be told that his block was accepted by a thread that is refused
    /// then.
    private func start(_ state: inout State) -> Receipt {
        switch state.phase {
        case .running: return .accepted
        case .stopping, .ended: return .stopped
        case .idle:
            let refusal = startThread(name) { [self] in work() }
            state.refusal = refusal == 0 ? nil : refusal
            guard refusal == 0 else { return .refused(refusal) }
            state.phase = .running
            return .accepted
        }
    }

    // hot path: one lock, the queue's memory when it grows, and a wake-up when the thread sleeps.
    func submit(_ block: consuming @escaping @Sendable () -> Void) -> Receipt {
        let job = Job(block)
        let (receipt, rings, bell) = state.withLock { state -> (Receipt, Bool, RunLoopBell?) in
            if state.phase != .running {
                let receipt = start(&state)
                guard case .accepted = receipt else { return (receipt, false, nil) }
            }
            state.waiting.append(job)
            state.pending += 1
            guard state.needsBell else { return (.accepted, false, nil) }
            state.needsBell = false
            return (.accepted, true, state.bell)
        }
        if rings { ring(bell) }
        return receipt
    }

    private func ring(_ bell: RunLoopBell?) {
        if let bell { bell.ring() } else { state.wakeOne(in: Room.work) }
    }

    func stop(_ remainder: ResidentThread.Remainder, within limit: Nanoseconds) -> ResidentThread.Ending {
        let isOwn = isCurrent
        // Before the stop is known to the thread, which may end at any moment after that.
        if isOwn, remainder == .drain {
            _ = drainingEnds.min(Deadline(after: limit).nanoseconds, ordering: .relaxed)
        }
        release(remainder)
        if isOwn { return .endsAfterThisBlock }
        if state.wait(in: Room.end, within: limit, until: { $0.phase == .ended }) { return .ended }
        discard()
        return state.withLock { $0.phase } == .ended ? .ended : .stillRunning
    }

    /// Lets the thread end, and waits for nothing.
    func release(_ remainder: ResidentThread.Remainder) {
        let (rings, bell) = state.withLock { state -> (Bool, RunLoopBell?) in
            switch state.phase {
            case .ended: return (false, nil)
            case .idle:
                state.phase = .ended
                return (false, nil)
            case .running, .stopping:
                state.phase = .stopping
                defer { state.needsBell = false }
                return (state.needsBell, state.bell)
            }
        }
        if remainder == .discard { discard() }
        if rings { ring(bell) }
    }

    /// Lets no further block begin, and releases those that wait.
    private func discard() {
        claims.bitwiseOr(1, ordering: .sequentiallyConsistent)
        // Outside the lock: what a block holds may use this thread when it goes.
        let dropped = state.withLock { state -> JobQueue in
            defer { state.waiting = JobQueue(capacity: 1) }
            return state.waiting
        }
        dropped.removeAll()
    }

    func waitUntilIdle(within limit: Nanoseconds) -> Bool {
        let isOwn = state.withLock { state -> Bool in
            state.idleWatchers += 1
            return self.isOwn(state)
        }
        defer { state.withLock { $0.idleWatchers -= 1 } }
        return !isOwn && state.wait(in: Room.idle, within: limit) { $0.pending == 0 }
    }

    // MARK: For the thread itself

    private func work() {
        let rounds = Rounds(core: self)
        state.withLock { $0.thread = pthread_self() }
        switch mechanism {
        case .conditionVariable: while rounds.waitForBlocks() { rounds.run() }
        case .runLoopSource, .runLoopSlices:
            let loop = ResidentRunLoop(rounds)
            state.withLock { $0.bell = loop.bell }
            loop.run(inSlices: mechanism == .runLoopSlices)
            loop.end()
        }
        let (bell, dropped) = state.withLock { state -> (RunLoopBell?, JobQueue) in
            defer {
                state.bell = nil
                state.waiting = JobQueue(capacity: 1)
            }
            return (state.bell, state.waiting)
        }
        // What blocks hold may still use this thread when it goes: it is the last that is done before the end.
        dropped.removeAll()
        rounds.batch.removeAll()
        withExtendedLifetime(bell) {}
        state.withLock { state in
            state.phase = .ended
            state.thread = nil
            state.pending = 0
        }
        state.wakeAll(in: Room.idle)
        state.wakeAll(in: Room.end)
    }

    /// What the thread does between two sleeps. Used by the thread alone.
    final class Rounds {
        private let core: ResidentCore
        fileprivate var batch = JobQueue()
        /// Blocks that ended since the last look.
        private var done = 0
        private(set) var isRunning = false

        init(core: ResidentCore) { self.core = core }

        /// Sleeps until there are blocks; false when the thread shall end.
        func waitForBlocks() -> Bool {
            core.state.wait(in: Room.work) { state -> Bool? in
                switch look(&state) {
                case .blocks: true
                case .nothing: nil
                case .end: false
                }
            }
        }

        /// Looks for blocks, and takes them all. After `.nothing` the next submit or stop rings.
        func look() -> Find { core.state.withLock { look(&$0) } }

        private func look(_ state: inout State) -> Find {
            state.pending -= done
            done = 0
            if state.pending == 0, state.idleWatchers > 0 { core.state.wakeAll(in: Room.idle) }
            if core.claims.load(ordering: .relaxed) & 1 != 0 { return .end }
            if !state.waiting.isEmpty {
                swap(&state.waiting, &batch)
                return .blocks
            }
            if state.phase == .stopping { return .end }
            state.needsBell = true
            return .nothing
        }

        /// Runs the blocks that were taken.
        // hot path: two atomic operations for each block, no lock.
        func run() {
            isRunning = true
            defer { isRunning = false }
            while let job = batch.popFirst() {
                if core.drainingEnds.load(ordering: .relaxed) != .max { core.endDrainingInTime() }
                guard core.claims.add(2, ordering: .sequentiallyConsistent).oldValue & 1 == 0 else { break }
                job()
                done += 1
            }
            batch.removeAll()
        }
    }

    private func endDrainingInTime() {
        if Deadline(after: .zero).nanoseconds >= drainingEnds.load(ordering: .relaxed) { discard() }
    }
}
