import Analysis
import Results
import Statistics
import Words

/// The first screen: what was run, what is doubtful about it, and the answer.
extension ReportPage {
    func headline(_ html: inout HTML) {
        html.element("header", [(.id, "top")]) { html in
            html.element("h1", question)
            html.element("p", [(.class, "facts")]) { html in
                fact("Machine", machine, &html)
                fact("Revision", PlainText.oneLine(run.revision.short), &html)
                fact("Started", moment, &html)
                fact("Took", run.duration.map { PlainDuration.long($0) } ?? "not known", &html)
                fact("Toolchain", PlainText.oneLine(run.environment.swiftVersion.description, columns: 80), &html)
                fact("Build", PlainText.oneLine(run.environment.buildConfiguration.description, columns: 60), &html)
            }
            html.element("p", [(.class, "counts")], counts)
            let suspicions = Suspicions(data, summaries)
            if !suspicions.grave.isEmpty || !missingPlots.isEmpty {
                html.element("div", [(.class, "notice grave"), (.role, "note")]) { html in
                    html.element("h2", "Read these numbers with care")
                    list(suspicions.grave + missingPlots, &html)
                }
            }
            if !suspicions.slight.isEmpty {
                html.element("div", [(.class, "notice slight"), (.role, "note")]) { html in
                    html.element("h2", "What may have disturbed the measurement")
                    list(suspicions.slight, &html)
                }
            }
        }
    }

    func answer(_ html: inout HTML) {
        html.element("section", [(.id, "answer")]) { html in
            html.element("h2", "The answer")
            if !experiments.isEmpty { experimentAnswer(&html) }
            if !sections.isEmpty || sampledSections.isEmpty && experiments.isEmpty { workloadAnswer(&html) }
            if !sampledSections.isEmpty { sampledAnswer(&html) }
        }
    }

    private func workloadAnswer(_ html: inout HTML) {
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "answer")]) { html in
                html.element("thead") { html in
                    html.element("tr") { html in
                        for title in ["Workload", "Best strategy", "Tasks per second", "In words"] {
                            html.element("th", [(.scope, "col")], title)
                        }
                    }
                }
                html.element("tbody") { html in
                    for suite in suites where !suite.sections.isEmpty {
                        html.element("tr", [(.class, "suite")]) {
                            $0.element("th", [(.colspan, "4"), (.scope, "rowgroup")], suite.name)
                        }
                        for section in suite.sections { answerRow(section, &html) }
                    }
                }
            }
        }
        html.element(
            "p", [(.class, "footnote")],
            "Tasks per second: median over trials [interval of at least 95 %]. Comparisons pair trials of the same block and hold together "
                + "with at least 95 %; what they cannot tell apart is said to be so.")
    }

    private func answerRow(_ section: Section, _ html: inout HTML) {
        let workload = section.workload
        html.element("tr") { html in
            html.element("th", [(.scope, "row")]) { html in
                html.element("a", [(.href, "#" + section.anchor)]) { $0.element("bdi", workload.shortTitle) }
            }
            let leaders = workload.entries.filter { $0.standing == .best || $0.standing == .tied }
            html.element("td") { html in
                if leaders.isEmpty {
                    html.element("span", [(.class, "quiet")], workload.ranking.best == nil ? "–" : "undecided")
                }
                for (index, entry) in leaders.enumerated() {
                    if index > 0 { html.text(" = ") }
                    swatch(entry.look, &html)
                    html.element("bdi", [(.class, "name")], entry.name)
                }
            }
            html.element(
                "td", [(.class, "number")], workload.ranking.best.map { EstimateText.plain($0.estimate) } ?? "–")
            html.element("td", [(.class, "words")]) { html in
                html.text(workload.rankingSentence)
                if let advice = workload.adviceSentence {
                    html.element("span", [(.class, "growth")], " " + advice)
                }
                for sentence in workload.workerGrowthSentences {
                    html.element("span", [(.class, "growth")], " " + sentence)
                }
            }
        }
    }

    private var question: String {
        let strategies = Set(sections.flatMap(\.workload.entries).compactMap(\.description.id.strategy)).count
        let sampled = data.sampledBenchmarks.count
        let apart = run.benchmarks.count { $0.experiment == nil }
        var parts: [String] = experiments.isEmpty ? [] : [PlainNumber.counted(experiments.count, "experiment")]
        if strategies > 1, !sections.isEmpty {
            parts.append(
                "\(PlainNumber.counted(strategies, "strategy", "strategies")) on \(PlainNumber.counted(sections.count, "workload"))"
            )
        } else if apart > sampled || sampled == 0 && experiments.isEmpty {
            parts.append(PlainNumber.counted(apart - sampled, "benchmark"))
        }
        if sampled > 0 { parts.append("\(PlainNumber.counted(sampled, "benchmark")) timed in batches") }
        return parts.joined(separator: ", ")
    }

    private var machine: String {
        let environment = run.environment
        let processor = PlainText.oneLine(environment.processor.value ?? "processor not known", columns: 60)
        return "\(processor), \(PlainNumber.counted(environment.usableProcessors, "processor"))"
    }

    private var counts: String {
        let trials = data.trials.count { $0.status == .completed }
        let tasks = summaries.reduce(0) { $0 + $1.tasks.submitted }
        let samples = summaries.reduce(0) { $0 + ($1.iteration?.samples ?? 0) }
        let sampled = data.sampledBenchmarks.count
        let warnings = summaries.reduce(0) { $0 + $1.warnings.count }
        let doubted = summaries.count { !($0.doubts ?? []).isEmpty }
        let recorded = [
            sampled < run.benchmarks.count || sampled == 0 ? PlainNumber.counted(tasks, "recorded task") : nil,
            sampled > 0 ? PlainNumber.counted(samples, "sample") : nil,
        ].compactMap { $0 }
        let have = doubted == 1 ? "has" : "have"
        return "\(PlainNumber.counted(run.benchmarks.count, "benchmark")), \(PlainNumber.grouped(trials)) of "
            + "\(PlainNumber.counted(run.plannedTrials, "planned trial")) completed, "
            + recorded.map { $0 + ", " }.joined()
            + (warnings == 0 ? "no benchmark has a warning." : "\(PlainNumber.counted(warnings, "warning")).")
            + (doubted == 0 ? "" : " \(PlainNumber.counted(doubted, "benchmark")) \(have) doubts.")
    }

    private func fact(_ name: String, _ value: String, _ html: inout HTML) {
        html.element("span") { html in
            html.element("b", name)
            html.text(" ")
            html.element("bdi", value)
        }
        html.text(" ")
    }

    func list(_ sentences: [String], _ html: inout HTML) {
        html.element("ul") { html in
            for sentence in sentences { html.element("li") { $0.element("bdi", PlainText.oneLine(sentence)) } }
        }
    }

    /// A patch of a strategy's colour, as it has in all plots.
    func swatch(_ look: SeriesLook, _ html: inout HTML) {
        html.element("span", [(.class, "swatch"), (.style, "background:\(look.colour)"), (.ariaHidden, "true")], "")
    }
}
