import Results
import TaskMeter
import TestSupport
import Testing

@Suite("The order of trials")
struct RunPlanTests {
    @Test("has every benchmark once in each block, and numbers trials as they run")
    func blocks() {
        let plan = RunPlan(benchmarks: 7, trials: 5, seed: 11)
        #expect(plan.entries.map(\.trial) == Array(0..<35))
        for block in 0..<5 {
            let entries = plan.entries[block * 7..<(block + 1) * 7]
            #expect(entries.allSatisfy { $0.block == block })
            #expect(entries.map(\.benchmark).sorted() == Array(0..<7))
        }
    }

    @Test("is drawn anew in each block, and fixed by the seed")
    func seeds() {
        let plan = RunPlan(benchmarks: 20, trials: 2, seed: 3)
        #expect(plan.entries == RunPlan(benchmarks: 20, trials: 2, seed: 3).entries)
        #expect(plan.entries != RunPlan(benchmarks: 20, trials: 2, seed: 4).entries)
        #expect(plan.entries[..<20].map(\.benchmark) != plan.entries[20...].map(\.benchmark))
    }

    @Test("leaves a benchmark out of the blocks beyond its own number of trials, and the others in their order")
    func fewer() {
        var run = exampleRun(["S/a", "S/b", "S/c"], trials: 5)
        run.benchmarks[1].trials = 2
        let plan = RunPlan(run.benchmarks, run.configuration)
        #expect(plan.entries.count == run.plannedTrials && run.plannedTrials == 12)
        #expect(plan.entries.filter { $0.benchmark == 1 }.map(\.block) == [0, 1])
        let all = RunPlan(benchmarks: 3, trials: 5, seed: run.configuration.seed)
        #expect(
            plan.entries.map { [$0.block, $0.benchmark] }
                == all.entries.filter { $0.benchmark != 1 || $0.block < 2 }.map { [$0.block, $0.benchmark] })
    }

    @Test("counts what is declared to be counted, and never what observes")
    func counting() {
        var run = exampleRun(["S/a", "S/b", "S/c"], trials: 1)
        run.benchmarks[0].countedExactly = true
        run.benchmarks[2].observes = []
        run.configuration.counting = [
            RunConfiguration.CountingTrials(mode: .allocations, trials: 2),
            RunConfiguration.CountingTrials(mode: .exact, trials: 2, onlyDeclared: true),
        ]
        let plan = RunPlan(run.benchmarks, run.configuration)
        func benchmarks(_ mode: Trial.Mode) -> [Int] {
            plan.entries.filter { $0.mode == mode }.map(\.benchmark).sorted()
        }
        #expect(benchmarks(.timed) == [0, 1, 2])
        #expect(benchmarks(.allocations) == [0, 0, 1, 1])
        #expect(benchmarks(.exact) == [0, 0])
        #expect(run.plannedTrials == plan.entries.count)
    }
}
