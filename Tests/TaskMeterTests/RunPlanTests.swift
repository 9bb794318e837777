import TaskMeter
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
}
