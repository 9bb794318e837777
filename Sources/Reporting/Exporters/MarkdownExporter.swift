import Analysis
import Results
import Words

/// Tables for a pull request or an issue.
enum MarkdownExporter: ResultExporter {
    static let name = "markdown"

    static func export(_ data: RunData, _ summaries: [BenchmarkSummary], style: TextStyle) -> String {
        let run = data.run
        var lines = ["# Run of \(escaped(run.originUTC)), revision \(escaped(run.revision.short))", ""]
        let suspicions = Suspicions(data, summaries)
        for sentence in suspicions.grave { lines.append("- **\(escaped(sentence))**") }
        for sentence in suspicions.slight { lines.append("- \(escaped(sentence))") }
        for sentence in InstrumentText.sentences(run) { lines.append("- \(escaped(sentence))") }
        for view in ExperimentView.all(data, summaries) {
            lines += ["", "## \(escaped(view.identity)): \(escaped(view.question))", "", escaped(view.finding)]
            let others = view.otherConditions
            if !others.isEmpty { lines += [""] + others.map { "- \(escaped(view.finding($0)))" } }
            for facet in view.facets {
                if let tails = TailTable(view, facet, data) { lines += table(tails, heading: facet.title) }
                if let phases = PhaseView(view, facet) { lines += table(phases, heading: facet.title) }
            }
        }
        for view in LoadView.all(data, summaries) {
            lines += ["", "## \(escaped("\(view.suite), growing load: \(view.title)"))", ""]
            lines += view.sentences.map { "- \(escaped($0))" }
            lines += [
                "", escaped(LoadView.kneeMeaning.prefix(1).uppercased() + LoadView.kneeMeaning.dropFirst() + "."),
            ]
        }
        let workloads = WorkloadView.all(data, summaries)
        for workload in workloads {
            lines += ["", "## \(escaped(workload.title))", "", escaped(workload.rankingSentence)]
            if let advice = workload.adviceSentence { lines += ["", escaped(advice)] }
            for sentence in workload.workerGrowthSentences { lines += ["", escaped(sentence)] }
            lines += [
                "",
                "| rank | strategy | tasks/s [interval] | to best [interval] | spent p50 | p99 | wait p50 | p99 | CPU/task | ok | not ok |",
                "| ---: | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
            ]
            for entry in workload.entries {
                let summary = entry.summary
                let cells = [
                    entry.standing.text, escaped(entry.name), summary.throughput.map { EstimateText.plain($0) } ?? "–",
                    entry.place.flatMap { EstimateText.toBest($0) } ?? "–",
                    EstimateText.percentile(summary.spent?.p50), EstimateText.percentile(summary.spent?.p99),
                    EstimateText.percentile(summary.wait?.p50), EstimateText.percentile(summary.wait?.p99),
                    summary.processorTimePerTask.map { PlainDuration.text($0.median) } ?? "–",
                    PlainNumber.grouped(summary.tasks.ok),
                    PlainNumber.grouped(summary.tasks.submitted - summary.tasks.ok),
                ]
                lines.append("| " + cells.joined(separator: " | ") + " |")
            }
            lines += advice(workload)
            if let tails = TailTable(workload, data) { lines += table(tails, heading: "") }
            if let phases = PhaseView(workload) { lines += table(phases, heading: "") }
            lines += costs(workload.entries.map { ($0.name, $0.summary) }, by: "task")
            lines += remarks(workload.entries.map { ($0.name, $0.summary) })
        }
        var footnotes = workloads.isEmpty ? [] : [WorkloadView.rankMeaning]
        for view in SampledView.all(data, summaries) {
            lines += ["", "## \(escaped(view.suite)): code timed in batches", ""] + table(view)
            lines += costs(view.entries.map { ($0.name, $0.summary) }, by: "iteration")
            lines += remarks(view.entries.map { ($0.name, $0.summary) })
        }
        if !data.sampledBenchmarks.isEmpty { footnotes += [SampledCells.timeMeaning, SampledCells.scatterMeaning] }
        for note in footnotes { lines += ["", escaped(note.prefix(1).uppercased() + note.dropFirst() + ".")] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The ranks of a workload's strategies by each criterion.
    private static func advice(_ workload: WorkloadView) -> [String] {
        guard let advice = workload.advice, advice.criteria.count > 1 else { return [] }
        func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        return [
            "", row(["strategy", "efficient"] + advice.criteria.map { escaped($0.title) }),
            row([":---", ":---:"] + advice.criteria.map { _ in "---:" }),
        ]
            + workload.entries.filter { $0.place != nil }.map { entry in
                row(
                    [escaped(entry.name), advice.efficient.contains(entry.strategy) ? "★" : ""]
                        + advice.criteria.map { AdviceText.cell($0, entry.strategy).map { escaped($0) } ?? "–" })
            } + ["", escaped(AdviceText.note(advice))]
    }

    /// How long the slowest responses took.
    private static func table(_ tails: TailTable, heading: String) -> [String] {
        func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        let reasons = tails.reasons.isEmpty ? "" : " – where \(PlainText.list(tails.reasons))."
        return [
            "", "How long responses took\(heading.isEmpty ? "" : escaped(", " + heading)):", "",
            row([escaped(tails.compares.lowercased())] + TailTable.titles),
            row([":---"] + TailTable.titles.map { _ in "---:" }),
        ] + tails.rows.map { row([escaped($0.name)] + $0.cells.map { escaped($0) }) }
            + ["", escaped(tails.meaning + reasons)]
    }

    /// Where the time of tasks goes.
    private static func table(_ view: PhaseView, heading: String) -> [String] {
        let cells = PhaseCells(view)
        func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        return [
            "", "Where the time of a task goes\(heading.isEmpty ? "" : escaped(", " + heading)):", "",
            row([""] + cells.columns.map { escaped($0.title) }), row([":---"] + cells.columns.map { _ in "---:" }),
        ]
            + view.rows.map { one in
                row([escaped(one.name)] + cells.columns.map { escaped(cells.cell(one, $0)) })
            } + ["", escaped(cells.note)]
    }

    private static func table(_ view: SampledView) -> [String] {
        [
            "| benchmark | time/iteration [interval] | empty | scatter | samples | iterations/sample | trials | doubts |",
            "| :--- | ---: | ---: | ---: | ---: | ---: | ---: | :--- |",
        ]
            + view.entries.map { entry in
                let cells = SampledCells(entry)
                return "| "
                    + [
                        entry.name, cells.time, cells.empty, cells.scatter, cells.samples, cells.iterations,
                        cells.trials, cells.doubts,
                    ].map { escaped($0) }.joined(separator: " | ") + " |"
            }
    }

    /// What tasks or iterations cost; nothing where nothing is known.
    private static func costs(_ named: [(name: String, summary: BenchmarkSummary)], by unit: String) -> [String] {
        guard let table = CostTable(named.map(\.summary)) else { return [] }
        func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        return [
            "", "What \(CostTable.one(unit)) cost:", "",
            row([unit == "task" ? "strategy" : "benchmark"] + table.columns.map { escaped($0.title) }),
            row([":---"] + table.columns.map { _ in "---:" }),
        ]
            + zip(named, table.rows).map { one, costs in
                row([escaped(one.name)] + costs.map { $0.flatMap(CostText.cell).map(escaped) ?? "–" })
            } + ["", escaped(table.note(by: unit))]
    }

    /// What went wrong, and what is doubtful.
    private static func remarks(_ named: [(name: String, summary: BenchmarkSummary)]) -> [String] {
        let warnings = named.flatMap { name, summary in
            summary.warnings.map { "- \(escaped(name)): \(escaped($0))" }
        }
        let doubts = DoubtText.sentences(named.map { ($0.name, $0.summary.doubts) })
            .map { "- Doubt: \(escaped($0.names)): \(escaped($0.sentence))" }
        return warnings.isEmpty && doubts.isEmpty ? [] : [""] + warnings + doubts
    }

    /// Text as itself: what Markdown or the HTML inside it would read as a sign is set out of force.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in PlainText.oneLine(text).unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\\", "`", "*", "_", "{", "}", "[", "]", "|", "#", "~", "!", "@":
                result += "\\"
                result.unicodeScalars.append(character)
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
