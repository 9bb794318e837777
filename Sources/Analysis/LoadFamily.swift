import Results
import Statistics

/// Benchmarks of an open loop that differ in the rate of their arrivals and in one more thing, which is compared.
package struct LoadFamily: Sendable {
    /// The axis whose values are rates of arrival, in tasks a second.
    package static let axis = "rate"

    /// `suite/name`.
    package var suite: String
    package var name: String
    /// The axis whose values are compared.
    package var compares: String
    /// Those of the other axes, which all have in common.
    package var parameters: [BenchmarkID.Parameter]
    /// One for each value that is compared, in the order of declaration.
    package var curves: [LoadCurve]
}

extension RunData {
    /// Families with two rates or more, in the order of declaration.
    package func loadFamilies(_ summaries: [BenchmarkSummary]) -> [LoadFamily] {
        struct Key: Hashable {
            var suite: String
            var name: String
            var compares: String
            var parameters: [BenchmarkID.Parameter]
        }
        let summaryOf = Dictionary(summaries.map { ($0.benchmark, $0) }, uniquingKeysWith: { first, _ in first })
        var order: [Key] = []
        var contenders: [Key: [String]] = [:]
        var points: [Key: [String: [LoadCurve.Point]]] = [:]
        for benchmark in run.benchmarks where benchmark.manner == .tasks {
            guard let rate = benchmark.id[LoadFamily.axis].flatMap(Double.init), rate > 0, rate.isFinite,
                let summary = summaryOf[benchmark.id], summary.response != nil
            else { continue }
            let compares = benchmark.experiment?.compares ?? BenchmarkID.strategyAxis
            guard compares != LoadFamily.axis else { continue }
            let key = Key(
                suite: benchmark.id.suite, name: benchmark.id.name, compares: compares,
                parameters: benchmark.id.parameters.filter { $0.axis != compares && $0.axis != LoadFamily.axis })
            let name = benchmark.id[compares] ?? benchmark.id.name
            if contenders[key] == nil { order.append(key) }
            if points[key]?[name] == nil { contenders[key, default: []].append(name) }
            points[key, default: [:]][name, default: []].append(point(rate, benchmark.id, summary))
        }
        return order.compactMap { key in
            let curves = (contenders[key] ?? []).map { LoadCurve(name: $0, points: points[key]?[$0] ?? []) }
            guard Set(curves.flatMap(\.points).map(\.rate)).count > 1 else { return nil }
            return LoadFamily(
                suite: key.suite, name: key.name, compares: key.compares, parameters: key.parameters, curves: curves)
        }
    }

    private func point(_ rate: Double, _ benchmark: BenchmarkID, _ summary: BenchmarkSummary) -> LoadCurve.Point {
        func nanoseconds(_ percentile: Percentile?) -> Double? { percentile?.value.map { Double($0.count) } }
        let kept = completedTrials(of: benchmark).compactMap { trial in
            tasks[trial.number].flatMap { keptShare(of: $0, ok: trial.tasks.ok, submitted: trial.tasks.submitted) }
        }
        return LoadCurve.Point(
            rate: rate, throughput: summary.throughput?.median,
            // Where a trial came to no end, those that did say nothing of the rate.
            kept: summary.trialsFailed > 0 ? nil : median(kept),
            responseP50: nanoseconds(summary.response?.p50), responseP99: nanoseconds(summary.response?.p99),
            lagP99: nanoseconds(summary.lag?.p99))
    }
}

/// What ended well of what arrived, by the rates of both: of arrivals from the first due to the last, of ends from the first to the last.
/// So the time that the last task takes, which a short trial has and a long one has not, does not count as falling behind.
///
/// - Returns: nil for fewer than two tasks, and where no time passes between them.
package func keptShare(of columns: TaskColumns, ok: Int, submitted: Int) -> Double? {
    guard columns.count > 1, submitted > 0, let firstEnd = columns.end.min(), let lastEnd = columns.end.max() else {
        return nil
    }
    var (firstDue, lastDue) = (Int64.max, Int64.min)
    for index in 0..<columns.count {
        let due = columns.submitted[index] - columns.lag(index)
        (firstDue, lastDue) = (min(firstDue, due), max(lastDue, due))
    }
    guard lastDue > firstDue, lastEnd > firstEnd else { return nil }
    return Double(ok) / Double(submitted) * (Double(lastDue - firstDue) / Double(lastEnd - firstEnd))
}
