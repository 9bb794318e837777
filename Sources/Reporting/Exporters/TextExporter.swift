import Analysis
import Results
import Statistics
import Words

/// Tables for a terminal, each workload with its answer.
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

        for workload in WorkloadView.all(data, summaries) {
            lines.append("")
            lines.append(style.emphasised(style.wrapped(workload.title), .bold))
            lines.append(style.wrapped(workload.rankingSentence))
            for sentence in workload.workerGrowthSentences { lines.append(style.wrapped(sentence)) }
            let (table, leftOut) = table(workload).lines(style)
            lines += table
            if !leftOut.isEmpty {
                lines.append(
                    style.emphasised(
                        style.wrapped("(too narrow for: \(leftOut.joined(separator: ", ")); --format csv has all)"),
                        .faint))
            }
            for entry in workload.entries {
                for warning in entry.summary.warnings {
                    lines.append(
                        style.emphasised(
                            style.wrapped("\(entry.name): \(PlainText.oneLine(warning))", indent: 2), .caution))
                }
            }
        }
        let meaning = WorkloadView.rankMeaning
        lines += [
            "", style.emphasised(style.wrapped(meaning.prefix(1).uppercased() + meaning.dropFirst() + "."), .faint),
        ]
        return lines.joined(separator: "\n") + "\n"
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
