import Analysis
import Results
import Testing

@Suite("Doubts of a benchmark")
struct DoubtsTests {
    private let id = BenchmarkID("S/n")!
    private static let quietFacts: [String: Double] = [
        "steal_time": 0, "throttled": 0, "involuntary_switches": 3, "migrations": 1, "clock_cost": 25,
        "clock_resolution": 1, "warmup_steady": 1,
    ]

    /// The doubts of so many trials of a hundred samples and more.
    private func doubts(
        trials: Int = 6, empty: Double? = 0.5, facts: [String: Double] = quietFacts,
        change: (inout Run) -> Void = { _ in },
        samples: (inout Noise, Int) -> [Double] = { noise, _ in noise.samples(100) }
    ) throws -> [Doubt] {
        let run = try SampledRun(trials: trials, change: change)
        var noise = Noise(seed: 42)
        for number in 0..<trials {
            try run.addTrial(number: number, perIteration: samples(&noise, number), empty: empty, facts: facts)
        }
        return try #require(try run.load().summary(of: id).doubts)
    }

    @Test("a quiet benchmark has none, whether or not kernel and engine told how the trials went")
    func quiet() throws {
        #expect(try doubts() == [])
        #expect(try doubts(facts: [:]) == [])
    }

    @Test("fewer trials than an interval needs, and how to get it")
    func tooFew() throws {
        let sentence = "3 trials cannot support an interval of 95 %; 6 can: run it with --trials 6 or more."
        #expect(try doubts(trials: 3) == [Doubt(.tooFewTrials, sentence)])
        #expect(try doubts(trials: 1).map(\.kind) == [.tooFewTrials])
    }

    @Test("drift inside the trials, and not also that samples hang together, which follows from it")
    func drift() throws {
        let found = try doubts(samples: { noise, _ in
            noise.samples(100).enumerated().map { $1 * (1 + 0.1 * Double($0) / 99) }
        })
        #expect(found.map(\.kind) == [.drift])
        #expect(found[0].sentence.contains("In 6 of 6 trials samples become slower as the trial goes on, by "))
    }

    @Test("drift over the trials of a run")
    func driftOverRun() throws {
        let found = try doubts(
            trials: 12,
            samples: { noise, number in noise.samples(100).map { $0 * (1 + 0.02 * Double(number)) } })
        #expect(found.map(\.kind) == [.drift])
        #expect(found[0].sentence.hasPrefix("From the first trial of the run to the last it becomes slower by "))
    }

    @Test("samples that hang together")
    func autocorrelation() throws {
        let found = try doubts(samples: { noise, _ in noise.hangingTogether(200, 0.9) })
        #expect(found.map(\.kind) == [.autocorrelation])
    }

    @Test("several modes, told by what an iteration takes in each")
    func modes() throws {
        let found = try doubts(
            empty: 0.2,
            samples: { noise, _ in
                noise.samples(200, scatter: 0.004).map { $0 + (noise.uniform() < 0.5 ? 20 : 0) }
            })
        #expect(found.map(\.kind) == [.severalModes])
        #expect(found[0].sentence.contains("such as 100 ns and 120 ns"), "\(found)")
    }

    @Test("samples that are short for the clock, as the trial or else the run knows it")
    func clock() throws {
        // A sample takes 100 µs here.
        var facts = Self.quietFacts
        facts["clock_cost"] = 2000
        let found = try doubts(facts: facts)
        #expect(found.map(\.kind) == [.clockResolution])
        let sentence =
            "A sample takes 100 µs, and the clock costs or cannot tell apart 2.0 µs: 2.0 % of it, where 0.1 % is wanted. "
            + "Time it in batches, with time enough for them."
        #expect(found[0].sentence == sentence)
        // The engine aims at 1,000 times, and samples near that are no reason for a doubt.
        facts["clock_cost"] = 150
        #expect(try doubts(facts: facts) == [])
        let byRun = try doubts(
            facts: [:], change: { $0.clock = ClockFacts(source: "tsc", reason: "", readCost: 300, resolution: 1) })
        #expect(byRun.map(\.kind) == [.clockResolution])
    }

    struct Fact: Sendable {
        var name: String
        var value: Double
        var kind: Doubt.Kind
    }

    @Test(
        "what kernel and engine told of the trials",
        arguments: [
            Fact(name: "warmup_steady", value: 0, kind: .unsteadyWarmUp),
            Fact(name: "steal_time", value: 50e6, kind: .stolenTime),
            Fact(name: "throttled", value: 2, kind: .throttling),
            Fact(name: "involuntary_switches", value: 100, kind: .busyMachine),
            Fact(name: "migrations", value: 40, kind: .migrations),
        ])
    func facts(_ fact: Fact) throws {
        var facts = Self.quietFacts
        facts[fact.name] = fact.value
        let found = try doubts(facts: facts)
        #expect(found.map(\.kind) == [fact.kind])
        #expect(found[0].sentence.hasPrefix("In 6 of 6 trials "))
    }

    @Test("one disturbed trial of six is let be, for the median outlives it")
    func oneOfSix() throws {
        let run = try SampledRun(trials: 6)
        var noise = Noise(seed: 1)
        for number in 0..<6 {
            let stolen = number == 2 ? 500e6 : 0
            try run.addTrial(number: number, perIteration: noise.samples(100), facts: ["steal_time": stolen])
        }
        #expect(try run.load().summary(of: id).doubts == [])
    }

    @Test("stolen time is held against the whole trial, over which it was counted, and not its measured part")
    func stolenWhilePreparing() throws {
        let run = try SampledRun(trials: 6)
        var noise = Noise(seed: 1)
        for number in 0..<6 {
            // 40 ms in 10 s of preparation and a second of measuring.
            try run.addTrial(
                number: number, perIteration: noise.samples(100), started: -10_000_000_000, facts: ["steal_time": 40e6])
        }
        #expect(try run.load().summary(of: id).doubts == [])
    }

    @Test("a subtraction that is large against the result, or that leaves nothing")
    func subtraction() throws {
        let some = try doubts(empty: 20)
        #expect(some.map(\.kind) == [.instrumentCost])
        let sentence = "20 ns of an empty iteration were subtracted, 25 % of what is left"
        #expect(some[0].sentence.hasPrefix(sentence), "\(some)")
        #expect(!some[0].sentence.contains("lies in memory"))
        let next = try doubts(empty: 1, samples: { noise, _ in noise.samples(100).map { $0 * 0.02 } })
        #expect(
            next.contains { $0.sentence.contains("Where the body lies in memory alone changes a call") }, "\(next)")
        let nothing = try doubts(empty: 100)
        #expect(nothing[0].sentence.contains("cannot be told from nothing"))
        #expect(nothing[0].sentence.contains("blackHole"))
        let unknown = try doubts(empty: nil)
        #expect(unknown[0].sentence.hasPrefix("In 6 trials no empty batch was timed"))
    }

    @Test("a benchmark without a completed trial has no doubts, only its warning")
    func noTrial() throws {
        let run = try SampledRun(trials: 1)
        let summary = try run.load().summary(of: id)
        #expect(summary.doubts == [] && summary.iteration == nil)
    }

    @Test("a clock that went wrong is a grave suspicion of the whole run, in the words of who saw it")
    func misbehaviour() throws {
        let run = try SampledRun(
            trials: 1,
            change: {
                $0.clock = ClockFacts(
                    source: "tsc", reason: "", readCost: 9, resolution: 1, misbehaviour: ["The clock ran\nbackwards."])
            })
        let data = try run.load()
        #expect(Suspicions(data, data.summaries()).grave.contains("The clock ran\u{FFFD}backwards."))
    }
}
