import Glibc
import Synchronization
import TaskMeter

// Sampled benchmarks whose true time is known, for trying what the instrument reads of them.

/// A chain of operations each of which needs the result of the one before: it takes as long as it has steps.
@inline(never)
func spin(_ steps: Int, from start: UInt64) -> UInt64 {
    var value = start
    for _ in 0..<steps { value = (value ^ (value >> 29)) &* 0xbf58_476d_1ce4_e5b9 }
    return value
}

/// Where a chain goes on from one iteration to the next: a processor begins with the next while it still ends the one
/// before, when that needs nothing of it, and both together then take less than twice as long as one.
final class Chain: Sendable {
    private let value = Atomic<UInt64>(7)

    func spin(_ steps: Int) {
        value.store(KnownTimes.spin(steps, from: value.load(ordering: .relaxed)), ordering: .relaxed)
    }
}

/// What a step of the chain takes, in nanoseconds: the least of 15 chains of 10 ms and more.
///
/// By the thread's own processor time, and the least: on a machine that does other work too, a chain of that length is
/// interrupted, and what interrupts it is in that time in part. A sample of some microseconds is seldom interrupted.
func stepTime() -> Double {
    let steps = 10_000_000
    let times = (0..<15).map { _ in
        let begin = processorTime()
        blackHole(spin(identity(steps), from: identity(7)))
        return Double(processorTime() - begin) / Double(steps)
    }
    return times.min() ?? .nan
}

func processorTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

let length = Axis("ns", 1_000, 100_000)

Suite("KnownTimes", runsByDefault: false) {
    Benchmark("empty", "Does nothing.") {}
    Benchmark("empty-async", "Does nothing, and may suspend.") { () async in }
    Benchmark("empty-on-main", "Does nothing on the main actor.") { _ in Iteration(on: .mainActor) {} }
    Benchmark("empty-prepared", "Does nothing with an input.") { _ in Iteration(setUp: { [1, 2, 3] }) { _ in } }
    Benchmark("empty-window", "Measures nothing in a window.") { _ in
        Iteration { (window: inout MeasuredWindow) in
            window.start()
            window.stop()
        }
    }
    Benchmark(
        "empty-each", "Does nothing, each iteration by itself.",
        sampling: .everyIteration(samples: 1_000_000, duration: .seconds(10))
    ) {}
    Benchmark("spin", "Spins for a known time.", axes: [length]) { parameters in
        let before = stepTime()
        let steps = Int((Double(parameters[length]) / before).rounded())
        let chain = Chain()
        return Iteration { chain.spin(steps) }.afterTrial {
            // The machine may have become faster or slower meanwhile: the true time lies between.
            print("true", parameters[length], Double(steps) * before, Double(steps) * stepTime())
        }
    }
}.main()
