import Analysis
import Results
import Testing

@Suite("Costs over trials")
struct CostSummaryTests {
    private func summary(_ readings: [(Reading, iterations: Int)], per: CostSummary.Divisor = .task) -> CostSummary {
        CostSummary(
            of: readings.map { Sample(.processorTime, $0.0, iterations: $0.iterations) }, .processorTime, per: per)
    }

    @Test("an amount is divided by the tasks of its trial, and the median is over trials")
    func amounts() throws {
        let summary = summary([(.measured(100), 10), (.measured(400), 20), (.measured(300), 10)])
        #expect(summary.estimate?.median == 20 && summary.estimate?.count == 3)
        #expect(summary.gaps.isEmpty && !summary.isEstimated)
        #expect(summary.spread == 1, "from 10 to 30 around 20")
    }

    @Test("a level is not divided")
    func levels() {
        #expect(summary([(.measured(100), 10)], per: .trial).estimate?.median == 100)
    }

    @Test("measured and estimated numbers make no common median, and what is left out is told with its trials")
    func kinds() {
        let gap = Reading.unsupported(reason: "no PMU")
        let mixed = summary([
            (.measured(10), 1), (.estimated(99, share: 0.5), 1), (gap, 1), (.measured(20), 1), (gap, 1),
        ])
        #expect(mixed.estimate?.median == 15 && !mixed.isEstimated)
        #expect(mixed.gaps.first == CostSummary.Gap(reading: gap, trials: 2))
        #expect(mixed.gaps.last?.reading == .estimated(99, share: 0.5))
        let estimated = summary([(.estimated(8, share: 0.5), 2), (gap, 1)])
        #expect(estimated.isEstimated && estimated.estimate?.median == 4)
    }

    @Test("without a number there is no estimate, and no zero")
    func none() {
        let summary = summary([(.denied(reason: "a", remedy: "b"), 5), (.denied(reason: "a", remedy: "b"), 5)])
        #expect(summary.estimate == nil && !summary.isEstimated)
        #expect(summary.gaps == [CostSummary.Gap(reading: .denied(reason: "a", remedy: "b"), trials: 2)])
    }

    @Test("a trial without a task has no cost per task")
    func noTask() {
        #expect(summary([(.measured(5), 0)]).estimate == nil)
        #expect(summary([(.measured(5), 0)]).gaps.first?.reading == .notCounted(reason: "the trial measured no task"))
    }
}
