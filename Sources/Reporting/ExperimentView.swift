import Analysis
import Results
import Statistics
import Words

/// An experiment as every form of the report shows it.
struct ExperimentView {
    /// Conditions that are drawn together: they differ along one axis only.
    struct Facet {
        /// Of the axes beside that one.
        var parameters: [BenchmarkID.Parameter]
        var conditions: [ExperimentResult.Condition]
        /// `load=busy, period=10`; empty where there is nothing to say.
        var title: String { ExperimentView.text(parameters) }
    }

    var result: ExperimentResult
    var facets: [Facet]
    /// By compared value.
    var looks: [String: SeriesLook]
    var summaries: [BenchmarkID: BenchmarkSummary]

    var metric: Metric { result.description.decides }
    var question: String { PlainText.oneLine(result.description.question) }
    var about: String { PlainText.oneLine(result.about) }
    var suite: String { PlainText.oneLine(result.suite) }
    var title: String { PlainText.oneLine(result.name) }
    var identity: String { "\(result.suite)/\(result.name)" }
    /// What decides, as a part of a sentence.
    var metricTitle: String {
        if metric.name == Metric.iterationTime.name { return "time per iteration" }
        return PlainText.oneLine(metric.title ?? metric.name.replacing("_", with: " "))
    }

    func look(_ member: ExperimentResult.Member) -> SeriesLook { looks[member.name] ?? SeriesLook(number: 0) }
    func value(_ number: Double) -> String { CostText.value(number, unit: metric.unit) }

    /// A number with its interval, both in the metric's unit.
    func text(_ estimate: MedianEstimate) -> String {
        metric.unit == "ns" ? EstimateText.duration(estimate) : EstimateText.plain(estimate) { value($0) }
    }

    /// What a facet shows together, each by what is compared and by its place along the axis that is drawn along.
    func members(
        of facet: Facet
    ) -> [(name: String, look: SeriesLook, description: BenchmarkDescription, summary: BenchmarkSummary)] {
        let along = facet.conditions.count > 1 ? result.description.along : nil
        return facet.conditions.flatMap { condition in
            let place = along.flatMap { axis in condition.parameters.first { $0.axis == axis } }
            return condition.members.compactMap { member in
                summaries[member.description.id].map { summary in
                    (
                        PlainText.oneLine(member.name + (place.map { ", \($0.axis)=\($0.value)" } ?? "")), look(member),
                        member.description, summary
                    )
                }
            }
        }
    }

    static func text(_ parameters: [BenchmarkID.Parameter]) -> String {
        PlainText.oneLine(parameters.map { "\($0.axis)=\($0.value)" }.joined(separator: ", "))
    }

    /// More curves than this cannot be followed: those that have more are drawn as rows, each condition by itself.
    private static let mostCurves = 12

    /// Whether it is drawn as curves along an axis of numbers.
    var hasCurves: Bool { facets.contains { $0.conditions.count > 1 } }

    static func all(_ data: RunData, _ summaries: [BenchmarkSummary]) -> [ExperimentView] {
        let summaryOf = Dictionary(summaries.map { ($0.benchmark, $0) }, uniquingKeysWith: { first, _ in first })
        let looks = SeriesLook.all(in: data)
        return data.experiments().map { result in
            var facets: [Facet] = []
            let drawsCurves = result.contenders.count <= mostCurves
            for condition in result.conditions {
                let isOnAxis = drawsCurves && condition.along != nil
                let parameters = isOnAxis ? condition.facet : condition.parameters
                if let index = facets.firstIndex(where: { isOnAxis && $0.parameters == parameters }) {
                    facets[index].conditions.append(condition)
                } else {
                    facets.append(Facet(parameters: parameters, conditions: [condition]))
                }
            }
            return ExperimentView(result: result, facets: facets, looks: looks, summaries: summaryOf)
        }
    }
}

extension SeriesLook {
    /// How strategies, and what experiments compare, are drawn: what has one name looks the same everywhere.
    static func all(in data: RunData) -> [String: SeriesLook] {
        let members = Dictionary(grouping: data.run.benchmarks, by: \.id.workload)
        return assigned(
            to: data.workloads.map { (members[$0] ?? []).map { $0.id.strategy ?? $0.id.name } }
                + data.experiments().map(\.contenders))
    }
}
