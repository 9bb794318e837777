import CommandOptions
import Results
import TaskMeter

/// A benchmark that both sides have, and its pairs so far.
struct ComparedBenchmark {
    let id: BenchmarkID
    /// Its place in each side's selection.
    let base: Int
    let head: Int
    /// One series for each metric that is judged.
    var series: [PairSeries]
    var pairs = 0
    var took = Nanoseconds.zero
    /// Which trial failed, and why: it is measured no more, for a side that fails now and then is not judged by the trials in
    /// which it did not. Nil while none has.
    var failure: String?
}

/// What two sides have in common, and what not.
struct ComparedSelections {
    var common: [ComparedBenchmark] = []
    /// Of benchmarks that are not measured.
    var settled: [Judgement] = []

    init(_ base: Selection, _ head: Selection, metrics: [String]) throws(RunError) {
        for (headPlace, member) in head.members.enumerated() {
            let description = member.description
            let metric = description.decidingMetric ?? .elapsed
            guard let basePlace = base.members.firstIndex(where: { $0.description.id == description.id }) else {
                settled.append(Judgement(description.id, metric, .new))
                continue
            }
            if let difference = description.difference(to: base.members[basePlace].description) {
                settled.append(Judgement(description.id, metric, .notComparable, reason: difference))
                continue
            }
            let judged = try Self.metrics(of: description, named: metrics)
            guard !judged.isEmpty else {
                settled.append(
                    Judgement(
                        description.id, metric, .notComparable,
                        reason: metrics.isEmpty
                            ? "it declares no metric that decides; name one with --metric"
                            : "it tells none of \(metrics.joined(separator: ", "))"))
                continue
            }
            common.append(
                ComparedBenchmark(
                    id: description.id, base: basePlace, head: headPlace,
                    series: judged.map { PairSeries(description.id, $0) }))
        }
        for member in base.members where !head.members.contains(where: { $0.description.id == member.description.id }) {
            settled.append(Judgement(member.description.id, member.description.decidingMetric ?? .elapsed, .removed))
        }
    }

    /// The metrics by which a benchmark is judged: those named that its kind of work can tell, or the one that decides it.
    private static func metrics(
        of benchmark: BenchmarkDescription, named names: [String]
    ) throws(RunError) -> [Metric] {
        guard !names.isEmpty else { return benchmark.decidingMetric.map { [$0] } ?? [] }
        var found: [Metric] = []
        for name in names {
            if let observed = benchmark.observes?.first(where: { $0.name == name }) {
                found.append(observed)
            } else if let (time, statistic) = Metric.taskTime(named: name) {
                if benchmark.manner == .tasks { found.append(.tasks(time, statistic)) }
            } else if let metric = Metric.standard.first(where: { $0.name == name }) {
                found.append(metric)
            } else if benchmark.manner != .observations {
                let near = nearest(to: name, in: Metric.standard.map(\.name), atMost: 3).joined(separator: ", ")
                throw .usage("--metric \(name) is not known; near names: \(near)")
            }
        }
        return found
    }
}
