import Glibc
import Results
import Synchronization
import Threading

extension StrategyChoice {
    /// A fixed number of threads, each with a queue of its own, that take from one another's when theirs is empty.
    public static func stealingPool(workers: Int) -> StrategyChoice {
        StrategyChoice(
            "stealing-pool-\(workers)",
            "\(workers == 1 ? "One thread" : "\(workers) threads, each") with a queue of its own, which are given tasks "
                + "in turn. One whose queue is empty takes the oldest of another's. What a task submits goes to its "
                + "own thread's queue.", .none, .fixed(max(workers, 1)),
            whenBlocked: "As many tasks that block at once hold up the rest; nothing else in the process is touched.",
            submitting:
                "an allocation and a lock that only few share; a wake-up when a thread is idle"
        ) { try StealingPool(workers: max(workers, 1)) }
    }
}

/// The owner of the threads: when it goes, they end once they have done what was submitted.
package final class StealingPool: Strategy {
    private let threads: StealingThreads

    package init(
        workers: Int, startingThreadsWith startThread: ThreadStarter = systemThread
    ) throws(StrategyError) { threads = try StealingThreads(workers, startThread) }

    deinit { threads.close() }

    package func submit(_ job: consuming @escaping @Sendable () -> Void) { threads.submit(job) }
    package func waitUntilAllDone(within limit: Nanoseconds) -> Bool { threads.waitUntilIdle(within: limit) }

    package func shutDown(within limit: Nanoseconds) -> Bool {
        threads.close()
        return threads.waitUntilEnded(within: limit)
    }
}

/// Threads that steal work (Blumofe and Leiserson, “Scheduling Multithreaded Computations by Work Stealing”, 1999).
///
/// A thread takes the oldest job of its own queue, and not the newest, as is usual where jobs are parts of one
/// computation: these are requests that somebody waits for, and the oldest has waited longest. Thieves take the oldest
/// for the same reason, with some of those that follow, which they put into their own queue: what a thread took in
/// reserve could wait behind a job that blocks, but there others find it.
///
/// A thread is called when a job comes while one sleeps, one at a time: who submits while another has been called and
/// has not come yet leaves it at that, and takes no second lock. The one that comes calls the next, if there is more to
/// do by then.
///
/// How no job is left behind: a thread that finds nothing enters itself among those that sleep, and then looks into
/// every queue once more. A submit puts its job into a queue, and then looks whether there is somebody to call. Of the
/// two, one comes first, for both hold the lock of the queue between: either the thread finds the job, or the submit
/// finds the thread. It is the same with a thread that was called, which says that it has come before it looks.
final class StealingThreads: Sendable {
    private struct Rest {
        /// Numbers of threads that said that they will sleep and were not called.
        var asleep: [Int] = []
        /// The thread that was called and has not come yet.
        var called: Int?
        /// How many threads found nothing after they had said that they will sleep.
        var idle = 0
        var ended = 0
        var isClosed = false

        var canCall: Bool { called == nil && !asleep.isEmpty }
    }

    /// What a thread knows of itself; nested submits find it through the thread.
    private final class Worker {
        // The thread keeps its `StealingThreads`, and this is looked at by the thread alone.
        unowned let threads: StealingThreads
        let number: Int
        /// Jobs on their way from another's queue to its own.
        let loot = JobQueue()

        init(_ threads: StealingThreads, _ number: Int) {
            self.threads = threads
            self.number = number
        }
    }

    private static let current: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static let idleRoom = 0
    private static let endRoom = 1
    private static func room(of number: Int) -> Int { 2 + number }

    private let queues: [Monitor<JobQueue>]
    /// The same, which `queues` keeps: an array would count a reference at every access, that all threads share.
    private let places: [Unmanaged<Monitor<JobQueue>>]
    private let turn: Turn
    /// `Rest.canCall`, for those who submit. Changed under the lock of `rest`.
    private let canCall = Atomic<Bool>(true)
    private let rest: Monitor<Rest>

    init(_ count: Int, _ startThread: ThreadStarter) throws(StrategyError) {
        queues = (0..<count).map { _ in Monitor(JobQueue()) }
        places = queues.map(Unmanaged.passUnretained)
        turn = Turn(of: count)
        // All sleep from the first, also those that have not come to it yet: nothing is left to do before the first
        // job.
        rest = Monitor(Rest(asleep: Array((0..<count).reversed()), idle: count), rooms: 2 + count)
        for number in 0..<count {
            let refusal = startThread("tm-stealing") { [self] in work(number) }
            guard refusal == 0 else {
                changeRest {
                    $0.ended += count - number
                    $0.idle -= count - number
                }
                close()
                throw StrategyError(
                    description: "the system refused thread \(number + 1) of \(count) (\(errnoText(refusal)))")
            }
        }
    }

    // hot path: one lock, which only thieves and other submits to the same queue contend for, and its memory when it
    // grows.
    func submit(_ run: consuming @escaping @Sendable () -> Void) {
        let job = Job(run)
        withQueue(ownQueue ?? turn.next()) { $0.append(job) }
        if canCall.load(ordering: .relaxed) { callOne() }
    }

    /// The queue of the calling thread, when it is one of these.
    private var ownQueue: Int? {
        guard let pointer = pthread_getspecific(Self.current) else { return nil }
        let worker = Unmanaged<Worker>.fromOpaque(pointer).takeUnretainedValue()
        return worker.threads === self ? worker.number : nil
    }

    private func withQueue<Result>(_ number: Int, _ body: (JobQueue) -> Result) -> Result {
        places[number]._withUnsafeGuaranteedRef { $0.withLock { body($0) } }
    }

    private func changeRest<Result>(_ change: (inout Rest) -> Result) -> Result {
        rest.withLock { rest in
            defer { canCall.store(rest.canCall, ordering: .relaxed) }
            return change(&rest)
        }
    }

    private func callOne() {
        let called = changeRest { rest -> Int? in
            guard rest.canCall else { return nil }
            rest.called = rest.asleep.popLast()
            return rest.called
        }
        if let called { rest.wakeOne(in: Self.room(of: called)) }
    }

    private func work(_ number: Int) {
        let worker = Worker(self, number)
        pthread_setspecific(Self.current, Unmanaged.passUnretained(worker).toOpaque())
        var wasCalled = sleep(number, countedAsIdle: true)
        while true {
            if let job = take(worker) {
                if wasCalled, hasJobs { callOne() }
                wasCalled = false
                job()
                continue
            }
            let isClosed = changeRest { rest in
                if !rest.isClosed { rest.asleep.append(number) }
                return rest.isClosed
            }
            if isClosed { break }
            if let job = take(worker) {
                if comeBack(number), hasJobs { callOne() }
                wasCalled = false
                job()
            } else {
                wasCalled = sleep(number)
            }
        }
        pthread_setspecific(Self.current, nil)
        withExtendedLifetime(worker) {}
        rest.withLock { rest in
            rest.ended += 1
            if rest.ended == queues.count { self.rest.wakeAll(in: Self.endRoom) }
            if rest.ended + rest.idle == queues.count { self.rest.wakeAll(in: Self.idleRoom) }
        }
    }

    /// The oldest job of the thread's own queue, or else of the next one that has any.
    private func take(_ worker: Worker) -> Job? {
        if let job = withQueue(worker.number, { $0.popFirst() }) { return job }
        for step in 1..<queues.count {
            let place = worker.number + step
            let victim = place < queues.count ? place : place - queues.count
            guard let job = withQueue(victim, { steal(from: $0, worker.loot) }) else { continue }
            if !worker.loot.isEmpty {
                // One after the other, for with both locks two thieves could wait for each other.
                withQueue(worker.number) { own in while let job = worker.loot.popFirst() { own.append(job) } }
                // Somebody may have fallen asleep while they were in no queue.
                if canCall.load(ordering: .relaxed) { callOne() }
            }
            return job
        }
        return nil
    }

    /// The oldest job; half of the others, up to a limit, become loot.
    private func steal(from queue: JobQueue, _ loot: JobQueue) -> Job? {
        let first = queue.popFirst()
        for _ in 0..<min(queue.count / 2, 16) { if let job = queue.popFirst() { loot.append(job) } }
        return first
    }

    private var hasJobs: Bool { queues.contains { $0.withLock { !$0.isEmpty } } }

    /// What a thread says that said that it will sleep and found a job; returns whether it was called meanwhile.
    private func comeBack(_ number: Int) -> Bool {
        changeRest { rest in
            rest.asleep.removeAll { $0 == number }
            guard rest.called == number else { return false }
            rest.called = nil
            return true
        }
    }

    /// Sleeps until it is called, or all is closed; returns whether it was called. Only for a thread that said that it
    /// will.
    private func sleep(_ number: Int, countedAsIdle: Bool = false) -> Bool {
        var isIdle = countedAsIdle
        return rest.wait(in: Self.room(of: number)) { rest -> Bool? in
            let wasCalled = rest.called == number
            if wasCalled || rest.isClosed {
                if wasCalled { rest.called = nil }
                if isIdle { rest.idle -= 1 }
                canCall.store(rest.canCall, ordering: .relaxed)
                return wasCalled
            }
            if !isIdle {
                isIdle = true
                rest.idle += 1
                if rest.idle + rest.ended == queues.count { self.rest.wakeAll(in: Self.idleRoom) }
            }
            return nil
        }
    }

    func waitUntilIdle(within limit: Nanoseconds) -> Bool {
        rest.wait(in: Self.idleRoom, within: limit) { $0.called == nil && $0.ended + $0.idle == queues.count }
    }

    /// Lets the threads end once nothing is left to do.
    func close() {
        let asleep = changeRest { rest in
            rest.isClosed = true
            defer { rest.asleep = [] }
            return rest.asleep
        }
        for number in asleep { rest.wakeOne(in: Self.room(of: number)) }
    }

    /// Waits until all threads have ended; only after `close`.
    func waitUntilEnded(within limit: Nanoseconds) -> Bool {
        rest.wait(in: Self.endRoom, within: limit) { $0.ended == queues.count }
    }
}

/// Which queue is the next. Two who ask at once may be given the same.
///
/// Unchecked Sendable: the memory is never moved, and what is in it is atomic.
private final class Turn: @unchecked Sendable {
    private let count: Int
    private let turn: UnsafeMutablePointer<Atomic<Int>>

    init(of count: Int) {
        self.count = count
        // A line of the caches of its own: every submit writes it, and workers read what would lie beside it.
        turn = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64).bindMemory(
            to: Atomic<Int>.self, capacity: 1)
        turn.initialize(to: Atomic(0))
    }

    deinit {
        turn.deinitialize(count: 1)
        UnsafeMutableRawPointer(turn).deallocate()
    }

    func next() -> Int {
        // No atomic addition, which would cost more than it is worth to be just.
        let this = turn.pointee.load(ordering: .relaxed)
        turn.pointee.store(this + 1 < count ? this + 1 : 0, ordering: .relaxed)
        return this
    }
}
