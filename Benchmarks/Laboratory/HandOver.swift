import Apparatus
import Dispatch
import Glibc
import Synchronization
import TaskMeter

private let strategy = Axis(
    "strategy", StrategyChoice.all(workers: 2).filter { $0.name != "inline" && !$0.name.hasPrefix("global-queue-") })
private let everyStrategy = Axis("strategy", StrategyChoice.all(workers: 2))
private let submitters = Axis("submitters", [1, 4], full: [2, 8])

private let handOverTime = Metric("hand_over_p50", .nanoseconds, "median time from submission to begin")
private let handOverTail = Metric("hand_over_p90", .nanoseconds, "p90 from submission to begin")
private let submitTime = Metric("submit_p50", .nanoseconds, "median time of a submission")
private let afterEnd = Metric("return_p50", .nanoseconds, "median time from end to whoever waits")

/// What it takes to hand a job to an idle strategy: submit, begin, and back to the one who waits. The worker sleeps, and has to be woken.
///
/// Jobs are 150 µs apart, so that whoever spins before it sleeps has gone to sleep; the gaps are far below the 5 s after which a dispatch
/// queue lets its threads go, so that no thread is made anew.
let handOver = Benchmark(
    "hand-over",
    "Submits empty jobs, each submitter one at a time, 150 µs after its last; one submitter finds all idle.",
    axes: [strategy, submitters], observing: [handOverTime, handOverTail, submitTime, afterEnd]
) { parameters in
    let choice = parameters[strategy]
    let count = parameters[submitters]
    let rounds = (parameters.isQuick ? 60 : 200) / count
    return Observing { observer in
        let strategy = try choice()
        let clock = observer.clock
        let kept = Mutex<[(submit: Nanoseconds, begin: Nanoseconds, back: Nanoseconds)]>([])
        let threads = try (0..<count).map { _ in
            try OwnThread {
                var own: [(Nanoseconds, Nanoseconds, Nanoseconds)] = []
                let ended = DispatchSemaphore(value: 0)
                let box = MomentBox()
                for round in 0..<rounds + 20 {
                    nap(.microseconds(150))
                    let before = clock.now()
                    strategy.submit {
                        box.note(clock.now())
                        ended.signal()
                    }
                    let accepted = clock.now()
                    ended.wait()
                    let back = clock.now()
                    let begin = box.moment
                    if round >= 20 { own.append((accepted - before, begin - before, back - begin)) }
                }
                kept.withLock { [own] in $0 += own.map { (submit: $0.0, begin: $0.1, back: $0.2) } }
            }
        }
        for thread in threads where !thread.wait(within: .seconds(20)) { throw Hang(what: "submitting") }
        let all = kept.withLock { $0 }
        guard all.count == rounds * count else { throw Hang(what: "a submitter") }
        observer.tell(handOverTime, percentile: 0.5, of: all.map(\.begin))
        observer.tell(handOverTail, percentile: 0.9, of: all.map(\.begin))
        observer.tell(submitTime, percentile: 0.5, of: all.map(\.submit))
        observer.tell(afterEnd, percentile: 0.5, of: all.map(\.back))
        guard strategy.waitUntilAllDone(within: .seconds(5)) else { throw Hang(what: "the jobs") }
        _ = strategy.shutDown(within: .seconds(5))
    }
}
.answering(
    Experiment(
        "What does a hand-over take, one job at a time?", comparing: strategy, along: submitters, by: handOverTime)
).trials(atMost: 7)

private let perJob = Metric("time_per_job", .nanoseconds, "time per job")

/// What a job costs when they come as fast as they can be submitted: the strategy is busy, nobody has to be woken, and the lock is what
/// submitters and workers meet at.
let burst = Benchmark(
    "burst", "Submits empty jobs as fast as it goes, and waits until all have run.",
    axes: [everyStrategy, submitters], observing: [perJob]
) { parameters in
    let choice = parameters[everyStrategy]
    let count = parameters[submitters]
    let isDear = ["thread-per-task"].contains(choice.name)
    let each = (parameters.isQuick ? 400 : isDear ? 800 : 4_000) / count
    return Observing { observer in
        let strategy = try choice()
        let clock = observer.clock
        let ran = Atomic<Int>(0)
        @Sendable func submit(_ jobs: Int) { for _ in 0..<jobs { strategy.submit { ran.add(1, ordering: .relaxed) } } }
        submit(200)
        guard strategy.waitUntilAllDone(within: .seconds(10)) else { throw Hang(what: "the warm-up") }
        let start = DispatchSemaphore(value: 0)
        let threads = try (0..<count).map { _ in
            try OwnThread {
                start.wait()
                submit(each)
            }
        }
        let begin = clock.now()
        for _ in threads { start.signal() }
        for thread in threads where !thread.wait(within: .seconds(20)) { throw Hang(what: "submitting") }
        guard strategy.waitUntilAllDone(within: .seconds(20)) else { throw Hang(what: "the jobs") }
        let took = clock.now() - begin
        guard ran.load(ordering: .acquiring) == 200 + each * count else { throw Hang(what: "a job") }
        observer.tell(perJob, Double(took.count) / Double(each * count))
        _ = strategy.shutDown(within: .seconds(5))
    }
}
.answering(
    Experiment("What does a job cost when many are submitted?", comparing: everyStrategy, along: submitters, by: perJob)
).trials(atMost: 7)
