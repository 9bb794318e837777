import Results
import Words

/// Where the time of tasks goes, phase by phase, and why tasks failed.
extension ReportPage {
    func phaseTable(_ view: PhaseView, heading: String, _ html: inout HTML) {
        let cells = PhaseCells(view)
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "costs")]) { html in
                html.element("caption", "Where the time of a task goes" + (heading.isEmpty ? "" : ", " + heading))
                html.element("thead") { html in
                    html.element("tr") { html in
                        html.element("th", [(.scope, "col")], "")
                        for column in cells.columns {
                            html.element("th", [(.scope, "col"), (.title, column.hint)]) {
                                $0.element("bdi", column.title)
                            }
                        }
                    }
                }
                html.element("tbody") { html in
                    for row in view.rows {
                        html.element("tr") { html in
                            nameCell(row.name, row.look, PlainText.oneLine(row.description.id.description), &html)
                            for column in cells.columns {
                                html.element(
                                    "td",
                                    [
                                        (.class, view.segment(row, column) == nil ? "number quiet" : "number"),
                                        (.title, cells.hint(row, column)),
                                    ], cells.cell(row, column))
                            }
                        }
                    }
                }
            }
        }
        html.element("p", [(.class, "footnote")], cells.note)
    }

    private func nameCell(_ name: String, _ look: SeriesLook, _ hint: String, _ html: inout HTML) {
        html.element("th", [(.scope, "row"), (.title, hint)]) { html in
            swatch(look, &html)
            html.element("bdi", [(.class, "name")], name)
        }
    }

    /// Failed tasks by class and detail; nothing where no reason tells a class.
    func failureTable(_ named: [(name: String, summary: BenchmarkSummary)], _ html: inout HTML) {
        let rows = FailureText.rows(named)
        guard !rows.isEmpty else { return }
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "answer failures")]) { html in
                html.element("caption", "Tasks that failed, by class")
                html.element("thead") { html in
                    html.element("tr") { html in
                        for title in ["", "Class", "Tasks", "Of all tasks", "Detail"] {
                            html.element("th", [(.scope, "col")], title)
                        }
                    }
                }
                html.element("tbody") { html in
                    for row in rows {
                        html.element("tr") { html in
                            html.element("th", [(.scope, "row")]) {
                                $0.element("bdi", [(.class, "name")], row.benchmark)
                            }
                            html.element("td") { $0.element("bdi", row.class) }
                            html.element("td", [(.class, "number")], PlainNumber.grouped(row.count))
                            html.element("td", [(.class, "number")], PlainNumber.roughPercent(row.share))
                            html.element("td", [(.class, "words")]) { $0.element("bdi", row.details) }
                        }
                    }
                }
            }
        }
    }
}
