import Apparatus
import CLinux
import Dispatch
import Glibc
import Statistics
import Synchronization
import TaskMeter

private let strategy = Axis(
    "strategy",
    [
        StrategyChoice.serialQueue, .globalQueue, .operationQueue, .targetQueues(4), .pool(workers: 2),
        .stealingPool(workers: 2), .threadPerTask, .cooperativePool, .taskGroup,
    ])

private let fairness = Metric(
    "jain_index", .count, "Jain index of the submitters’ shares", .higherIsBetter)
private let submitterWait = Metric("longest_wait", .nanoseconds, "longest wait")
private let total = Metric("total_time", .nanoseconds, "time for all")

/// Whether those who submit at once are served alike. Each keeps eight jobs in flight until all together have had their number; a share is
/// how many of them were one submitter's. A queue in the order of submission serves all alike; one that prefers its own, or the last, need not.
let sharing = Benchmark(
    "submitters", "Four threads keep eight jobs of 50 µs each in flight.", axes: [strategy],
    observing: [fairness, submitterWait, total]
) { parameters in
    let jobs = parameters.isQuick ? 120 : 600
    let choice = parameters[strategy]
    return Observing { observer in
        let strategy = try choice()
        for _ in 0..<8 { strategy.submit {} }
        guard strategy.waitUntilAllDone(within: .seconds(10)) else { throw Hang(what: "the warm-up") }
        let clock = observer.clock
        let work = Spinning(lasting: .microseconds(50), clock: clock)
        let shares = (0..<4).map { _ in Share() }
        let left = Atomic<Int>(jobs)
        let start = DispatchSemaphore(value: 0)
        let threads = try shares.map { share in
            try OwnThread {
                let places = DispatchSemaphore(value: 0)
                for _ in 0..<8 { places.signal() }
                start.wait()
                while left.subtract(1, ordering: .relaxed).oldValue > 0 {
                    places.wait()
                    let submitted = clock.now()
                    strategy.submit {
                        let wait = clock.now() - submitted
                        blackHole(work.run())
                        share.add(wait)
                        places.signal()
                    }
                }
                // A semaphore may not go away with fewer places than it had.
                for _ in 0..<8 { places.wait() }
                for _ in 0..<8 { places.signal() }
            }
        }
        let begin = clock.now()
        for _ in threads { start.signal() }
        for thread in threads where !thread.wait(within: .seconds(20)) { throw Hang(what: "submitting") }
        guard strategy.waitUntilAllDone(within: .seconds(20)) else { throw Hang(what: "the jobs") }
        observer.tell(total, clock.now() - begin)
        let counts = shares.map { Double($0.count) }
        guard counts.reduce(0, +) == Double(jobs) else { throw Hang(what: "a job") }
        observer.tell(fairness, jainIndex(counts))
        observer.tell(submitterWait, shares.map(\.longest).max() ?? .zero)
        _ = strategy.shutDown(within: .seconds(5))
    }
}
.answering(Experiment("Are those who submit at once served alike?", comparing: strategy, by: fairness))
.trials(atMost: 7)

/// How many jobs a submitter had done, and how long one of them waited at most. Thread-safe.
private final class Share: Sendable {
    private let jobs = Atomic<Int>(0)
    private let most = Atomic<Int64>(0)

    func add(_ wait: Nanoseconds) {
        jobs.add(1, ordering: .relaxed)
        _ = most.max(wait.count, ordering: .relaxed)
    }

    var count: Int { jobs.load(ordering: .acquiring) }
    var longest: Nanoseconds { Nanoseconds(most.load(ordering: .acquiring)) }
}

private let shortWait = Metric("short_wait_max", .nanoseconds, "worst wait of a short job")
private let slowdownFairness = Metric(
    "slowdown_jain_index", .count, "Jain index of slowdowns", .higherIsBetter)

/// Long jobs before short ones: what a short one waits for those that block before it. A slowdown is how often its own length a job took from
/// submission to end; where all are slowed down alike, Jain's index of the slowdowns is 1.
let longBeforeShort = Benchmark(
    "long-before-short", "Submits 8 jobs that block for 10 ms, and right after them 100 of 20 µs.",
    axes: [strategy], observing: [shortWait, slowdownFairness, total]
) { parameters in
    let choice = parameters[strategy]
    return Observing { observer in
        let strategy = try choice()
        for _ in 0..<8 { strategy.submit {} }
        guard strategy.waitUntilAllDone(within: .seconds(10)) else { throw Hang(what: "the warm-up") }
        let clock = observer.clock
        let work = Spinning(lasting: .microseconds(20), clock: clock)
        let waits = Mutex<[Nanoseconds]>([])
        let slowdowns = Mutex<[Double]>([])
        let begin = clock.now()
        for number in 0..<108 {
            let isLong = number < 8
            let submitted = clock.now()
            strategy.submit {
                let begun = clock.now()
                if isLong { nap(.milliseconds(10)) } else { blackHole(work.run()) }
                let end = clock.now()
                if !isLong { waits.withLock { $0.append(begun - submitted) } }
                let slowdown = Double((end - submitted).count) / Double(max((end - begun).count, 1))
                slowdowns.withLock { $0.append(slowdown) }
            }
        }
        guard strategy.waitUntilAllDone(within: .seconds(20)) else { throw Hang(what: "the jobs") }
        observer.tell(total, clock.now() - begin)
        let all = waits.withLock { $0 }
        guard all.count == 100 else { throw Hang(what: "\(100 - all.count) jobs") }
        observer.tell(shortWait, all.max() ?? .zero)
        observer.tell(slowdownFairness, jainIndex(slowdowns.withLock { $0 }))
        _ = strategy.shutDown(within: .seconds(5))
    }
}
.answering(Experiment("How long do short jobs wait behind long ones?", comparing: strategy, by: shortWait))
.trials(atMost: 7)

private let quality = Axis(
    "queue",
    [
        StrategyChoice.globalQueue(qos: .background), .globalQueue(qos: .utility), .globalQueue,
        .globalQueue(qos: .userInitiated), .globalQueue(qos: .userInteractive),
    ])
/// Priorities: on Linux a quality of service is a queue with threads of its own, and a nice value: 10 for background, 2 for utility, and below
/// zero for the two above default, which only root may have: others get 0 for both, silently.
let priorities = Benchmark(
    "priorities",
    "Keeps the global queue of default priority busy with 1 ms jobs, and asks on others for 20 short probe tasks.",
    axes: [quality], observing: [medianProbeWait, longestProbeWait]
) { parameters in
    let choice = parameters[quality]
    let length = Nanoseconds.milliseconds(parameters.isQuick ? 40 : 120)
    return Observing { observer in
        let flood = try StrategyChoice.globalQueue()
        let probed = try choice()
        let clock = observer.clock
        let work = Spinning(lasting: .milliseconds(1), clock: clock)
        let begin = clock.now()
        // A fifth more than all processors can do meanwhile: none idles before the last probe task has come.
        let jobs = Int(length.count / 1_000_000) * Int(clinux_usable_processors()) * 6 / 5
        for _ in 0..<jobs { flood.submit { blackHole(work.run()) } }
        let probes = try Probes(from: begin, each: Nanoseconds(length.count / 25), clock) { probed.submit($0) }
        guard probes.wait(within: .seconds(20)) else { throw Hang(what: "the probe tasks") }
        observer.tell(medianProbeWait, percentile: 0.5, of: probes.waits)
        observer.tell(longestProbeWait, probes.longest)
        guard flood.waitUntilAllDone(within: .seconds(20)) else { throw Hang(what: "the flood") }
    }
}
.answering(
    Experiment("Whom does a flood of default priority keep waiting?", comparing: quality, by: medianProbeWait)
).trials(atMost: 7)
