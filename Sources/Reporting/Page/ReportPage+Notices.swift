import Analysis
import Results
import Words

/// What went wrong with benchmarks, and what makes their numbers doubtful, beside their results.
extension ReportPage {
    func warnings(_ named: [(name: String, summary: BenchmarkSummary)], _ html: inout HTML) {
        let hasTable = !FailureText.rows(named).isEmpty
        let warnings = named.flatMap { name, summary in
            // What stands in the table of failures is not told twice.
            let told = hasTable ? (summary.failureClasses ?? []).flatMap(\.sentences) : []
            return summary.warnings.filter { !told.contains($0) }.map { (name, PlainText.oneLine($0)) }
        }
        notice("Warnings", "notice grave", warnings, &html)
    }

    func doubts(_ named: [(name: String, summary: BenchmarkSummary)], _ html: inout HTML) {
        notice("Doubts", "notice slight", DoubtText.sentences(named.map { ($0.name, $0.summary.doubts) }), &html)
    }

    private func notice(
        _ title: String, _ style: String, _ sentences: [(names: String, sentence: String)], _ html: inout HTML
    ) {
        guard !sentences.isEmpty else { return }
        html.element("div", [(.class, style), (.role, "note")]) { html in
            html.element("h3", title)
            html.element("ul") { html in
                for (names, sentence) in sentences {
                    html.element("li") { html in
                        html.element("bdi", [(.class, "name")], names)
                        html.text(": ")
                        html.element("bdi", sentence)
                    }
                }
            }
        }
    }
}
