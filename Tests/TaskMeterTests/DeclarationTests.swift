import TaskMeter
import Testing

private let two = [StrategyChoice.serialQueue, .pool(workers: 2)]

@Suite("A suite's declaration")
struct DeclarationTests {
    @Test("expands to every combination of its axes, in order, the strategy last")
    func expansion() throws {
        let bytes = Axis("bytes", 1, 2)
        let keep = Axis("keep", true, false)
        let suite = TaskMeter.Suite("S") {
            Benchmark("get", "Gets.", strategies: two, axes: [bytes, keep], tasks: .by { $0[bytes] * 100 }) { _ in
                Work { _ in }
            }
            Benchmark(
                "nap", "Naps.", strategies: [.globalQueue], tasks: 15, warmupTasks: 3, file: "S/main.swift", line: 7
            ) { _ in }
        }
        let cases = try suite.cases()
        #expect(
            cases.map(\.id.description) == [
                "S/get[bytes=1,keep=on,strategy=serial-queue]", "S/get[bytes=1,keep=on,strategy=pool-2]",
                "S/get[bytes=1,keep=off,strategy=serial-queue]", "S/get[bytes=1,keep=off,strategy=pool-2]",
                "S/get[bytes=2,keep=on,strategy=serial-queue]", "S/get[bytes=2,keep=on,strategy=pool-2]",
                "S/get[bytes=2,keep=off,strategy=serial-queue]", "S/get[bytes=2,keep=off,strategy=pool-2]",
                "S/nap[strategy=global-queue]",
            ])
        #expect(cases.map { $0.description(quick: false).tasks } == [100, 100, 100, 100, 200, 200, 200, 200, 15])
        #expect(cases.map { $0.description(quick: true).tasks } == [10, 10, 10, 10, 20, 20, 20, 20, 2])
        #expect(cases.map { $0.warmupTasks(quick: false) } == [10, 10, 10, 10, 20, 20, 20, 20, 3])
        #expect(cases[8].description(quick: false).declaredAt == "S/main.swift:7")
    }

    @Test("with a name twice is refused, and both places are named")
    func duplicate() {
        let suite = TaskMeter.Suite("S") {
            Benchmark("a", "", tasks: 1, file: "S/main.swift", line: 4) { _ in }
            Benchmark("b", "", tasks: 1) { _ in }
            Benchmark("a", "", tasks: 1, file: "S/main.swift", line: 9) { _ in }
        }
        let error = #expect(throws: DeclarationError.self) { try suite.cases() }
        #expect(error?.description.contains("S/main.swift:4") == true)
        #expect(error?.description.contains("S/main.swift:9") == true)
    }

    @Test(
        "with a part that would make identities ambiguous is refused",
        arguments: ["a/b", "a[", "a]", "a=b", "a,b", "", "a\nb", "a\u{0}"])
    func reserved(name: String) {
        #expect(throws: DeclarationError.self) {
            try TaskMeter.Suite("S") { Benchmark(name, "", tasks: 1) { _ in } }.cases()
        }
        #expect(throws: DeclarationError.self) {
            try TaskMeter.Suite(name) { Benchmark("b", "", tasks: 1) { _ in } }.cases()
        }
        #expect(throws: DeclarationError.self) {
            try TaskMeter.Suite("S") {
                Benchmark("b", "", axes: [Axis("axis", name)], tasks: 1) { _ in Work { _ in } }
            }.cases()
        }
    }

    @Test("without tasks, values or strategies, or with an axis or a value twice, is refused")
    func empty() {
        func refused(_ benchmark: Benchmark, because reason: String) {
            let error = #expect(throws: DeclarationError.self) { try TaskMeter.Suite("S") { benchmark }.cases() }
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
        refused(Benchmark("b", "", tasks: 1, warmupTasks: -1) { _ in }, because: "-1 tasks for warm-up")
        refused(Benchmark("b", "", tasks: 0) { _ in }, because: "no tasks")
        refused(Benchmark("b", "", strategies: [], tasks: 1) { _ in }, because: "no values")
        refused(
            Benchmark("b", "", strategies: [.serialQueue, .serialQueue], tasks: 1) { _ in }, because: "a value twice")
        refused(Benchmark("b", "", tasks: 1, load: .inFlight(0)) { _ in }, because: "0 tasks in flight")
        refused(Benchmark("b", "", tasks: 1, load: .open(perSecond: 0)) { _ in }, because: "needs more than none")
        refused(Benchmark("b", "", tasks: .during(.seconds(1))) { _ in }, because: "which only a closed loop can have")
        refused(
            Benchmark("b", "", tasks: .during(.zero), load: .inFlight(1)) { _ in }, because: "no tasks")
        refused(
            Benchmark("b", "", tasks: 2, load: .scheduled([.seconds(1), .zero])) { _ in }, because: "not in order")
        refused(
            Benchmark("b", "", tasks: 3, load: .scheduled([.zero, .seconds(1)])) { _ in },
            because: "3 tasks, and moments for 2")
        let rate = Axis("rate", 5.0, 0)
        refused(
            Benchmark(
                "b", "", axes: [rate], tasks: 1, loadBy: { .open(perSecond: $0[rate]) }, prepare: { _ in Work { _ in } }
            ),
            because: "0.0 tasks a second")
        refused(
            Benchmark("b", "", axes: [Axis("x", 1), Axis("x", 2)], tasks: 1) { _ in Work { _ in } },
            because: "“x” twice")
        refused(
            Benchmark("b", "", axes: [Axis("strategy", "mine")], tasks: 1) { _ in Work { _ in } },
            because: "“strategy” twice")
    }

    @Test("may have a load by its parameters, and last for a time, a tenth of it when quick")
    func loads() throws {
        let inFlight = Axis("inflight", 1, 8)
        let suite = TaskMeter.Suite("S") {
            Benchmark(
                "b", "", strategies: [.inline], axes: [inFlight], tasks: .during(.seconds(2)),
                loadBy: { .inFlight($0[inFlight]) }, prepare: { _ in Work { _ in } })
        }
        let descriptions = try suite.cases().map { $0.description(quick: false) }
        #expect(
            descriptions.map(\.load) == [
                "closed loop: at most 1 tasks in flight", "closed loop: at most 8 tasks in flight",
            ])
        #expect(descriptions.allSatisfy { $0.lasts == .seconds(2) && $0.tasks == 0 && $0.isClosedLoop == true })
        #expect(try suite.cases()[0].description(quick: true).lasts == .milliseconds(200))
        #expect(descriptions[0].warmupTasks == 200)
    }

    @Test("of sampled benchmarks has no strategy in their identities, and says how they are timed")
    func sampled() throws {
        let size = Axis("size", 10, 1_000)
        let suite = TaskMeter.Suite("S") {
            Benchmark("short", "Is its body.") { blackHole(identity(2.0).squareRoot()) }
            Benchmark("suspends", "Suspends.", sampling: .everyIteration) { await Task.yield() }
            Benchmark("sort", "Sorts.", axes: [size], sampling: .batches(samples: 500, duration: .seconds(2))) {
                parameters in
                let numbers = Array(0..<parameters[size])
                return Iteration(setUp: { numbers.shuffled() }) { numbers in numbers.sort() }
            }
            Benchmark("refresh", "Refreshes.") { _ in Iteration(on: .mainActor) { MainActor.assertIsolated() } }
            Benchmark("part", "Measures a part.") { _ in
                Iteration { (window: inout MeasuredWindow) in
                    window.start()
                    window.stop()
                }
            }
        }
        let cases = try suite.cases()
        #expect(
            cases.map(\.id.description) == [
                "S/short", "S/suspends", "S/sort[size=10]", "S/sort[size=1000]", "S/refresh", "S/part",
            ])
        let description = cases[2].description(quick: false)
        #expect(description.tasks == 0 && description.warmupTasks == 0)
        #expect(
            description.sampling
                == "in batches that last 1,000 times what the clock costs; at most 500 samples or 2.00 s a trial")
        #expect(
            cases[2].description(quick: true).sampling?.hasSuffix("at most 50 samples or 200 ms a trial") == true)
        #expect(cases[1].description(quick: false).sampling?.hasPrefix("each iteration by itself") == true)
    }

    @Test("of a sampled benchmark without samples or time is refused")
    func nothingToSample() {
        func refused(_ sampling: Sampling, because reason: String) {
            let error = #expect(throws: DeclarationError.self) {
                try TaskMeter.Suite("S") { Benchmark("b", "", sampling: sampling) {} }.cases()
            }
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
        refused(.batches(samples: 0), because: "0 samples; it needs at least 1")
        refused(.batches(duration: .zero), because: "0 ns for its samples; it needs more than none")
        refused(.everyIteration(samples: -3), because: "-3 samples")
    }

    @Test("may hold names in any script, quotes and markup")
    func anyName() throws {
        let names = ["größe", "日本語", "a b", "it's", "\"quoted\"", "<b>", "a_b", "{x}", "@", "100%", "🎉"]
        for name in names {
            let cases = try TaskMeter.Suite(name) { Benchmark(name, "", strategies: [.serialQueue], tasks: 1) { _ in } }
                .cases()
            #expect(BenchmarkID(cases[0].id.description) == cases[0].id)
        }
    }
}
