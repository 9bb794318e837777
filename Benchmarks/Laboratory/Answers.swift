import Dispatch
import Glibc
import Synchronization
import TaskMeter

private let way = Axis("way", "direct-call", "call-back", "completion-handler", "completion-handler-hop", "async-await")
private let roundTrip = Metric("answer_p50", .nanoseconds, "median time to an answer")

/// Three ways for a library to give an answer. A call-back: the library runs the caller's block, before the call returns, on the
/// caller's thread. A completion handler: the caller leaves a block, and the library fills it in later, from a thread of its own;
/// with a hop, it then goes back to a queue of the caller's. Async/await: the caller is suspended meanwhile, and goes on on the
/// pool of Swift's concurrency. What separates them is not the block but the thread: whoever changes it pays a wake-up.
///
/// A call takes less than a reading of the clock: where the answer is there when the call returns, 1,000 calls are timed
/// together.
let answers = Benchmark(
    "answers",
    """
    Asks a library for an answer, and goes on when it is there; direct calls and call-backs are timed by the thousand, \
    the others one by one.
    """, axes: [way], observing: [roundTrip]
) { parameters in
    let way = parameters[way]
    let rounds = parameters.isQuick ? 100 : 500
    return Observing { observer in
        let asking = Asking(rounds: rounds, clock: observer.clock)
        let library = identity(Entries(compute: asking.library.compute, ask: asking.library.ask))
        // The way is chosen here, outside of what is timed.
        switch way {
        case "direct-call": observer.tell(roundTrip, try asking.timeCalls(library.compute))
        case "call-back":
            let time = try asking.timeCalls { question in
                var answer = 0
                library.ask(question) { answer = $0 }
                return answer
            }
            observer.tell(roundTrip, time)
        case "completion-handler":
            observer.tell(roundTrip, percentile: 0.5, of: try asking.completionHandlers { $0.signal() })
        case "completion-handler-hop":
            let callers = DispatchQueue(label: "caller")
            let times = try asking.completionHandlers { done in callers.async { done.signal() } }
            observer.tell(roundTrip, percentile: 0.5, of: times)
        default: observer.tell(roundTrip, percentile: 0.5, of: try asking.awaits())
        }
    }
}
.answering(Experiment("How should a library give its answer?", comparing: way, by: roundTrip)).trials(atMost: 7)

/// So many answers, each of them right, after some that are not counted.
private struct Asking {
    let rounds: Int
    let clock: MonotonicClock
    let library = Library()
    private let warmUp = 50
    private let calls = 1_000

    init(rounds: Int, clock: MonotonicClock) {
        self.rounds = rounds
        self.clock = clock
    }

    /// The median over as many groups of calls as there are rounds of a call's time, in nanoseconds.
    ///
    /// Inlined, so that the calls are the library's alone, without one of a closure around them.
    @inline(__always)
    func timeCalls(_ answer: (Int) -> Int) throws -> Double {
        var times: [Nanoseconds] = []
        for round in 0..<rounds + warmUp {
            var sum = 0
            let begin = clock.now()
            for question in 0..<calls { sum &+= answer(question) }
            let took = clock.now() - begin
            guard sum == calls * (calls + 1) / 2 else { throw Hang(what: "\(calls) right answers") }
            if round >= warmUp { times.append(took) }
        }
        return Double(times.sorted()[(times.count - 1) / 2].count) / Double(calls)
    }

    func completionHandlers(_ signal: @escaping @Sendable (DispatchSemaphore) -> Void) throws -> [Nanoseconds] {
        let done = DispatchSemaphore(value: 0)
        let told = Atomic<Int>(0)
        var times: [Nanoseconds] = []
        for round in 0..<rounds + warmUp {
            let begin = clock.now()
            library.askLater(round) { value in
                told.store(value, ordering: .releasing)
                signal(done)
            }
            guard done.wait(timeout: .now() + 20) == .success else { throw Hang(what: "an answer") }
            let answer = told.load(ordering: .acquiring)
            let took = clock.now() - begin
            if answer == round + 1, round >= warmUp { times.append(took) }
        }
        return try allRight(times)
    }

    func awaits() throws -> [Nanoseconds] {
        let done = DispatchSemaphore(value: 0)
        let kept = Mutex<[Nanoseconds]>([])
        Task.detached { [self] in
            for round in 0..<rounds + warmUp {
                let begin = clock.now()
                let answer = await library.answer(round)
                let took = clock.now() - begin
                if answer == round + 1, round >= warmUp { kept.withLock { $0.append(took) } }
            }
            done.signal()
        }
        guard done.wait(timeout: .now() + 20) == .success else { throw Hang(what: "the answers") }
        return try allRight(kept.withLock { $0 })
    }

    private func allRight(_ times: [Nanoseconds]) throws -> [Nanoseconds] {
        guard times.count == rounds else { throw Hang(what: "\(rounds - times.count) right answers") }
        return times
    }
}

/// What a program has of a library that was compiled apart from it. The trap: seeing both, the optimiser makes a copy of the
/// library's function with the block inside, and nothing is called back.
private struct Entries {
    let compute: (Int) -> Int
    let ask: (Int, (Int) -> Void) -> Void
}

/// What answers. Its own thread is that of a serial queue.
private final class Library: Sendable {
    private let queue = DispatchQueue(label: "library")

    @inline(never) func compute(_ question: Int) -> Int { identity(question) + 1 }

    @inline(never) func ask(_ question: Int, _ answer: (Int) -> Void) { answer(compute(question)) }

    @inline(never) func askLater(_ question: Int, _ answer: @escaping @Sendable (Int) -> Void) {
        queue.async { answer(self.compute(question)) }
    }

    func answer(_ question: Int) async -> Int {
        await withCheckedContinuation { continuation in askLater(question) { continuation.resume(returning: $0) } }
    }
}

private let operation = Axis("operation", "sync", "async", "async-after-now", "barrier-async", "suspend-resume")

/// What one asks of a serial queue besides running a block. `asyncAfter` with a deadline that is over goes through a timer all the same;
/// suspend and resume only count, while the queue is idle.
let queueOperations = Benchmark(
    "queue-operations", "Does one operation on an idle dispatch queue of its own, and waits until its block has run.",
    axes: [operation], sampling: .batches(duration: .milliseconds(60))
) { parameters in
    let operation = parameters[operation]
    let queue = DispatchQueue(label: "queue", attributes: operation == "barrier-async" ? .concurrent : [])
    let done = DispatchSemaphore(value: 0)
    return Iteration {
        switch operation {
        case "sync": queue.sync {}
        case "suspend-resume":
            queue.suspend()
            queue.resume()
        case "async":
            queue.async { done.signal() }
            done.wait()
        case "barrier-async":
            queue.async(flags: .barrier) { done.signal() }
            done.wait()
        default:
            queue.asyncAfter(deadline: .now()) { done.signal() }
            done.wait()
        }
    }
}
.answering(Experiment("What do a dispatch queue’s operations take?", comparing: operation, by: .iterationTime))
.trials(atMost: 7)
