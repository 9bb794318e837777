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

/// What a step of the chain takes, in nanoseconds: one chain of 12 ms and more, read in a hundred parts.
///
/// A timer's tick, every four milliseconds, was seen to take 20 to 40 µs in a virtual machine: up to 1 % of a chain that
/// is as long as the true time must be timed for. Samples are too short to be interrupted but seldom, and their median is
/// not. So each part that was interrupted counts as the one in the middle.
func stepTime() -> Double {
    let clock = MonotonicClock()
    let steps = 80_000
    let reads = (0..<100).map { _ in (clock.now(), clock.now()) }.map { ($0.1 - $0.0).count }.sorted()
    var value: UInt64 = 7
    let parts = (0..<100).map { _ in
        let begin = clock.now()
        value = spin(identity(steps), from: value)
        return Double((clock.now() - begin).count - reads[50])
    }
    blackHole(value)
    let middle = parts.sorted()[50]
    return parts.reduce(0) { $0 + min($1, middle * 1.002) } / Double(100 * steps)
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
