import Analysis
import Results
import Statistics
import Words

/// Experiments: each with its question, what was found, its plots and its numbers.
extension ReportPage {
    func experiment(_ section: ExperimentSection, suite: String?, _ html: inout HTML) {
        let view = section.view
        html.lineBreak()
        html.element("section", [(.id, section.anchor), (.class, "workload")]) { html in
            if let suite { html.element("p", [(.class, "suitename")], suite) }
            html.element("h2") { html in
                html.element("a", [(.class, "anchor"), (.href, "#" + section.anchor)]) {
                    $0.element("bdi", view.question)
                }
            }
            html.element("p", [(.class, "about")]) { html in
                html.element("bdi", [(.class, "name")], view.title)
                html.text(": " + view.about)
            }
            html.element("p", [(.class, "verdict")], view.finding)
            otherFindings(view, &html)
            html.element("p", [(.class, "declaration")], declaration(view))
            let named = view.result.conditions.flatMap(\.members).compactMap { member in
                view.summaries[member.description.id].map { (Self.name(member), $0) }
            }
            warnings(named, &html)
            doubts(named, &html)
            html.element("div", [(.class, "figures")]) { html in
                for figure in section.figures { self.figure(figure, &html) }
            }
            numbers(view, &html)
            for facet in view.facets {
                if let tails = TailTable(view, facet, data) { tailTable(tails, heading: facet.title, &html) }
                if let phases = PhaseView(view, facet) { phaseTable(phases, heading: facet.title, &html) }
            }
            failureTable(named, &html)
            notes(view, &html)
        }
    }

    private static func name(_ member: ExperimentResult.Member) -> String {
        PlainText.oneLine(String(member.description.id.description.dropFirst(member.description.id.suite.count + 1)))
    }

    private func declaration(_ view: ExperimentView) -> String {
        let descriptions = view.result.conditions.flatMap(\.members).map(\.description)
        func one(_ value: (BenchmarkDescription) -> String) -> String {
            descriptions.map(value).reduce(into: [String]()) { if !$0.contains($1), !$1.isEmpty { $0.append($1) } }
                .joined(separator: " / ")
        }
        let load = one(\.load)
        let sampling = one { $0.sampling ?? "" }
        return PlainText.oneLine(
            "Decided by \(view.metricTitle) (\(view.metric.name)); "
                + (load.isEmpty ? "" : "load: \(load); ") + (sampling.isEmpty ? "" : "timed so: \(sampling); ")
                + "\(one { "\(run.timedTrials(of: $0))" }) trials of each; declared at \(one(\.declaredAt))")
    }

    private func otherFindings(_ view: ExperimentView, _ html: inout HTML) {
        let others = view.otherConditions
        guard !others.isEmpty else { return }
        html.element("details", others.count <= 4 ? [(.open, "open")] : []) { html in
            html.element("summary", "Under \(PlainNumber.counted(others.count, "other condition"))")
            html.element("ul") { html in
                for condition in others { html.element("li", view.finding(condition)) }
            }
        }
    }

    // MARK: Numbers

    /// A column of the table of numbers.
    private struct NumberColumn {
        var title: String
        var hint: String
        /// Nil where there is no number, then with the reason.
        var cell: (ExperimentResult.Member, BenchmarkSummary) -> (text: String?, hint: String?)
    }

    private func numbers(_ view: ExperimentView, _ html: inout HTML) {
        let columns = columns(view)
        let axes = view.result.conditions.first?.parameters.map(\.axis) ?? []
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "ranking")]) { html in
                html.element("caption", "The numbers: medians over trials [interval of 95 %]")
                html.element("thead") { html in
                    html.element("tr") { html in
                        for axis in axes { html.element("th", [(.scope, "col")], PlainText.oneLine(axis)) }
                        html.element("th", [(.scope, "col")], PlainText.oneLine(view.result.description.compares))
                        html.element("th", [(.scope, "col"), (.title, Self.rankMeaning)], "Rank")
                        html.element("th", [(.scope, "col"), (.title, view.metric.name)], view.metricTitle)
                        html.element("th", [(.scope, "col"), (.title, "paired by block")], "To best")
                        for column in columns {
                            html.element("th", [(.scope, "col"), (.title, column.hint)], column.title)
                        }
                        html.element("th", [(.scope, "col"), (.title, "completed of planned")], "Trials")
                    }
                }
                html.element("tbody") { html in
                    for condition in view.result.conditions {
                        for (index, member) in Self.ordered(condition).enumerated() {
                            row(view, condition, member, isFirst: index == 0, columns, &html)
                        }
                    }
                }
            }
        }
        html.element(
            "p", [(.class, "footnote")],
            Self.rankMeaning.prefix(1).uppercased() + Self.rankMeaning.dropFirst() + ".")
    }

    static let rankMeaning =
        "a rank is one more than the number of others shown to be better under the same condition (rank-sum test; all comparisons of a condition hold together with 95 %); = marks a rank that several share"

    /// Those with a number in the order of their ranking, then the others.
    private static func ordered(_ condition: ExperimentResult.Condition) -> [ExperimentResult.Member] {
        let places = Dictionary(
            condition.ranking.places.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        return condition.members.enumerated().sorted {
            (places[$0.element.name] ?? .max, $0.offset) < (places[$1.element.name] ?? .max, $1.offset)
        }.map(\.element)
    }

    private func row(
        _ view: ExperimentView, _ condition: ExperimentResult.Condition, _ member: ExperimentResult.Member,
        isFirst: Bool,
        _ columns: [NumberColumn], _ html: inout HTML
    ) {
        let place = condition.ranking.places.first { $0.name == member.name }
        let summary =
            view.summaries[member.description.id]
            ?? BenchmarkSummary(benchmark: member.description.id, trialsPlanned: 0)
        let isJudged = condition.ranking.places.contains(where: \.canBeToldApart)
        html.element("tr", place?.rank == 1 && isJudged ? [(.class, "leader")] : []) { html in
            for parameter in condition.parameters {
                html.element("td", [(.class, isFirst ? "" : "quiet")], PlainText.oneLine(parameter.value))
            }
            html.element("th", [(.scope, "row"), (.title, PlainText.oneLine(member.description.id.description))]) {
                swatch(view.look(member), &$0)
                $0.element("bdi", [(.class, "name")], PlainText.oneLine(member.name))
            }
            html.element("td", [(.class, "number")], Self.rank(place, isJudged: isJudged))
            number(
                member.estimate.map { view.text($0) },
                hint: member.estimate?.doubt ?? member.gaps.first?.reason ?? "no trial completed", &html)
            number(
                place.flatMap { $0.isBest ? "1×" : $0.ratioToBest.map { PlainNumber.times($0.median) } },
                hint: "no block has positive numbers of both", &html)
            for column in columns {
                let (text, hint) = column.cell(member, summary)
                number(text, hint: hint, &html)
            }
            let failed = summary.trialsFailed > 0 ? ", \(summary.trialsFailed) failed" : ""
            html.element(
                "td", [(.class, failed.isEmpty ? "number" : "number bad")],
                "\(summary.trialsCompleted)/\(summary.trialsPlanned)" + failed)
        }
    }

    private static func rank(_ place: Ranking.Place?, isJudged: Bool) -> String {
        guard let place else { return "–" }
        return isJudged ? "\(place.rank)" + (place.sharesRank ? "=" : "") : "?"
    }

    /// What is told beside what decides: other metrics that are observed, times of tasks, and what all of it cost.
    private func columns(_ view: ExperimentView) -> [NumberColumn] {
        let members = view.result.conditions.flatMap(\.members)
        let summaries = members.compactMap { view.summaries[$0.description.id] }
        var columns: [NumberColumn] = []
        for metric in members.first?.description.observes ?? [] where metric.name != view.metric.name {
            columns.append(
                NumberColumn(title: PlainText.oneLine(metric.title ?? metric.name), hint: metric.name) { _, summary in
                    let cost = summary.costs?.first { $0.metric == metric.name }
                    return (cost.flatMap { CostText.cell($0) }, cost.map { CostText.hint($0) } ?? "no trial completed")
                })
        }
        if members.first?.description.manner == .samples, view.metric.name != Metric.iterationTime.name {
            columns.append(
                NumberColumn(title: "Time per iteration", hint: "median over trials") { _, summary in
                    (summary.iteration.map { EstimateText.duration($0.time) }, "not timed")
                })
        }
        if members.first?.description.manner == .tasks {
            columns += taskColumns(view.metric)
        }
        columns += Self.costColumns.compactMap { metrics, title in
            func cost(_ summary: BenchmarkSummary) -> CostSummary? {
                metrics.compactMap { name in summary.costs?.first { $0.metric == name } }.first { $0.estimate != nil }
            }
            let isWorth =
                !metrics.contains(view.metric.name)
                && summaries.contains { (cost($0)?.estimate?.median ?? 0) != 0 }
            return isWorth
                ? NumberColumn(title: title, hint: metrics[0]) { _, summary in
                    (cost(summary).flatMap { CostText.cell($0) }, cost(summary).map { CostText.hint($0) })
                } : nil
        }
        return columns
    }

    private func taskColumns(_ decides: Metric) -> [NumberColumn] {
        func time(_ title: String, _ percentile: @escaping (BenchmarkSummary) -> Percentile?) -> NumberColumn {
            NumberColumn(title: title, hint: "of all trials together") { _, summary in
                (
                    percentile(summary)?.value.map { PlainDuration.text($0) },
                    EstimateText.reason(percentile(summary))
                )
            }
        }
        var columns: [NumberColumn] = []
        if decides.name != Metric.throughput.name {
            columns.append(
                NumberColumn(title: "Tasks/s", hint: "that ended well, median over trials") { _, summary in
                    (summary.throughput.map { PlainNumber.significant($0.median) }, "no task ended well")
                })
        }
        return columns + [
            time("wait p50") { $0.wait?.p50 }, time("wait p99") { $0.wait?.p99 }, time("spent p50") { $0.spent?.p50 },
            time("spent p99") { $0.spent?.p99 },
        ]
    }

    private static let costColumns: [(metrics: [String], title: String)] = [
        (["emulated_instructions"], "instructions"), (["emulated_retains"], "retains"),
        (["emulated_releases"], "releases"), (["emulated_allocations", "allocations"], "allocations"),
        (["thread_cpu_time", "cpu_time"], "CPU"), (["peak_threads"], "threads"), (["peak_resident"], "peak memory"),
        (["voluntary_switches"], "switches"), (["cpu_energy"], "energy"),
    ]

    private func notes(_ view: ExperimentView, _ html: inout HTML) {
        var seen: Set<String> = []
        let noted = view.result.conditions.flatMap(\.members).filter {
            !$0.description.strategyNote.isEmpty && seen.insert($0.name).inserted
        }
        guard !noted.isEmpty else { return }
        html.element("details") { html in
            html.element("summary", "What each strategy does with work that blocks")
            html.element("dl") { html in
                for member in noted {
                    html.element("dt") { html in
                        swatch(view.look(member), &html)
                        html.element("bdi", PlainText.oneLine(member.name))
                    }
                    html.element("dd", PlainText.oneLine(member.description.strategyNote))
                }
            }
        }
    }

    // MARK: The first screen

    /// The rows of the first screen on experiments.
    func experimentAnswer(_ html: inout HTML) {
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "answer")]) { html in
                html.element("thead") { html in
                    html.element("tr") { html in
                        for title in ["Experiment", "Finding"] { html.element("th", [(.scope, "col")], title) }
                    }
                }
                html.element("tbody") { html in
                    for suite in suites where !suite.experiments.isEmpty {
                        html.element("tr", [(.class, "suite")]) {
                            $0.element("th", [(.colspan, "2"), (.scope, "rowgroup")], suite.name)
                        }
                        for section in suite.experiments {
                            html.element("tr") { html in
                                html.element("th", [(.scope, "row")]) { html in
                                    html.element("a", [(.href, "#" + section.anchor)]) {
                                        $0.element("bdi", section.view.question)
                                    }
                                }
                                html.element("td", [(.class, "words")], section.view.finding)
                            }
                        }
                    }
                }
            }
        }
        html.element(
            "p", [(.class, "footnote")],
            "Each finding is that of the condition under which most is shown. All comparisons of one condition hold together with 95 %; each "
                + "condition is judged by itself, so that of twenty in which nothing differs one may show something.")
    }
}
