import Statistics
import Testing

/// Why the unit of statistics is the trial.
///
/// Each process lays out its memory, fills its caches and meets its neighbours anew, and so runs at a level of its own. Its
/// iterations scatter about that level, each resembling the one before. However many they are, they tell of this one
/// level; what would be measured next time, in another process, they do not know.
@Suite struct TrialsTests {
    /// A benchmark whose true value is 0. Levels of processes scatter by 1 about it, and iterations by as much about their
    /// level, as an AR(1) series.
    private struct Benchmark {
        var simulation: Simulation
        var rho = 0.5
        var levels = 1.0

        mutating func process(iterations: Int) -> [Double] {
            let level = levels * simulation.normal()
            return simulation.autoregressive(iterations, rho: rho).map { level + $0 }
        }
    }

    /// In how many of 2,000 experiments a 95 % interval holds the truth, and how wide it is in the middle of them.
    private func tried(_ benchmark: Benchmark, values: (inout Benchmark) -> [Double]) -> (
        covered: Double, width: Double
    ) {
        var benchmark = benchmark
        var widths: [Double] = []
        let covered = share(of: 2_000) { _ in
            let interval = MedianEstimate(of: values(&benchmark))!.interval!
            widths.append(interval.upper - interval.lower)
            return interval.contains(0)
        }
        return (covered, median(widths)!)
    }

    @Test(
        "30 correlated iterations of one process do not narrow an interval as 30 trials do: they only look as if they did"
    )
    func iterationsAreNotTrials() {
        let benchmark = Benchmark(simulation: Simulation(seed: 1))
        let trials = tried(benchmark) { benchmark in
            (0..<30).map { _ in median(benchmark.process(iterations: 30))! }
        }
        let iterations = tried(benchmark) { $0.process(iterations: 30) }

        // Both intervals are about as narrow. One keeps its promise; the other, at “95 %”, is wrong most of the time.
        #expect(trials.covered >= 0.94, "\(trials)")
        #expect(iterations.covered < 0.5, "\(iterations)")
        #expect(agree(trials.width, iterations.width, within: 0.5))
    }

    @Test("more iterations of one process make its interval narrower and worse")
    func moreIterations() {
        let benchmark = Benchmark(simulation: Simulation(seed: 2))
        let few = tried(benchmark) { $0.process(iterations: 30) }
        let many = tried(benchmark) { $0.process(iterations: 3_000) }
        #expect(many.width < few.width / 5)
        #expect(many.covered < 0.1, "\(many)")
    }

    @Test("all iterations of 30 trials thrown together make a false promise, their 30 medians a true one")
    func pooled() {
        let benchmark = Benchmark(simulation: Simulation(seed: 3))
        let pooled = tried(benchmark) { benchmark in
            (0..<30).flatMap { _ in benchmark.process(iterations: 30) }
        }
        let medians = tried(benchmark) { benchmark in
            (0..<30).map { _ in median(benchmark.process(iterations: 30))! }
        }
        #expect(pooled.covered < 0.6, "\(pooled)")
        #expect(medians.covered >= 0.94, "\(medians)")
        #expect(pooled.width < medians.width / 2)
    }

    @Test("even where processes do not differ, iterations that hang together are worth fewer than they are")
    func correlated() throws {
        var benchmark = Benchmark(simulation: Simulation(seed: 4), rho: 0.8, levels: 0)
        let iterations = tried(benchmark) { $0.process(iterations: 30) }
        #expect(iterations.covered < 0.8, "\(iterations)")
        // The effective size tells so: some 1/9 of the values.
        let size = try #require(EffectiveSampleSize(of: benchmark.process(iterations: 3_000))?.size)
        #expect((200...600).contains(size))
    }

    @Test("one process has one value, and one value has no interval")
    func oneTrial() throws {
        var benchmark = Benchmark(simulation: Simulation(seed: 5))
        let value = try #require(median(benchmark.process(iterations: 30)))
        #expect(MedianEstimate(of: [value])?.interval == nil)
        #expect(MedianEstimate(of: [value])?.doubt == "1 trial cannot support an interval of 95 %; 6 can")
        #expect(HodgesLehmann(of: [value])?.interval == nil)
        #expect(BootstrapEstimate(of: [value], statistic: .median)?.interval == nil)
    }
}
