import Results
import Words

/// What tasks and iterations cost, and what could not be measured.
extension ReportPage {
    /// A table of costs; nothing where nothing is known.
    ///
    /// - Parameters:
    ///   - unit: what a row's numbers are by: “task” or “iteration”.
    ///   - name: makes the first cell of a row.
    func costTable(
        _ summaries: [BenchmarkSummary], by unit: String, _ html: inout HTML, name: (Int, inout HTML) -> Void
    ) {
        guard let table = CostTable(summaries) else { return }
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "costs")]) { html in
                html.element("caption", "What \(CostTable.one(unit)) cost")
                html.element("thead") { html in
                    html.element("tr") { html in
                        html.element("th", [(.scope, "col")], "")
                        for column in table.columns {
                            html.element(
                                "th",
                                [
                                    (.scope, "col"),
                                    (.title, PlainText.oneLine(column.metrics.joined(separator: " or "))),
                                ],
                                PlainText.oneLine(column.title))
                        }
                    }
                }
                html.element("tbody") { html in
                    for (index, row) in table.rows.enumerated() {
                        html.element("tr") { html in
                            name(index, &html)
                            for cost in row {
                                number(
                                    cost.flatMap { CostText.cell($0) },
                                    hint: cost.map { CostText.hint($0) }
                                        ?? "not measured; the reason stands under “Could not be measured”", &html)
                            }
                        }
                    }
                }
            }
        }
        html.element("p", [(.class, "footnote")], table.note(by: unit))
    }

    /// All that could not be measured, with its reasons.
    func unmeasured(_ html: inout HTML) {
        let entries = Unmeasured(summaries).entries
        guard !entries.isEmpty else { return }
        html.lineBreak()
        html.element("section", [(.id, "unmeasured")]) { html in
            html.element("h2", "Could not be measured")
            html.element(
                "p", [(.class, "about")],
                "These have no number, which is not zero: they are left out of tables and plots. In samples.csv they have a status and no value."
            )
            html.element("ul") { html in
                for entry in entries {
                    html.element("li") { html in
                        html.element("b", entry.metrics.map { PlainText.oneLine($0) }.joined(separator: ", "))
                        html.text(": \(PlainText.oneLine(CostText.gap(entry.reading)))")
                        if let remedy = entry.reading.remedy { html.text(" → \(PlainText.oneLine(remedy))") }
                        html.element(
                            "span", [(.class, "quiet")], " (\(Unmeasured.benchmarks(entry, of: summaries.count)))")
                    }
                }
            }
        }
    }
}
