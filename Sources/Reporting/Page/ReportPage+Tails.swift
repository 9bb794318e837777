import Analysis
import Results
import Words

/// How long the slowest responses took, up to p99.99: what loads are made for.
extension ReportPage {
    /// - Parameter heading: under which conditions; empty where there is nothing to say.
    func tailTable(_ tails: TailTable, heading: String = "", _ html: inout HTML) {
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "times")]) { html in
                html.element("caption", "Response times over trials" + (heading.isEmpty ? "" : ", " + heading))
                html.element("thead") { html in
                    html.element("tr") { html in
                        html.element("th", [(.scope, "col")], tails.compares)
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
