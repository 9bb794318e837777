import CHandOver
import Dispatch
import Glibc
import Results
import Synchronization
import TaskMeter

/// The ways to hand work to another thread that our own are held against, and our own.
enum HandOverWay: String, CaseIterable {
    /// A ring behind a mutex, and a condition variable, in C: each job has an argument from the heap, as each closure has.
    case bareC = "c"
    /// The same with two threads that take from the ring.
    case bareCByTwo = "c-2"
    case serialQueue = "serial-queue"
    case globalQueue = "global-queue"
    case residentThread = "resident-thread"
    case pool = "pool-2"
    case elasticPool = "elastic-pool-2"
    case stealingPool = "stealing-pool-2"
}

/// Counts jobs, and wakes the one who waits for a number of them.
///
/// Unchecked Sendable: the semaphore's memory is never moved, and POSIX semaphores are made for several threads.
final class JobTally: @unchecked Sendable {
    private let ran = Atomic<Int>(0)
    private let wanted = Atomic<Int>(Int.max)
    private let reached = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(reached, 0, 0) }
    deinit {
        sem_destroy(reached)
        reached.deallocate()
    }

    func count(_ number: Int = 1) {
        if ran.add(number, ordering: .acquiringAndReleasing).newValue == wanted.load(ordering: .acquiring) {
            sem_post(reached)
        }
    }

    /// Says for how many jobs `wait` will wait. To be called before the last of them is submitted.
    func want(_ jobs: Int) { wanted.store(ran.load(ordering: .acquiring) + jobs, ordering: .releasing) }

    func wait() { while sem_wait(reached) != 0 {} }
}

/// A bare hand-over in C.
///
/// Unchecked Sendable: `hand_over_submit` may be called from any thread.
final class BareHandOver: @unchecked Sendable {
    private let handOver: OpaquePointer
    private let tally: JobTally

    /// Nil when the system refuses the thread.
    init?(_ tally: JobTally, threads: Int32) {
        guard let handOver = hand_over_start(threads) else { return nil }
        self.handOver = handOver
        self.tally = tally
    }

    func submit() {
        // What a closure with two captured words takes from the heap.
        let argument = malloc(32)!
        argument.storeBytes(of: Unmanaged.passUnretained(tally).toOpaque(), as: UnsafeMutableRawPointer.self)
        _ = hand_over_submit(
            handOver,
            { argument in
                let tally = argument!.load(as: UnsafeMutableRawPointer.self)
                free(argument)
                Unmanaged<JobTally>.fromOpaque(tally)._withUnsafeGuaranteedRef { $0.count() }
            }, argument)
    }

    func stop() { hand_over_stop(handOver) }
}

struct HandOverRefused: Error, CustomStringConvertible { let description = "the system refused a thread" }

/// One iteration hands over so many jobs, and waits until all have run.
func handingOver(_ way: HandOverWay, jobs: Int) throws -> Iteration {
    let tally = JobTally()
    // Two captured values: a closure with one reference alone would be that reference, and take nothing from the heap.
    let one = identity(1)
    let submit: @Sendable () -> Void
    let stop: @Sendable () -> Void
    func of(_ choice: StrategyChoice) throws -> (@Sendable () -> Void, @Sendable () -> Void) {
        let strategy = try choice()
        return ({ strategy.submit { tally.count(one) } }, { _ = strategy.shutDown(within: .seconds(5)) })
    }
    switch way {
    case .bareC, .bareCByTwo:
        guard let handOver = BareHandOver(tally, threads: way == .bareC ? 1 : 2) else { throw HandOverRefused() }
        (submit, stop) = ({ handOver.submit() }, { handOver.stop() })
    case .serialQueue:
        let queue = DispatchQueue(label: "harness")
        (submit, stop) = ({ queue.async { tally.count(one) } }, {})
    case .globalQueue:
        let queue = DispatchQueue.global()
        (submit, stop) = ({ queue.async { tally.count(one) } }, {})
    case .residentThread:
        let thread = ResidentThread()
        (submit, stop) = ({ thread.submit { tally.count(one) } }, { thread.stop() })
    case .pool: (submit, stop) = try of(.pool(workers: 2))
    case .elasticPool: (submit, stop) = try of(.elasticPool(upTo: 2))
    case .stealingPool: (submit, stop) = try of(.stealingPool(workers: 2))
    }
    return Iteration {
        tally.want(jobs)
        for _ in 0..<jobs { submit() }
        tally.wait()
    }.afterTrial { stop() }
}
