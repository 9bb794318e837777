import Probes
import Results
import Testing

/// Executes a plan over invented counts: an iteration's own, and what surrounds a batch of them.
private func executed(
    _ settings: ExactPlan.Settings = ExactPlan.Settings(), body: (_ iteration: Int) -> Int
) -> (plan: ExactPlan, batches: [ExactPlan.Batch], measured: [ExactPlan.Batch]) {
    var plan = ExactPlan(settings)
    var (all, measured): ([ExactPlan.Batch], [ExactPlan.Batch]) = ([], [])
    var iteration = 0
    while let batch = plan.next {
        guard all.count < 10_000 else {
            Issue.record("the plan does not come to its end")
            break
        }
        all.append(batch)
        if plan.stage == .measuring { measured.append(batch) }
        // A loop of four instructions an iteration, and ninety around it.
        switch batch {
        case .empty(let count): plan.took(counts(90 + 4 * count))
        case .work(let count):
            let work = (0..<count).reduce(0) { sum, place in sum + body(iteration + place) }
            iteration += count
            plan.took(counts(90 + 4 * count + work, mallocs: 3 * count))
        }
    }
    return (plan, all, measured)
}

private func counts(_ instructions: Int, mallocs: Int = 0, doubt: ExactCounts.Doubt? = nil) -> ExactCounts {
    let tally = ExactCounts.Tally(instructions: instructions, branches: nil, calls: [.malloc: mallocs])
    return ExactCounts(thread: tally, process: tally, doubt: doubt)
}

@Suite("A plan of exact counting")
struct ExactPlanTests {
    @Test(
        "ends with batches of a million instructions, or a thousand iterations, and finds the body's own exactly",
        arguments: [(0, 1_000), (7, 1_000), (1_200, 1_000), (5_000, 256), (300_000, 4), (999_000, 2), (2_000_000, 1)])
    func batches(instructions: Int, iterations: Int) {
        let run = executed { _ in instructions }
        #expect(run.plan.iterations == iterations)
        #expect(run.plan.stage == .over)
        #expect(
            run.measured
                == (0..<5).flatMap { _ in
                    [ExactPlan.Batch.empty(iterations: iterations), .work(iterations: iterations)]
                })
        let result = run.plan.result(.instructions, of: .thread)
        #expect(result.perIteration == .measured(Double(instructions)))
        #expect(result.spread == 0)
        #expect(run.plan.result(.calls(.malloc), of: .process).perIteration == .measured(3))
    }

    @Test("does the same batches each time it is given the same counts")
    func deterministic() {
        #expect(executed { 1_000 + $0 % 7 }.batches == executed { 1_000 + $0 % 7 }.batches)
    }

    @Test("warms up by twenty iterations, or by as few as execute two million instructions after the first")
    func warmUp() {
        // After the warm-up come batches of 1, 2, 4, …; the first of them after twenty of one.
        let short = executed { _ in 10 }
        #expect(short.batches.prefix { $0 == .work(iterations: 1) }.count == 21)
        let long = executed { _ in 1_500_000 }
        #expect(long.batches.prefix { $0 == .work(iterations: 1) }.count == 3)
        #expect(long.batches.count == 3 + 10)
    }

    @Test("lets what only the first iterations do take no part")
    func firstIterations() {
        for costly in [1, 2, 15] {
            let run = executed { $0 < costly ? 2_500_000 / costly : 500 }
            #expect(run.plan.iterations == 1_000)
            #expect(run.plan.result(.instructions, of: .thread) == ExactResult([.measured(500)]))
        }
    }

    @Test("never makes a batch larger than the benchmark allows")
    func mostIterations() {
        var settings = ExactPlan.Settings()
        settings.mostIterations = 1
        let run = executed(settings) { _ in 5 }
        #expect(run.batches.allSatisfy { $0 == .work(iterations: 1) || $0 == .empty(iterations: 1) })
        settings.mostIterations = 100
        #expect(executed(settings) { _ in 5 }.plan.iterations == 100)
        settings.repeats = 0
        #expect(executed(settings) { _ in 5 }.plan.next == nil)
    }

    @Test("tells the median of its repeats and how far they differ, as a share of it")
    func spread() {
        let result = ExactResult([100, 104, 99, 100, 101].map { Reading.measured($0) })
        #expect(result.perIteration == .measured(100))
        #expect(result.spread == 0.05)
        #expect(ExactResult([.measured(1), .measured(4)]).perIteration == .measured(2.5))
        #expect(ExactResult([.measured(0), .measured(0)]).spread == 0)
        #expect(ExactResult([.measured(0), .measured(-1), .measured(1)]).spread == nil)
    }

    @Test("leaves out repeats that could not be counted, and says why when none could")
    func doubtful() {
        let doubtful = Reading.notCounted(reason: "threads ran at once")
        #expect(ExactResult([doubtful, .measured(5), doubtful]).perIteration == .measured(5))
        #expect(ExactResult([doubtful, doubtful]).perIteration == doubtful)
        #expect(ExactResult([doubtful]).spread == nil)
        #expect(ExactResult([]).perIteration.status == .notCounted)
    }

    @Test("takes the doubts of a repeat from its work and from its empty batch")
    func doubts() {
        var plan = ExactPlan()
        while plan.stage != .measuring { plan.took(counts(2_000_000)) }
        for turn in 0..<10 { plan.took(counts(1_000_000, doubt: turn == 4 ? .threadsRanAtOnce : nil)) }
        #expect(plan.repeats.map(\.net.doubt) == [nil, nil, .threadsRanAtOnce, nil, nil])
        #expect(plan.repeats[2].net.reading(.instructions, of: .process).status == .notCounted)
    }
}
