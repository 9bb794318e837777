import Analysis
import Results
import Statistics
import Words

/// Tables for a terminal, each workload with its answer, and the code that was timed in batches suite by suite.
enum TextExporter: ResultExporter {
    static let name = "text"

    static func export(_ data: RunData, _ summaries: [BenchmarkSummary], style: TextStyle) -> String {
        var lines: [String] = []
        let run = data.run
        lines.append(
            style.emphasised(
                style.wrapped(
                    "Run of \(PlainText.oneLine(run.originUTC)), revision \(PlainText.oneLine(run.revision.short))"),
                .bold))
        let suspicions = Suspicions(data, summaries)
        for sentence in suspicions.grave {
            lines.append(style.emphasised(style.wrapped("! " + PlainText.oneLine(sentence)), .caution))
        }
        for sentence in suspicions.slight {
            lines.append(style.emphasised(style.wrapped("· " + PlainText.oneLine(sentence)), .faint))
        }
        for sentence in InstrumentText.sentences(run) {
            lines.append(style.emphasised(style.wrapped(sentence), .faint))
        }

        for view in ExperimentView.all(data, summaries) {
            lines += experiment(view, style)
            var meaning = ""
            for facet in view.facets {
                guard let tails = TailTable(view, facet, data) else { continue }
                lines += self.lines(tails, heading: facet.title, explained: tails.meaning != meaning, style)
                meaning = tails.meaning
            }
            for facet in view.facets {
                guard let phases = PhaseView(view, facet) else { continue }
                if !facet.title.isEmpty { lines.append(style.wrapped(facet.title, indent: 2)) }
                lines += Self.lines(phaseTable(phases), [], style)
            }
        }
        for view in LoadView.all(data, summaries) {
            lines += ["", style.emphasised(style.wrapped("\(view.suite), growing load: \(view.title)"), .bold)]
            lines += view.sentences.map { style.wrapped($0) }
        }
        let workloads = WorkloadView.all(data, summaries)
        for workload in workloads {
            lines.append("")
            lines.append(style.emphasised(style.wrapped(workload.title), .bold))
            lines.append(style.wrapped(workload.rankingSentence))
            if let advice = workload.adviceSentence { lines.append(style.wrapped(advice)) }
            for sentence in workload.workerGrowthSentences { lines.append(style.wrapped(sentence)) }
            let named = workload.entries.map { (name: $0.name, summary: $0.summary) }
            if !workload.isOnlyCounted { lines += Self.lines(table(workload), named, style) }
            if let tails = TailTable(workload, data) {
                lines += self.lines(tails, heading: "", explained: true, style)
            }
            if let phases = PhaseView(workload) { lines += Self.lines(phaseTable(phases), [], style) }
            if let counts = countTable(named, by: "task") {
                lines += Self.lines(counts, workload.isOnlyCounted ? named : [], style)
            }
        }
        for view in SampledView.all(data, summaries) {
            lines += [
                "",
                style.emphasised(
                    style.wrapped(
                        "\(PlainText.oneLine(view.suite)): \(run.configuration.trials > 0 ? "code timed in batches" : "iterations")"
                    ),
                    .bold),
            ]
            let named = view.entries.map { (name: $0.name, summary: $0.summary) }
            let isTimed = named.contains { $0.summary.trialsPlanned > 0 }
            if isTimed { lines += Self.lines(table(view), named, style) }
            if let counts = countTable(named, by: "iteration") {
                lines += Self.lines(counts, isTimed ? [] : named, style)
            }
        }
        if let sentence = Unmeasured.askedFor(data.run, summaries) {
            lines += ["", style.emphasised(style.wrapped(sentence), .caution)]
        }
        var footnotes: [String] = []
        if !workloads.isEmpty, !workloads.allSatisfy(\.isOnlyCounted) { footnotes.append(WorkloadView.rankMeaning) }
        if !data.sampledBenchmarks.isEmpty, run.configuration.trials > 0 {
            footnotes += [SampledCells.timeMeaning, SampledCells.scatterMeaning]
        }
        if summaries.contains(where: { !($0.doubts ?? []).isEmpty }) {
            footnotes.append("doubts stand in full, with what to do about them, on the page and in --format markdown")
        }
        if !footnotes.isEmpty { lines.append("") }
        for note in footnotes {
            lines.append(
                style.emphasised(style.wrapped(note.prefix(1).uppercased() + note.dropFirst() + "."), .faint))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// An experiment: its question, and what was found under each condition.
    private static func experiment(_ view: ExperimentView, _ style: TextStyle) -> [String] {
        ["", style.emphasised(style.wrapped("\(PlainText.oneLine(view.identity)): \(view.question)"), .bold)]
            + [style.wrapped(view.finding)]
            + view.otherConditions.map { style.wrapped("· " + view.finding($0), indent: 2) }
    }

    /// How long the slowest responses took, and what that means where nothing above has said it.
    private static func lines(
        _ tails: TailTable, heading: String, explained: Bool, _ style: TextStyle
    ) -> [String] {
        (explained ? ["", style.wrapped(tails.meaning)] : [""])
            + (heading.isEmpty ? [] : [style.wrapped(heading, indent: 2)]) + lines(tails.text, [], style)
            + (tails.reasons.isEmpty ? [] : [style.wrapped("– where \(PlainText.list(tails.reasons))", indent: 2)])
    }

    /// A table, and below it what did not fit, what went wrong and what is doubtful.
    private static func lines(
        _ table: TextTable, _ named: [(name: String, summary: BenchmarkSummary)], _ style: TextStyle
    ) -> [String] {
        var (lines, leftOut) = table.lines(style)
        if !leftOut.isEmpty {
            lines.append(
                style.emphasised(
                    style.wrapped("(too narrow for: \(leftOut.joined(separator: ", ")); --format csv has all)"), .faint)
            )
        }
        for (name, summary) in named {
            for warning in summary.warnings {
                lines.append(
                    style.emphasised(style.wrapped("\(name): \(PlainText.oneLine(warning))", indent: 2), .caution))
            }
        }
        if let doubts = DoubtText.short(named.map { ($0.name, $0.summary.doubts) }) {
            lines.append(style.emphasised(style.wrapped("Doubts: \(doubts)", indent: 2), .caution))
        }
        return lines
    }

    private static func table(_ view: SampledView) -> TextTable {
        var table = TextTable(columns: [
            .init(title: "benchmark", right: false, dispensability: 0),
            .init(title: "time/iteration [interval]", right: true, dispensability: 0),
            .init(title: "empty", right: true, dispensability: 1),
            .init(title: "scatter", right: true, dispensability: 2),
            .init(title: "samples", right: true, dispensability: 3),
            .init(title: "iterations/sample", right: true, dispensability: 4),
            .init(title: "trials", right: true, dispensability: 5),
        ])
        for entry in view.entries {
            let cells = SampledCells(entry)
            table.rows.append([
                entry.name, cells.time, cells.empty, cells.scatter, cells.samples, cells.iterations, cells.trials,
            ])
        }
        return table
    }

    private static func table(_ workload: WorkloadView) -> TextTable {
        var table = TextTable(columns: [
            .init(title: "rank", right: true, dispensability: 0),
            .init(title: "strategy", right: false, dispensability: 0),
            .init(title: "tasks/s [interval]", right: true, dispensability: 0),
            .init(title: "to best", right: true, dispensability: 2),
            .init(title: "spent p50", right: true, dispensability: 1),
            .init(title: "p99", right: true, dispensability: 3),
            .init(title: "wait p50", right: true, dispensability: 4),
            .init(title: "p99", right: true, dispensability: 5),
            .init(title: "CPU/task", right: true, dispensability: 6),
            .init(title: "ok", right: true, dispensability: 8),
            .init(title: "not ok", right: true, dispensability: 7),
        ])
        for (index, entry) in workload.entries.enumerated() {
            let summary = entry.summary
            if entry.standing == .best { table.highlighted.insert(index) }
            table.rows.append([
                entry.standing.text, entry.name,
                summary.throughput.map { EstimateText.plain($0) } ?? "–",
                entry.place.flatMap { $0.isBest ? "1×" : $0.ratioToBest.map { PlainNumber.times($0.median) } } ?? "–",
                EstimateText.percentile(summary.spent?.p50), EstimateText.percentile(summary.spent?.p99),
                EstimateText.percentile(summary.wait?.p50), EstimateText.percentile(summary.wait?.p99),
                summary.processorTimePerTask.map { PlainDuration.text($0.median) } ?? "–",
                PlainNumber.grouped(summary.tasks.ok),
                PlainNumber.grouped(summary.tasks.submitted - summary.tasks.ok),
            ])
        }
        return table
    }
}
