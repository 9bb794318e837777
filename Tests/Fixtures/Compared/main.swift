import Glibc
import TaskMeter

// A suite of which two versions are compared: what the environment says makes one of them slower, poorer or sick.

func isSet(_ name: String) -> Bool { getenv("COMPARED_" + name) != nil }

/// Keeps the processor busy for so many steps, each of which waits for the one before.
@inline(never) func spin(_ steps: Int) -> UInt64 {
    var state: UInt64 = 1
    for _ in 0..<steps { state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
    return state
}

struct Poor: Error {}

let short = Sampling.batches(samples: 20, duration: .milliseconds(20))

Suite("Compared", runsByDefault: false) {
    Benchmark("spin", "Spins for 20,000 steps, or for twice as many.", sampling: short) { _ in
        let steps = isSet("SLOW") ? 40_000 : 20_000
        return Iteration { blackHole(spin(steps)) }
    }
    Benchmark("steady", "Spins for 20,000 steps.", sampling: short) { _ in
        if isSet("SICK") { abort() }
        return Iteration { blackHole(spin(20_000)) }
    }
    Benchmark(
        "tasks", "Each of 50 tasks spins for 20,000 steps.", strategies: [.pool(workers: 1)],
        tasks: isSet("MORE") ? 60 : 50
    ) { _ in
        let isPoor = isSet("POOR")
        return Work { task in
            if isPoor, task.id.number % 2 == 0 { throw Poor() }
            blackHole(spin(20_000))
        }
    }
    if isSet("EXTRA") {
        Benchmark("extra", "Only one side has it.", sampling: short) { _ in Iteration { blackHole(spin(1_000)) } }
    }
}.main()
