import Glibc
import Synchronization
import TaskMeter

/// Sampled benchmarks that do what such must not.
func sampledMisbehaviour() -> [Benchmark] {
    let each = Sampling.everyIteration(samples: 1_000_000, duration: .seconds(1))
    return [
        Benchmark("sampled-behaves", "Does nothing.", sampling: .batches(samples: 50)) {},
        Benchmark("sampled-throws", "Its 50,000th iteration throws.", sampling: each) { _ in
            let calls = Calls()
            return Iteration { if calls.next() == 50_000 { throw Refused() } }
        },
        Benchmark("sampled-aborts", "Calls abort() while it is measured.", sampling: each) { _ in
            let calls = Calls()
            return Iteration {
                if calls.next() == 50_000 {
                    print("about to abort")
                    fflush(nil)
                    abort()
                }
            }
        },
        Benchmark("sampled-hangs", "Its 50,000th iteration never returns.", sampling: each) { _ in
            let calls = Calls()
            return Iteration { while calls.next() >= 50_000 { pause() } }
        },
        Benchmark("sampled-hangs-async", "Its second iteration is never resumed.") { _ in
            let calls = Calls()
            return Iteration { if calls.next() > 1 { try await Task.sleep(for: .seconds(1_000_000)) } }
        },
        Benchmark("sampled-starts-twice", "Starts its window twice.") { _ in
            Iteration { (window: inout MeasuredWindow) in
                window.start()
                window.start()
                window.stop()
            }
        },
        Benchmark("sampled-stops-early", "Stops its window without a start.") { _ in
            Iteration { (window: inout MeasuredWindow) in window.stop() }
        },
        Benchmark("sampled-refuses", "Preparing it fails.") { _ -> Iteration in throw Refused() },
        Benchmark("sampled-slow", "Sleeps for a tenth of a second.", sampling: .batches(duration: .seconds(30))) {
            usleep(100_000)
        },
    ]
}

/// Counts iterations.
private final class Calls: Sendable {
    private let count = Atomic<Int>(0)
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
