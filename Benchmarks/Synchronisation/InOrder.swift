import Apparatus
import Dispatch
import Foundation
import Synchronization
import TaskMeter

let order = Axis(
    "by", "one-block", "serial-queue", "group-notify", "group-wait", "semaphore", "operation-dependency", "async-let",
    "task-group", "continuation")

let handover = Metric("handover_p50", .nanoseconds, "median time from A's end to B's begin")
let slowHandover = Metric("handover_p90", .nanoseconds, "p90 of time from A's end to B's begin")

/// B needs what A has made. Where both run on one thread, or B is put where A has just run, nobody has to be woken; whoever waits
/// on a thread of its own is woken by the kernel, which takes as long as all of A here. The trap is to think of the waiting
/// thread as free: a semaphore in a pool's thread takes that thread from the pool, and when all threads wait, A never runs.
let inOrder = Benchmark(
    "b-after-a",
    """
    Has B run after A, which spins for 20 µs on another thread, on an idle system, some hundred times; \
    a reading of the clock, some 25 ns, is in every time, and what it takes in the trial is subtracted: \
    what one-block has left is the grain of the clock.
    """,
    axes: [order], observing: [handover, slowHandover]
) { parameters in
    let rounds = parameters.isQuick ? 100 : 120
    let work = Spinning(lasting: .microseconds(20), clock: parameters.clock)
    return Observing { observer in
        let pair = Pair(work: work, clock: observer.clock)
        let start: () -> Void =
            switch parameters[order] {
            case "one-block": pair.oneBlock
            case "serial-queue": pair.serialQueue
            case "group-notify": pair.groupNotify
            case "group-wait": pair.groupWait
            case "semaphore": pair.semaphore
            case "operation-dependency": pair.operationDependency
            case "async-let": pair.asyncLet
            case "task-group": pair.taskGroup
            default: pair.continuation
            }
        // Threads of pools begin to exist in the first rounds.
        for _ in 0..<20 { _ = try pair.round(start) }
        let reading = readingTime(of: observer.clock)
        let times = try (0..<rounds).map { _ in
            sleepBriefly()
            return max(try pair.round(start) - reading, .zero)
        }
        observer.tell(handover, percentile: 0.5, of: times)
        observer.tell(slowHandover, percentile: 0.9, of: times)
    }
}
.answering(Experiment("What has B begin soonest after A?", comparing: order, by: handover))
.trials(atMost: 7)

/// What two readings of the clock are apart with nothing between them, the median of many.
private func readingTime(of clock: MonotonicClock) -> Nanoseconds {
    let times = (0..<1_001).map { _ in
        let begin = clock.now()
        return clock.now() - begin
    }
    return times.sorted()[times.count / 2]
}

/// Long enough for workers to fall asleep.
private func sleepBriefly() { usleep(200) }

/// Two pieces of work, and the ways in which the second follows the first.
///
/// Unchecked Sendable: the two moments are written by A and B, one after the other, and read after the semaphore that B signals.
private final class Pair: @unchecked Sendable {
    private let work: Spinning
    private let clock: MonotonicClock
    private let ended = DispatchSemaphore(value: 0)
    private let workers = DispatchQueue(label: "workers", attributes: .concurrent)
    private let serial = DispatchQueue(label: "serial")
    /// Whoever waits on its thread waits on this queue's, which no pool's limit keeps from starting.
    private let waiters = DispatchQueue(label: "waiters")
    private let operations = OperationQueue()

    private var endOfA: Instant?
    private var beginOfB: Instant?

    init(work: Spinning, clock: MonotonicClock) {
        self.work = work
        self.clock = clock
    }

    private func a() {
        blackHole(work.run())
        endOfA = clock.now()
    }

    private func b() {
        beginOfB = clock.now()
        blackHole(work.run())
        ended.signal()
    }

    /// How long after A's end B began.
    func round(_ start: () -> Void) throws -> Nanoseconds {
        (endOfA, beginOfB) = (nil, nil)
        start()
        guard ended.wait(timeout: .now() + 5) == .success else { throw WrongOrder("B had not ended after 5 s") }
        guard let endOfA, let beginOfB, beginOfB >= endOfA else { throw WrongOrder("B began before A had ended") }
        return beginOfB - endOfA
    }

    func oneBlock() {
        workers.async { [self] in
            a()
            b()
        }
    }

    func serialQueue() {
        serial.async { [self] in a() }
        serial.async { [self] in b() }
    }

    func groupNotify() {
        let group = DispatchGroup()
        workers.async(group: group) { [self] in a() }
        group.notify(queue: workers) { [self] in b() }
    }

    func groupWait() {
        let group = DispatchGroup()
        // Entered here: a wait that came before the group had anything to wait for would be over at once.
        group.enter()
        waiters.async { [self] in
            group.wait()
            b()
        }
        workers.async { [self] in
            a()
            group.leave()
        }
    }

    func semaphore() {
        let done = DispatchSemaphore(value: 0)
        waiters.async { [self] in
            done.wait()
            b()
        }
        workers.async { [self] in
            a()
            done.signal()
        }
    }

    func operationDependency() {
        let first = BlockOperation { [self] in a() }
        let second = BlockOperation { [self] in b() }
        second.addDependency(first)
        operations.addOperations([first, second], waitUntilFinished: false)
    }

    func asyncLet() {
        Task.detached { [self] in
            async let first: Void = a()
            await first
            b()
        }
    }

    func taskGroup() {
        Task.detached { [self] in
            await withTaskGroup(of: Void.self) { group in group.addTask { [self] in a() } }
            b()
        }
    }

    func continuation() {
        Task.detached { [self] in
            await withCheckedContinuation { continuation in
                workers.async { [self] in
                    a()
                    continuation.resume()
                }
            }
            b()
        }
    }
}

/// B came before A, or never.
private struct WrongOrder: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
