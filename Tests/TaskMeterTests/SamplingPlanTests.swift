import Results
import TaskMeter
import Testing

/// Executes a plan in invented time.
private struct InventedRun {
    var plan: SamplingPlan
    var now = Instant(sinceOrigin: 1_000)
    var measured: [(batch: SamplingPlan.Batch, elapsed: Double)] = []
    var batches = 0

    /// - Parameters:
    ///   - body: nanoseconds of an iteration, by the moment at which its batch begins.
    ///   - beside: nanoseconds of each batch that are not measured, such as the set-up of its inputs.
    init(
        target: Int64 = 32_000, samples: Int = 1_000, duration: Nanoseconds = .seconds(0.3),
        mostIterations: Int = 1 << 40, empty: Double = 1.5, clock: Double = 30,
        beside: (Int) -> Double = { _ in 0 }, body: (Instant) -> Double
    ) {
        plan = SamplingPlan(
            SamplingPlan.Settings(
                target: Nanoseconds(target), resolution: Nanoseconds(20), samples: samples, duration: duration,
                mostIterations: mostIterations),
            start: now)
        while let batch = plan.next {
            batches += 1
            guard batches < 3_000_000 else {
                Issue.record("the plan does not come to its end")
                return
            }
            let stage = plan.stage
            let (iterations, each): (Int, Double) =
                switch batch {
                case .work(let iterations): (iterations, body(now) + empty)
                case .empty(let iterations): (iterations, empty)
                }
            let elapsed = Double(iterations) * each + clock
            if stage == .measuring { measured.append((batch, elapsed)) }
            now = Instant(sinceOrigin: now.sinceOrigin + Int64(min(elapsed + beside(iterations), 1e17)))
            plan.took(Nanoseconds(Int64(min(elapsed, 1e17))), until: now)
        }
    }

    var work: [(iterations: Int, elapsed: Double)] {
        measured.compactMap { if case .work(let iterations) = $0.batch { (iterations, $0.elapsed) } else { nil } }
    }
}

@Suite("A plan of sampling")
struct SamplingPlanTests {
    @Test(
        "makes batches that last the target and no more than a few times as long",
        arguments: [0.0, 0.3, 7, 250, 1_000, 29_000, 31_999])
    func reachesTheTarget(nanoseconds: Double) {
        let run = InventedRun { _ in nanoseconds }
        #expect(run.work.count == 1_000)
        #expect(run.work.allSatisfy { $0.elapsed >= 32_000 })
        #expect(run.work.allSatisfy { $0.elapsed < 3 * 32_000 })
        #expect(run.plan.becameSteady == true)
    }

    @Test("of a body longer than the target has batches of one iteration", arguments: [33_000.0, 5e6, 2e9, 9e15])
    func longBody(nanoseconds: Double) {
        let run = InventedRun { _ in nanoseconds }
        #expect(run.work.allSatisfy { $0.iterations == 1 })
        #expect(run.work.count >= 1)
        // What takes longer than all the time is done twice: once to find that out, once to measure it.
        if nanoseconds >= 1e9 { #expect(run.batches == 3 && run.work.count == 1) }
    }

    @Test("ends when the time is over, whatever the number of samples")
    func duration() {
        let run = InventedRun(duration: .seconds(0.3)) { _ in 1e6 }
        let measured = run.measured.reduce(0) { $0 + $1.elapsed }
        #expect(measured >= 0.3e9 && measured < 0.302e9)
        #expect(run.now.sinceOrigin < 370_000_000, "calibration and warm-up take at most a fifth in addition")
    }

    @Test("measures an empty batch of the same size before each eight of work")
    func interleaving() {
        let run = InventedRun(samples: 20) { _ in 5 }
        let iterations = run.plan.iterations
        for (place, sample) in run.measured.enumerated() {
            #expect(sample.batch == (place % 9 == 0 ? .empty(iterations: iterations) : .work(iterations: iterations)))
        }
        #expect(run.measured.count == 23)
        let single = InventedRun(samples: 1) { _ in 5 }
        #expect(single.measured.count == 2, "a single sample has an empty batch too")
    }

    @Test("keeps its batch at one where each iteration is a sample")
    func everyIteration() {
        let run = InventedRun(samples: 50, mostIterations: 1) { _ in 5 }
        #expect(run.work.count == 50)
        #expect(run.work.allSatisfy { $0.iterations == 1 })
    }

    @Test("is not taken in by one slow batch: the target is crossed twice in a row")
    func coldStart() {
        // The first call of a body is often a thousand times slower than those after it.
        let run = InventedRun { now in now.sinceOrigin < 2_000 ? 60_000 : 10 }
        #expect(run.work.allSatisfy { $0.elapsed >= 32_000 })
        #expect(run.plan.iterations > 2_000)
    }

    @Test("makes its batches larger when the body becomes faster during the warm-up")
    func stepwise() {
        let run = InventedRun { now in now.sinceOrigin < 5_000_000 ? 100 : 10 }
        #expect(run.work.allSatisfy { $0.elapsed >= 32_000 })
        #expect(run.plan.becameSteady == true)
    }

    @Test("warms up until times are steady, and says when they never became so")
    func drifting() {
        let steady = InventedRun { now in now.sinceOrigin < 20_000_000 ? 300 - Double(now.sinceOrigin) / 1e5 : 100 }
        #expect(steady.plan.becameSteady == true)
        #expect(steady.work.allSatisfy { $0.elapsed / Double($0.iterations) < 103 }, "the ramp takes no part")
        let never = InventedRun { now in 100 * (1 + Double(now.sinceOrigin) / 1e8) }
        #expect(never.plan.becameSteady == false)
        #expect(never.work.count >= 1)
    }

    @Test("does not let the set-up of inputs grow without limit for the sake of a long batch")
    func expensiveSetUp() {
        let run = InventedRun(beside: { Double($0) * 1e6 }, body: { _ in 2 })
        #expect(run.plan.iterations <= 15, "twenty batches fit into the time")
        #expect(run.now.sinceOrigin < 400_000_000)
        #expect(run.work.count >= 10)
    }

    @Test("comes to its end though the clock stands still, and never wraps")
    func standingClock() {
        let run = InventedRun(empty: 0, clock: 0) { _ in 0 }
        #expect(run.work.count == 1_000)
        #expect(run.plan.iterations == 1 << 40)
        let huge = InventedRun(target: .max / 2_000, duration: Nanoseconds(.max / 4)) { _ in 1 }
        #expect(huge.work.count >= 1)
    }

    @Test("counts its measured samples of work")
    func counts() {
        let run = InventedRun(samples: 77) { _ in 400 }
        #expect(run.plan.samples == 77)
        #expect(run.plan.stage == .over)
        #expect(run.plan.next == nil)
    }
}
