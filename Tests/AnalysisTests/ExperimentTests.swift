import Analysis
import Results
import Statistics
import TestSupport
import Testing

private func measured(_ values: Double...) -> [Reading] { values.map { .measured($0) } }

extension ExperimentRun {
    func data() throws -> RunData { try RunData.load(runFolder) }
}

@Suite("The result of an experiment") struct ExperimentTests {
    @Test("ranks the compared values by what decides, under each combination of the other axes")
    func ranked() throws {
        var run = try ExperimentRun(
            ["S/e[way=a,load=idle]", "S/e[way=b,load=idle]", "S/e[way=a,load=busy]", "S/e[way=b,load=busy]"])
        try run.add("S/e[way=a,load=idle]", measured(1, 2, 3, 4))
        try run.add("S/e[way=b,load=idle]", measured(10, 20, 30, 40))
        try run.add("S/e[way=a,load=busy]", measured(5, 6, 7, 8))
        try run.add("S/e[way=b,load=busy]", measured(1, 2, 3, 4))
        let result = try #require(try run.data().experiments().first)
        #expect(result.conditions.map { $0.parameters.map(\.value) } == [["idle"], ["busy"]])
        #expect(result.conditions[0].ranking.places.map(\.name) == ["a", "b"])
        #expect(result.conditions[0].ranking.places[1].isToldApartFromBest)
        // 10/1, 20/2, 30/3, 40/4 are all 10.
        #expect(abs((result.conditions[0].ranking.places[1].ratioToBest?.median ?? 0) - 10) < 1e-9)
        #expect(result.conditions[1].ranking.places.map(\.name) == ["b", "a"])
        #expect(result.contenders == ["a", "b"])
    }

    @Test("large values come first where they are the better ones")
    func higher() throws {
        var run = try ExperimentRun(["S/e[way=a]", "S/e[way=b]"], direction: .higherIsBetter)
        try run.add("S/e[way=a]", measured(0, 0, 0, 0))
        try run.add("S/e[way=b]", measured(100, 100, 100, 99))
        let ranking = try #require(try run.data().experiments().first).conditions[0].ranking
        #expect(ranking.places.map(\.name) == ["b", "a"])
        #expect(ranking.places[1].isToldApartFromBest)
    }

    @Test("conditions know their place along the axis that is drawn along")
    func along() throws {
        var run = try ExperimentRun(["S/e[way=a,n=100]", "S/e[way=a,n=10]"], along: "n")
        try run.add("S/e[way=a,n=100]", measured(1))
        let result = try #require(try run.data().experiments().first)
        #expect(result.conditions.map(\.along) == [100, 10])
        #expect(result.conditions.allSatisfy { $0.facet.isEmpty })
    }

    @Test("a value without numbers has no place, and says why")
    func unavailable() throws {
        var run = try ExperimentRun(["S/e[way=a]", "S/e[way=b]"])
        try run.add("S/e[way=a]", measured(1, 2))
        try run.add("S/e[way=b]", [.notCounted(reason: "it deadlocked"), .notCounted(reason: "it deadlocked")])
        let condition = try #require(try run.data().experiments().first).conditions[0]
        #expect(condition.ranking.places.map(\.name) == ["a"])
        #expect(condition.members[1].gaps.compactMap(\.reason) == ["it deadlocked", "it deadlocked"])
        #expect(condition.members[1].estimate == nil)
    }

    @Test("benchmarks of an experiment are no workloads and no sampled code of their own")
    func apart() throws {
        let run = try ExperimentRun(["S/e[way=a]"])
        let data = try run.data()
        #expect(data.workloads.isEmpty && data.sampledBenchmarks.isEmpty)
    }
}

@Suite("Advice") struct AdviceTests {
    private func criterion(_ title: String, _ metric: Metric, _ values: [String: [Double]]) -> Advice.Criterion {
        Advice.Criterion(
            title: title, metric: metric,
            ranking: Ranking(
                values.mapValues { Dictionary(uniqueKeysWithValues: $0.enumerated().map { ($0.offset, $0.element) }) },
                preferring: metric.direction.preference))
    }
    /// Six blocks, in each of which it has the same value.
    private func six(_ value: Double) -> [Double] { Array(repeating: value, count: 6) }

    @Test("who is shown to be worse in something and better in nothing is not efficient")
    func pareto() {
        let advice = Advice([
            criterion("tasks/s", .throughput, ["fast": six(100), "frugal": six(50)]),
            criterion("CPU", .processorTime, ["fast": six(8), "frugal": six(2)]),
        ])
        #expect(advice.efficient == ["fast", "frugal"])
        let dominated = Advice([
            criterion("tasks/s", .throughput, ["fast": six(100), "slow": six(50)]),
            criterion("CPU", .processorTime, ["fast": six(2), "slow": six(2)]),
        ])
        #expect(dominated.efficient == ["fast"])
        #expect(dominated.choice == "fast")
    }

    @Test("a better median that is not shown does not make another inefficient")
    func notShown() {
        let advice = Advice([
            criterion(
                "tasks/s", .throughput, ["a": [100, 101, 102, 100, 101, 90], "b": [99, 98, 97, 99, 98, 99]]),
            criterion("CPU", .processorTime, ["a": six(2), "b": six(2)]),
        ])
        #expect(Set(advice.efficient) == ["a", "b"])
    }

    @Test("a rank that is better only because noise hides who beats it makes nobody inefficient")
    func ranksAreNoPairs() {
        // Nobody beats what scatters so, and it beats nobody: its rank is 1, that of “slow” 2.
        let advice = Advice([
            criterion(
                "tasks/s", .throughput, ["fast": six(100), "slow": six(50), "noisy": [200, 10, 200, 10, 200, 10]]),
            criterion("CPU", .processorTime, ["fast": six(8), "slow": six(2), "noisy": [1, 9, 1, 9, 1, 9]]),
        ])
        #expect(Set(advice.efficient) == ["fast", "slow", "noisy"])
    }

    @Test("of those that lead alike, the one that loses least in the rest is to be taken")
    func leastLoss() {
        let advice = Advice([
            criterion("response", .tasks(.response, .p99), ["dear": six(100), "cheap": six(100)]),
            criterion("CPU", .processorTime, ["dear": six(20), "cheap": six(10)]),
            // Two percent are no reason.
            criterion("spent", .tasks(.spent, .p99), ["dear": six(100), "cheap": six(102)]),
        ])
        #expect(advice.choice == "cheap")
    }

    @Test("what leads decides before what others have in front")
    func leading() {
        let advice = Advice([
            criterion("tasks/s", .throughput, ["fast": six(100), "slow": six(10)]),
            criterion("CPU", .processorTime, ["fast": six(8), "slow": six(2)]),
            criterion("peak memory", .peakResidentMemory, ["fast": six(8), "slow": six(2)]),
        ])
        #expect(advice.choice == "fast")
        #expect(advice.efficient == ["fast", "slow"])
    }

    @Test("with too few blocks there is no choice")
    func undecided() {
        let advice = Advice([criterion("tasks/s", .throughput, ["a": [2, 2], "b": [1, 1]])])
        #expect(advice.choice == nil)
        #expect(Set(advice.efficient) == ["a", "b"])
    }
}

@Suite("Times of tasks by trial") struct TaskTimeTests {
    @Test("every name of a time is understood, and no other is", arguments: Metric.TaskTime.allCases)
    func names(_ time: Metric.TaskTime) throws {
        for statistic in Metric.Statistic.allCases {
            let parsed = try #require(Metric.taskTime(named: Metric.tasks(time, statistic).name))
            #expect(parsed == (time, statistic))
        }
        #expect(Metric.taskTime(named: "\(time.rawValue)_p42") == nil)
    }
}
