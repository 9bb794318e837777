import Apparatus
import Dispatch
import Synchronization
import TaskMeter

private let strategy = Axis(
    "strategy",
    [
        StrategyChoice.serialQueue, .globalQueue, .residentThread, .pool(workers: 4), .elasticPool(upTo: 8),
        .threadPerTask, .cooperativePool,
    ])
private let outer = Axis("outer", [4], full: [2, 16])
private let elapsed = Metric("nested_time", .nanoseconds, "time for tasks that wait for tasks")

/// Tasks that submit another to the same place, and wait for it. Where all workers do so, none is left for those that are waited for. On
/// one thread, and on a pool that is no wider than the tasks, that is for ever. The global queue seems to get over it: one thread a second
/// comes while all block, so that the times are whole seconds. Swift's pool gains none.
let nestedWait = Benchmark(
    "nested-wait",
    "Submits tasks that each submit a task to the same strategy and wait for it, for 1.2 s at most (0.3 s with --quick).",
    axes: [strategy, outer], observing: [elapsed]
) { parameters in
    let choice = parameters[strategy]
    let count = parameters[outer]
    // What waits for ever in threads of a strategy is left behind: the trial's process ends soon.
    let patience = Nanoseconds.milliseconds(parameters.isQuick ? 300 : 1_200)
    return Observing { observer in
        let strategy = try choice()
        let clock = observer.clock
        let ended = Mutex<[Nanoseconds]>([])
        let all = Latch()
        let begin = clock.now()
        for _ in 0..<count {
            strategy.submit {
                let inner = DispatchSemaphore(value: 0)
                // Long enough for the other outer tasks to take their workers, too.
                nap(.milliseconds(2))
                strategy.submit { inner.signal() }
                inner.wait()
                let times = ended.withLock { times in
                    times.append(clock.now() - begin)
                    return times.count
                }
                if times == count { all.open() }
            }
        }
        if all.wait(within: patience) {
            observer.tell(elapsed, ended.withLock { $0.max() ?? .zero })
        } else {
            observer.tell(elapsed, unavailable: "tasks still waited for one another after \(patience.seconds) s")
        }
    }
}
.answering(
    Experiment("Who gets over tasks that wait for tasks?", comparing: strategy, along: outer, by: elapsed)
).trials(atMost: 5)
