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
                + "in turn. One whose queue is empty takes the oldest task of another's. What a task submits goes to its "
                + "own thread's queue.", .none, .fixed(max(workers, 1)),
            whenBlocked: "As many tasks that block at once hold up the rest; nothing else in the process is touched.",
            submitting:
                "an allocation, a lock that only few share, and an atomic addition; a wake-up when a thread is idle"
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

    package func submit(_ job: @escaping @Sendable () -> Void) { threads.submit(job) }
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
/// for the same reason, and one at a time, for what they took in reserve could wait behind a job that blocks.
///
/// How no job is left behind: a thread that finds nothing says that it will sleep, and then looks into every queue once
/// more. A submit puts its job into a queue, and then looks whether anyone said so. Of the two, one comes first: either
/// the thread finds the job, or the submit finds the thread. If the thread has not fallen asleep yet, `news` tells it
/// to look again. Threads are called one at a time, as in `ThreadPool`.
final class StealingThreads: Sendable {
    private struct Rest {
        /// Numbers of threads that sleep and were not called.
        var asleep: [Int] = []
        /// The thread that was called and has not come yet.
        var called: Int?
        /// Jobs that were submitted since, for which nobody was called.
        var unanswered = 0
        /// How often somebody looked for a thread that sleeps.
        var news = 0
        var ended = 0
        var isClosed = false

        mutating func call() -> Int? {
            guard called == nil else { return nil }
            called = asleep.popLast()
            return called
        }
    }

    private enum Find {
        case job(Job)
        case lookAgain(calling: Int?)
        case end
    }

    /// What a thread knows of itself; nested submits find it through the thread.
    private final class Worker {
        // The thread keeps its `StealingThreads`, and this is looked at by the thread alone.
        unowned let threads: StealingThreads
        let number: Int

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
    private let turn = Atomic<Int>(0)
    /// How many threads said that they will sleep.
    private let resting: Atomic<Int>
    private let rest: Monitor<Rest>

    init(_ count: Int, _ startThread: ThreadStarter) throws(StrategyError) {
        queues = (0..<count).map { _ in Monitor(JobQueue()) }
        // All sleep from the first, also those that have not come to it yet: nothing is left to do before the first
        // job.
        resting = Atomic(count)
        rest = Monitor(Rest(asleep: Array((0..<count).reversed())), rooms: 2 + count)
        for number in 0..<count {
            let refusal = startThread("tm-stealing") { [self] in work(number) }
            guard refusal == 0 else {
                rest.withLock { $0.ended += count - number }
                close()
                throw StrategyError(
                    description: "the system refused thread \(number + 1) of \(count) (\(errnoText(refusal)))")
            }
        }
    }

    // hot path: one lock, which only thieves and other submits to the same queue contend for, and its memory when it
    // grows.
    func submit(_ run: @escaping @Sendable () -> Void) {
        let job = Job(run)
        queues[ownQueue ?? nextQueue].withLock { $0.append(job) }
        if resting.load(ordering: .sequentiallyConsistent) > 0 { callOne() }
    }

    /// The queue of the calling thread, when it is one of these.
    private var ownQueue: Int? {
        guard let pointer = pthread_getspecific(Self.current) else { return nil }
        let worker = Unmanaged<Worker>.fromOpaque(pointer).takeUnretainedValue()
        return worker.threads === self ? worker.number : nil
    }

    private var nextQueue: Int {
        let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return Int(UInt(bitPattern: turn) % UInt(queues.count))
    }

    private func callOne() {
        let called = rest.withLock { rest -> Int? in
            rest.news += 1
            if let number = rest.call() { return number }
            rest.unanswered += 1
            return nil
        }
        if let called { rest.wakeOne(in: Self.room(of: called)) }
    }

    private func work(_ number: Int) {
        let worker = Worker(self, number)
        pthread_setspecific(Self.current, Unmanaged.passUnretained(worker).toOpaque())
        var find = waitForCall(number)
        working: while true {
            switch find {
            case .job(let job): job.run()
            case .lookAgain(let called): if let called { rest.wakeOne(in: Self.room(of: called)) }
            case .end: break working
            }
            find = take(number).map(Find.job) ?? sleep(number)
        }
        pthread_setspecific(Self.current, nil)
        withExtendedLifetime(worker) {}
        rest.withLock { rest in
            rest.ended += 1
            if rest.ended == queues.count { self.rest.wakeAll(in: Self.endRoom) }
            if rest.ended + rest.asleep.count == queues.count { self.rest.wakeAll(in: Self.idleRoom) }
        }
    }

    /// The oldest job of the thread's own queue, or else of the next one that has any.
    private func take(_ number: Int) -> Job? {
        for step in 0..<queues.count {
            let place = number + step
            let queue = place < queues.count ? place : place - queues.count
            if let job = queues[queue].withLock({ $0.popFirst() }) { return job }
        }
        return nil
    }

    private func sleep(_ number: Int) -> Find {
        let news = rest.withLock { rest in
            resting.add(1, ordering: .sequentiallyConsistent)
            return rest.news
        }
        if let job = take(number) {
            resting.subtract(1, ordering: .sequentiallyConsistent)
            return .job(job)
        }
        return waitForCall(number, unlessOtherThan: news)
    }

    /// Sleeps until it is called.
    ///
    /// - Parameter news: what `news` was before the last look; nil for a thread that is among those that sleep already.
    private func waitForCall(_ number: Int, unlessOtherThan news: Int? = nil) -> Find {
        defer { resting.subtract(1, ordering: .sequentiallyConsistent) }
        var isAsleep = news == nil
        return rest.wait(in: Self.room(of: number)) { rest -> Find? in
            if isAsleep {
                if rest.called == number {
                    rest.called = nil
                    // The next is called by the one that comes, as long as there were more jobs than calls.
                    guard rest.unanswered > 0 else { return .lookAgain(calling: nil) }
                    rest.unanswered -= 1
                    return .lookAgain(calling: rest.call())
                }
                return rest.isClosed ? .lookAgain(calling: nil) : nil
            }
            guard rest.news == news else { return .lookAgain(calling: nil) }
            if rest.isClosed { return .end }
            // All queues were empty, and nothing came since.
            rest.unanswered = 0
            rest.asleep.append(number)
            isAsleep = true
            if rest.asleep.count == queues.count { self.rest.wakeAll(in: Self.idleRoom) }
            return nil
        }
    }

    func waitUntilIdle(within limit: Nanoseconds) -> Bool {
        rest.wait(in: Self.idleRoom, within: limit) { $0.called == nil && $0.ended + $0.asleep.count == queues.count }
    }

    /// Lets the threads end once nothing is left to do.
    func close() {
        let asleep = rest.withLock { rest in
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
