import Results
import TaskMeter
import Testing

private func benchmark(_ name: String, sampled: Bool) -> BenchmarkDescription {
    BenchmarkDescription(
        id: BenchmarkID(suite: "S", name: name), about: "", tasks: sampled ? 0 : 10, warmupTasks: 0, load: "",
        strategyNote: "", declaredAt: "", sampling: sampled ? "in batches" : nil)
}

private func at(_ seconds: Double) -> Instant { Instant(sinceOrigin: Nanoseconds.seconds(seconds).count) }

@Suite("The time that a run is given")
struct TimeBudgetTests {
    private let minute = Nanoseconds.seconds(60)

    /// A budget whose trials must have ended at a moment.
    private func budget(until end: Double, _ benchmarks: [BenchmarkDescription]) -> TimeBudget {
        let limit = (end + 0.5 + 0.05 * Double(benchmarks.count)) / 0.95
        let budget = TimeBudget(.seconds(limit), from: at(0), benchmarks)
        // From there on, whatever is lost in rounding the limit.
        return TimeBudget(.seconds(limit), from: at(0) + (at(end) - budget.end), benchmarks)
    }

    @Test("keeps some free for the end: half a second, a twentieth, 50 ms for each benchmark, never more than half")
    func allowance() {
        let ten = Array(repeating: benchmark("a", sampled: true), count: 10)
        #expect(TimeBudget(.seconds(100), from: at(2), []).end == at(96.5))
        #expect(TimeBudget(.seconds(100), from: at(2), ten).end == at(96))
        #expect(TimeBudget(.seconds(1), from: at(0), ten).end == at(0.5))
    }

    @Test("is shared equally by sampled trials, less what their processes take beside")
    func equalShares() throws {
        var budget = budget(until: 10, [benchmark("a", sampled: true)])
        budget.learn(0, took: .seconds(0.5), measuring: .seconds(0.3))
        let rest = Array(repeating: 0, count: 10)[...]
        let share = try #require(budget.share(of: rest, at: at(2), timeLimit: minute))
        // 8 s for ten trials, each 0.2 s beside its measuring, and of the rest a sixth for the warm-up.
        #expect(share.samplingLimit == .seconds(0.5))
        #expect(share.timeLimit == .seconds(8))
    }

    @Test("goes to trials of tasks as they are known to need it")
    func tasks() throws {
        var budget = budget(until: 19, [benchmark("a", sampled: true), benchmark("b", sampled: false)])
        budget.learn(0, took: .zero, measuring: .zero)
        budget.learn(1, took: .seconds(3), measuring: .seconds(2))
        let share = try #require(budget.share(of: [0, 1, 0, 1][...], at: at(1), timeLimit: minute))
        #expect(
            share.samplingLimit == .seconds(5), "18 s less twice 3 s, for two trials, and a sixth of it for warm-up")
        #expect(budget.share(of: [1][...], at: at(2), timeLimit: minute)?.samplingLimit == nil)
        #expect(budget.share(of: [1][...], at: at(2), timeLimit: .seconds(4))?.timeLimit == .seconds(4))
    }

    @Test("is over for a trial that cannot be expected to end in it")
    func over() {
        var budget = budget(until: 10, [benchmark("a", sampled: true), benchmark("b", sampled: false)])
        #expect(budget.share(of: [1][...], at: at(9.9), timeLimit: minute) != nil, "nothing is known of it yet")
        budget.learn(1, took: .seconds(3), measuring: .zero)
        #expect(budget.share(of: [1][...], at: at(6), timeLimit: minute) != nil)
        #expect(budget.share(of: [1][...], at: at(8), timeLimit: minute) == nil)
        #expect(budget.share(of: [0][...], at: at(10), timeLimit: minute) == nil)
        #expect(budget.share(of: [0][...], at: at(9.9), timeLimit: minute) == nil, "a process takes longer to start")
        #expect(budget.share(of: [][...], at: at(0), timeLimit: minute) == nil)
    }
}
