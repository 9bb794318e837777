import Apparatus
import Dispatch
import Glibc
import Synchronization
import TaskMeter

private let strategy = Axis(
    "strategy",
    [
        StrategyChoice.globalQueue, .concurrentQueue, .operationQueue, .limitedQueue(places: 64), .pool(workers: 8),
        .pool(workers: 64), .elasticPool(upTo: 64), .threadPerTask, .cooperativePool,
    ])
private let blocked = Axis("blocked", [100, 300], full: [1_000, 10_000])

private let probeWait = Metric("probe_wait_max", .nanoseconds, "longest wait of a probe")
private let probeWaitMedian = Metric("probe_wait_p50", .nanoseconds, "median wait of a probe")
private let globalWait = Metric("global_probe_wait_max", .nanoseconds, "longest wait of a probe on the global queue")
private let taskWait = Metric("swift_task_wait_max", .nanoseconds, "longest wait of a Swift task")
private let finish = Metric("finish_time", .nanoseconds, "time until all had ended")
private let threads = Metric("threads_peak", .count, "threads at peak")
private let refused = Metric("threads_refused", .count, "threads that the system refused")

/// Pool exhaustion: tasks that block, and short ones that come meanwhile.
///
/// A dispatch queue that draws on the global pool has a thread for each core, and on Linux gains one a second while all of them
/// block. N tasks that each block for s on p cores then take T seconds, p·T + T²/2 = N·s; whoever comes meanwhile waits as
/// long, and so does everybody else in the process who uses that pool. Swift's cooperative pool never grows at all.
///
/// The probes tell three kinds of wait: of those submitted to the same strategy, of a stranger's on the global queue, and of a
/// detached Swift task. All are due at the same moments after the flood, whatever became of those before them.
let exhaustion = Benchmark(
    "exhaustion", "Submits tasks that block for 10 ms, and 20 short probes, one each millisecond, while they do.",
    axes: [strategy, blocked], observing: [probeWait, probeWaitMedian, globalWait, taskWait, finish, threads, refused]
) { parameters in
    let count = parameters.isQuick ? parameters[blocked] / 10 : parameters[blocked]
    let choice = parameters[strategy]
    return Observing { observer in
        let strategy = try choice()
        // Pools are at size, and queues have their first threads, before anything is measured.
        for _ in 0..<4 { strategy.submit {} }
        guard strategy.waitUntilAllDone(within: .seconds(10)) else { throw Hang(what: "the warm-up") }

        let clock = observer.clock
        let watch = ThreadCount()
        let own = Probes(count: 20)
        let global = Probes(count: 20)
        let swiftTasks = Probes(count: 20)
        let begin = clock.now()
        // Submitting may itself block (a limited queue, a thread that the system refuses): the probes keep their times on
        // a thread of their own.
        let flooding = try OwnThread {
            for _ in 0..<count { strategy.submit { nap(.milliseconds(10)) } }
        }
        for probe in 0..<20 {
            let due = begin + .milliseconds(Double(probe) + 1)
            while clock.now() < due { nap(.milliseconds(0.2)) }
            DispatchQueue.global().async { global.ran(probe, clock.now() - due) }
            Task.detached { swiftTasks.ran(probe, clock.now() - due) }
            // Last, for it may wait.
            strategy.submit { own.ran(probe, clock.now() - due) }
            watch.look()
        }
        let left = max(observer.deadline - clock.now() - .seconds(2), .zero)
        guard flooding.wait(within: left) else {
            return observer.tell(probeWait, unavailable: "submitting had not ended after \(left.seconds) s")
        }
        var isDone = false
        while !isDone, observer.deadline - clock.now() > .seconds(2) {
            isDone = strategy.waitUntilAllDone(within: .milliseconds(5))
            watch.look()
        }
        guard isDone else { return observer.tell(probeWait, unavailable: "tasks had not ended at the time limit") }
        observer.tell(finish, clock.now() - begin)
        // A stranger's probe may still wait for the pool that the flood used up.
        guard global.wait(within: .seconds(10)), swiftTasks.wait(within: .seconds(10)) else {
            return observer.tell(probeWait, unavailable: "probes had not run 10 s after the flood had ended")
        }
        observer.tell(probeWait, own.longest)
        observer.tell(probeWaitMedian, percentile: 0.5, of: own.waits)
        observer.tell(globalWait, global.longest)
        observer.tell(taskWait, swiftTasks.longest)
        observer.tell(threads, watch.peak)
        observer.tell(refused, strategy.refusedThreads)
        _ = strategy.shutDown(within: .seconds(5))
    }
}
.answering(
    Experiment(
        "How long do others wait while tasks block?", comparing: strategy, along: blocked, by: probeWait)
).trials(atMost: 7)
