import Results
import TaskMeter
import Testing

private let size = Axis("size", [1, 2], full: [1_000])
private let seen = Metric("things_seen", .count, "things seen", .higherIsBetter)
private let body: @Sendable (Parameters) -> Observing = { _ in Observing { _ in } }

@Suite("The declaration of an experiment")
struct ExperimentDeclarationTests {
    private func observing(_ metrics: [Metric] = [seen]) -> Benchmark {
        Benchmark("b", "Looks.", axes: [size], observing: metrics, prepare: body)
    }

    private func refused(_ benchmark: Benchmark, because reason: String) {
        let error = #expect(throws: DeclarationError.self) { try TaskMeter.Suite("S") { benchmark }.cases() }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("has the values that take long only in a full run, and the same identities in both")
    func full() throws {
        let suite = TaskMeter.Suite("S") { observing() }
        #expect(try suite.cases(full: false).map(\.id.description) == ["S/b[size=1]", "S/b[size=2]"])
        #expect(
            try suite.cases(full: true).map(\.id.description) == ["S/b[size=1]", "S/b[size=2]", "S/b[size=1000]"])
    }

    @Test("stands in the description of each of its benchmarks, with what decides")
    func described() throws {
        let suite = TaskMeter.Suite("S") {
            observing().answering(Experiment("Which?", comparing: size, by: seen)).trials(atMost: 3)
        }
        let description = try suite.cases()[0].description(quick: false)
        #expect(description.manner == .observations)
        #expect(description.trials == 3)
        #expect(
            description.experiment
                == ExperimentDescription(question: "Which?", compares: "size", along: nil, decides: seen))
        #expect(description.observes == [seen])
    }

    @Test("that speaks of an axis or a metric that its benchmark does not have is refused")
    func strangers() {
        let other = Axis("other", 1)
        refused(
            observing().answering(Experiment("?", comparing: other, by: seen)),
            because: "with the axis “other”, which it does not have")
        refused(
            observing().answering(Experiment("?", comparing: size, along: other, by: seen)), because: "axis “other”")
        refused(
            observing().answering(Experiment("?", comparing: size, by: .throughput)),
            because: "decided by throughput, which it does not observe")
        refused(
            Benchmark("b", "") {}.answering(Experiment("?", comparing: size, by: .iterationTime)),
            because: "axis “size”")
        refused(
            Benchmark("b", "", axes: [size]) { _ in Iteration {} }.answering(
                Experiment("?", comparing: size, by: .tasks(.wait, .p99))), because: "has no tasks")
        refused(
            Benchmark("b", "", tasks: 1) { _ in }.answering(Experiment("?", by: .iterationTime)),
            because: "time of iterations, and has none")
        refused(observing().trials(atMost: 0), because: "0 trials; it needs at least 1")
    }

    @Test("with metrics that are none, TaskMeter’s own, twice or no name is refused")
    func metrics() {
        refused(observing([]), because: "no metric to observe")
        refused(observing([seen, seen]), because: "“things_seen” twice")
        refused(observing([Metric("Things seen", .count, "")]), because: "lower-case letters, digits and _")
        refused(observing([Metric("9lives", .count, "")]), because: "lower-case letters, digits and _")
        refused(observing([Metric("throughput", .perSecond, "")]), because: "which TaskMeter itself measures")
        refused(observing([Metric("wait_p99", .nanoseconds, "")]), because: "which TaskMeter itself measures")
    }

    @Test("an open loop without a rate or without bursts is refused")
    func openLoops() {
        for rate in [0, -1, Double.nan, .infinity] {
            refused(Benchmark("b", "", tasks: 1, load: .open(perSecond: rate)) { _ in }, because: "tasks a second")
        }
        refused(
            Benchmark("b", "", tasks: 1, load: .open(perSecond: 1, .bursts(of: 0))) { _ in }, because: "bursts of 0")
    }
}
