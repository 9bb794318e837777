import Analysis
import Results
import Words

/// How long the slowest responses took, up to p99.99: what loads are made for.
extension ReportPage {
    func tailTable(_ workload: WorkloadView, _ html: inout HTML) {
        guard let tails = TailTable(workload, data) else { return }
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "times")]) { html in
                html.element("caption", "Response times over trials")
                html.element("thead") { html in
                    html.element("tr") { html in
                        html.element("th", [(.scope, "col")], "Strategy")
                        for title in TailTable.titles { html.element("th", [(.scope, "col")], title) }
                    }
                }
                html.element("tbody") { html in
                    for row in tails.rows {
                        html.element("tr") { html in
                            html.element("th", [(.scope, "row")]) { $0.element("bdi", row.name) }
                            for cell in row.cells { number(cell, hint: nil, &html) }
                        }
                    }
                }
            }
        }
        let reasons = tails.reasons.isEmpty ? "" : " – marks what needs more: \(tails.reasons.joined(separator: "; "))."
        html.element("p", [(.class, "footnote")], tails.meaning + reasons)
    }
}
