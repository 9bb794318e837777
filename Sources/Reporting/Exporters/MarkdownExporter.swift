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
        for workload in WorkloadView.all(data, summaries) {
            lines += ["", "## \(escaped(workload.title))", "", escaped(workload.rankingSentence)]
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
            let warnings = workload.entries.flatMap { entry in
                entry.summary.warnings.map { "- \(escaped(entry.name)): \(escaped($0))" }
            }
            if !warnings.isEmpty { lines += [""] + warnings }
        }
        let meaning = WorkloadView.rankMeaning
        lines += ["", escaped(meaning.prefix(1).uppercased() + meaning.dropFirst() + ".")]
        return lines.joined(separator: "\n") + "\n"
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
