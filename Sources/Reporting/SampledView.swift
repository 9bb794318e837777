import Analysis
import Results
import Words

/// The benchmarks of one suite that are timed in batches, as every form of the report shows them: in the order of their
/// declaration, but those that differ only by their axes stand together.
struct SampledView {
    struct Entry {
        var description: BenchmarkDescription
        var summary: BenchmarkSummary
        var title: String { PlainText.oneLine(description.id.description) }
        /// The title without the suite, with spaces at which a line may break: `hash, bytes=1024`.
        var shortTitle: String {
            PlainText.oneLine(
                ([description.id.name] + description.id.parameters.map { "\($0.axis)=\($0.value)" }).joined(
                    separator: ", "))
        }
        /// The identity without the suite: `hash[bytes=1024]`.
        var name: String {
            PlainText.oneLine(String(description.id.description.dropFirst(description.id.suite.count + 1)))
        }
    }

    /// Benchmarks of one name.
    struct Group {
        var name: String
        var entries: [Entry]
    }

    var suite: String
    var groups: [Group]

    var entries: [Entry] { groups.flatMap(\.entries) }
    /// How its benchmarks are timed, in words.
    var sampling: [String] {
        entries.compactMap(\.description.sampling).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// All suites of a run that have such benchmarks, in the order of their declaration.
    static func all(_ data: RunData, _ summaries: [BenchmarkSummary]) -> [SampledView] {
        let summaryOf = Dictionary(summaries.map { ($0.benchmark, $0) }, uniquingKeysWith: { first, _ in first })
        var views: [SampledView] = []
        for description in data.sampledBenchmarks {
            let id = description.id
            let summary =
                summaryOf[id] ?? BenchmarkSummary(benchmark: id, trialsPlanned: data.run.timedTrials(of: description))
            let entry = Entry(description: description, summary: summary)
            let place = views.firstIndex { $0.suite == id.suite } ?? views.endIndex
            if place == views.endIndex { views.append(SampledView(suite: id.suite, groups: [])) }
            if let group = views[place].groups.firstIndex(where: { $0.name == id.name }) {
                views[place].groups[group].entries.append(entry)
            } else {
                views[place].groups.append(Group(name: id.name, entries: [entry]))
            }
        }
        return views
    }
}
