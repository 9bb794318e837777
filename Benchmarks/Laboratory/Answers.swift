import Dispatch
import Glibc
import Synchronization
import TaskMeter

private let way = Axis("way", "direct-call", "call-back", "completion-handler", "completion-handler-hop", "async-await")
private let roundTrip = Metric("answer_p50", .nanoseconds, "median time to an answer")

/// Three ways for a library to give an answer. A call-back: the library runs the caller's block, before the call returns, on the
/// caller's thread. A completion handler: the caller leaves a block, and the library fills it in later, from a thread of its own;
/// with a hop, it then goes back to a queue of the caller's. Async/await: the caller is suspended meanwhile, and goes on on the pool of Swift's
/// concurrency. What separates them is not the block but the thread: whoever changes it pays a wake-up.
let answers = Benchmark(
    "answers", "Asks a library for an answer, and goes on when it is there.", axes: [way], observing: [roundTrip]
) { parameters in
    let way = parameters[way]
    let rounds = parameters.isQuick ? 100 : 500
    return Observing { observer in
        let library = Library()
        let clock = observer.clock
        let done = DispatchSemaphore(value: 0)
        var times: [Nanoseconds] = []
        if way == "async-await" {
            let kept = Mutex<[Nanoseconds]>([])
            Task.detached {
                for round in 0..<rounds + 50 {
                    let begin = clock.now()
                    let answer = await library.answer(round)
                    let took = clock.now() - begin
                    if answer == round + 1, round >= 50 { kept.withLock { $0.append(took) } }
                }
                done.signal()
            }
            guard done.wait(timeout: .now() + 20) == .success else { throw Hang(what: "the answers") }
            times = kept.withLock { $0 }
        } else {
            let callers = DispatchQueue(label: "caller")
            let told = Atomic<Int>(0)
            for round in 0..<rounds + 50 {
                let begin = clock.now()
                var answer = 0
                switch way {
                case "direct-call": answer = library.compute(round)
                case "call-back": library.ask(round) { answer = $0 }
                default:
                    let hops = way == "completion-handler-hop"
                    library.askLater(round) { value in
                        told.store(value, ordering: .releasing)
                        if hops { callers.async { done.signal() } } else { done.signal() }
                    }
                    guard done.wait(timeout: .now() + 20) == .success else { throw Hang(what: "an answer") }
                    answer = told.load(ordering: .acquiring)
                }
                let took = clock.now() - begin
                if answer == round + 1, round >= 50 { times.append(took) }
            }
        }
        guard times.count == rounds else { throw Hang(what: "\(rounds - times.count) right answers") }
        observer.tell(roundTrip, percentile: 0.5, of: times)
    }
}
.answering(Experiment("How should a library give its answer?", comparing: way, by: roundTrip)).trials(atMost: 7)

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
