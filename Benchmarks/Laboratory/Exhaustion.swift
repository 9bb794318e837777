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

private let globalWait = Metric(
    "global_probe_wait_max", .nanoseconds, "longest wait of a probe task on the global queue")
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
/// The probe tasks tell three kinds of wait: of those submitted to the same strategy, of a stranger's on the global queue, and of a
/// detached Swift task. All are due at the same moments after the flood, whatever became of those before them; their waits count
/// from when each was due, so that a submission which waits is a wait.
let exhaustion = Benchmark(
    "exhaustion",
    "Submits tasks that block for 10 ms (1 ms with --quick), and 20 short probe tasks, one each millisecond.",
    axes: [strategy, blocked],
    observing: [longestProbeWait, medianProbeWait, globalWait, taskWait, finish, threads, refused]
) { parameters in
    let count = parameters[blocked]
    let length = Nanoseconds.milliseconds(parameters.isQuick ? 1 : 10)
    let choice = parameters[strategy]
    return Observing { observer in
        let strategy = try choice()
        // Pools are at size, and queues have their first threads, before anything is measured.
        for _ in 0..<4 { strategy.submit {} }
        guard strategy.waitUntilAllDone(within: .seconds(10)) else { throw Hang(what: "the warm-up") }

        let clock = observer.clock
        let watch = ThreadCount()
        // Submitting may itself wait (for a place, for a thread that the system refuses): who floods, and who asks for each kind
        // of probe, has a thread of its own, so that nobody waits for anybody but the strategy.
        let flooding = Latch()
        let begin = clock.now() + .milliseconds(1)
        let flood = try OwnThread {
            while clock.now() < begin {}
            for _ in 0..<count { strategy.submit { nap(length) } }
            flooding.open()
        }
        let own = try Probes(from: begin, clock) { probe in strategy.submit(probe) }
        let global = try Probes(from: begin, clock) { probe in DispatchQueue.global().async(execute: probe) }
        let swiftTasks = try Probes(from: begin, clock) { probe in Task.detached { probe() } }

        // Up to the end of the trial's time, and not a fixed part of it less.
        func isOver() -> Bool { observer.deadline - clock.now() < .milliseconds(100) }
        var isDone = false
        while !isDone, !isOver() {
            watch.look()
            isDone = flooding.isOpen && strategy.waitUntilAllDone(within: .milliseconds(5))
            if !flooding.isOpen { nap(.milliseconds(2)) }
        }
        guard isDone else {
            let waited = clock.now() - begin
            return observer.tell(
                longestProbeWait,
                unavailable: "tasks had not ended \(waited.seconds) s after the flood, when the trial's time was over")
        }
        observer.tell(finish, clock.now() - begin)
        // A stranger's probe may still wait for the pool that the flood used up.
        guard [own, global, swiftTasks].allSatisfy({ $0.wait(within: .seconds(10)) }), flood.wait(within: .seconds(10))
        else {
            return observer.tell(longestProbeWait, unavailable: "probes had not run 10 s after the flood had ended")
        }
        observer.tell(longestProbeWait, own.longest)
        observer.tell(medianProbeWait, percentile: 0.5, of: own.waits)
        observer.tell(globalWait, global.longest)
        observer.tell(taskWait, swiftTasks.longest)
        observer.tell(threads, watch.peak)
        observer.tell(refused, strategy.refusedThreads)
        _ = strategy.shutDown(within: .seconds(5))
    }
}
.answering(
    Experiment(
        "How long do others wait while tasks block?", comparing: strategy, along: blocked, by: longestProbeWait)
).trials(atMost: 6)
