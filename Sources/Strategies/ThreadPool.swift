import Results
import Threading

/// Threads that take jobs from one queue, in order of submission: the machinery of pools of fixed and of elastic size.
///
/// Jobs that wait and jobs that run are counted under the lock of the queue, so that a job costs one lock at each end.
/// A thread takes one job at a time: jobs that it had taken in reserve would be held up by one that blocks, while
/// others stand idle.
///
/// One thread is called at a time, after the lock is free again. The one that comes calls the next, if there is more to
/// do by then. So a burst of short jobs, which the first threads have done before the last would be awake, does not pay
/// for waking them all, and no job waits for longer than the wake-ups take. The one that fell asleep last is called
/// first, for its processor and caches still know it.
final class ThreadPool: Sendable {
    private struct State {
        let jobs = JobQueue()
        var running = 0
        /// Numbers of threads that sleep and were not called.
        var asleep: [Int] = []
        /// The thread that was called and has not come yet.
        var called: Int?
        /// Numbers that no thread has.
        var free: [Int]
        var idleWatchers = 0
        var isClosed = false
        /// How often the system refused a thread beyond those that are kept.
        var refused = 0

        /// Whom to call for the jobs that wait.
        mutating func call(startsThreads: Bool = true) -> Call? {
            guard called == nil, !jobs.isEmpty else { return nil }
            if let number = asleep.popLast() {
                called = number
                return .wake(number)
            }
            guard startsThreads, !isClosed, let number = free.popLast() else { return nil }
            called = number
            return .start(number)
        }
    }

    private enum Call {
        case wake(Int)
        case start(Int)
    }

    /// What a thread knows of itself between two looks at the state.
    private struct Worker {
        let number: Int
        let stays: Bool
        var hasRun = false
        /// Whether it sleeps, or was started for a job, until it is called.
        var awaitsCall = false
        var call: Call?
    }

    private static let idleRoom = 0
    private static let endRoom = 1
    private static func room(of number: Int) -> Int { 2 + number }

    private let state: Monitor<State>
    private let name: String
    private let most: Int
    private let keepAlive: Nanoseconds
    private let startThread: ThreadStarter

    /// - Parameters:
    ///   - kept: threads that are started now and stay.
    ///   - most: up to how many there are while none is idle.
    ///   - keepAlive: how long a thread beyond those that are kept stays without a job.
    init(
        kept: Int, upTo most: Int, keepAlive: Nanoseconds = .zero, threadName: String,
        startingThreadsWith startThread: @escaping ThreadStarter = systemThread
    ) throws(StrategyError) {
        self.startThread = startThread
        let kept = max(kept, 1)
        let most = max(kept, most)
        self.most = most
        self.keepAlive = keepAlive
        name = threadName
        var start = State(free: Array((kept..<most).reversed()))
        start.asleep.reserveCapacity(most)
        state = Monitor(start, rooms: 2 + most)
        for number in 0..<kept {
            let refusal = startThread(threadName) { [self] in work(Worker(number: number, stays: true)) }
            guard refusal == 0 else {
                // A pool with fewer workers than its name says would measure something else under that name.
                state.withLock { $0.free += number..<kept }
                close()
                throw StrategyError(
                    description: "the system refused thread \(number + 1) of \(kept) (\(errnoText(refusal)))")
            }
        }
    }

    // hot path: one lock, and the queue's memory when it grows.
    func submit(_ run: consuming @escaping @Sendable () -> Void) {
        let job = Job(run)
        let call = state.withLock { state in
            state.jobs.append(job)
            return state.call()
        }
        if let call { make(call) }
    }

    /// How often the system refused a thread so far.
    var refusedThreads: Int { state.withLock { $0.refused } }

    private func make(_ call: Call) {
        switch call {
        case .wake(let number): state.wakeOne(in: Self.room(of: number))
        case .start(let number):
            let worker = Worker(number: number, stays: false, awaitsCall: true)
            guard startThread(name, { [self] in work(worker) }) != 0 else { return }
            // Refused: jobs wait for the threads that there are, and the next submit asks again. One that fell asleep
            // meanwhile was not called for what came meanwhile.
            let other = state.withLock { state in
                state.called = nil
                state.free.append(number)
                state.refused += 1
                return state.call(startsThreads: false)
            }
            if let other { make(other) }
        }
    }

    private func work(_ worker: Worker) {
        var worker = worker
        while let job = next(&worker) {
            if let call = worker.call {
                worker.call = nil
                make(call)
            }
            job()
        }
        let call = state.withLock { state in
            state.free.append(worker.number)
            if state.free.count == most { self.state.wakeAll(in: Self.endRoom) }
            // Who submitted since this thread left those that sleep found neither it nor its free number, and called nobody.
            return state.call()
        }
        if let call { make(call) }
    }

    /// The next job; nil when the thread shall end.
    private func next(_ worker: inout Worker) -> Job? {
        let room = Self.room(of: worker.number)
        if worker.stays { return state.wait(in: room) { look(&$0, &worker) } }
        if let found = state.waitForResult(in: room, within: keepAlive, { look(&$0, &worker) }) { return found }
        // It was idle for as long as it may be, unless it was called at the last moment.
        return state.withLock { state in
            if let found = look(&state, &worker) { return found }
            state.asleep.removeAll { $0 == worker.number }
            return nil
        }
    }

    /// What a thread does at each look at the state: `.some(nil)` ends it, nil lets it sleep.
    private func look(_ state: inout State, _ worker: inout Worker) -> Job?? {
        if worker.hasRun {
            state.running -= 1
            worker.hasRun = false
        }
        if worker.awaitsCall {
            guard state.called == worker.number || state.isClosed else { return nil }
            if state.called == worker.number { state.called = nil }
            worker.awaitsCall = false
        }
        if let job = state.jobs.popFirst() {
            state.running += 1
            worker.hasRun = true
            worker.call = state.call()
            return .some(job)
        }
        if state.running == 0, state.idleWatchers > 0 { self.state.wakeAll(in: Self.idleRoom) }
        if state.isClosed { return .some(nil) }
        state.asleep.append(worker.number)
        worker.awaitsCall = true
        return nil
    }

    func waitUntilIdle(within limit: Nanoseconds) -> Bool {
        state.withLock { $0.idleWatchers += 1 }
        defer { state.withLock { $0.idleWatchers -= 1 } }
        return state.wait(in: Self.idleRoom, within: limit) { $0.jobs.isEmpty && $0.running == 0 }
    }

    /// Lets the threads end once nothing is left to do.
    func close() {
        let asleep = state.withLock { state in
            state.isClosed = true
            defer { state.asleep = [] }
            return state.asleep
        }
        for number in asleep { state.wakeOne(in: Self.room(of: number)) }
    }

    /// Waits until all threads have ended; only after `close`.
    func waitUntilEnded(within limit: Nanoseconds) -> Bool {
        state.wait(in: Self.endRoom, within: limit) { $0.free.count == most }
    }
}
