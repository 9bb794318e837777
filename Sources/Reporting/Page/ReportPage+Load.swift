import Analysis
import Results
import Words

/// Benchmarks of growing load: what each contender keeps up with.
extension ReportPage {
    func load(_ section: LoadSection, suite: String?, _ html: inout HTML) {
        let view = section.view
        html.lineBreak()
        html.element("section", [(.id, section.anchor), (.class, "workload")]) { html in
            if let suite { html.element("p", [(.class, "suitename")], suite) }
            html.element("h2") { html in
                html.element("a", [(.class, "anchor"), (.href, "#" + section.anchor)]) {
                    $0.element("bdi", "Growing load: " + view.title)
                }
            }
            for (index, sentence) in view.sentences.enumerated() {
                html.element("p", [(.class, index == 0 ? "verdict" : "about")], sentence)
            }
            loadTable(view, &html)
            html.element("div", [(.class, "figures")]) { self.figure(section.figure, &$0) }
        }
    }

    private func loadTable(_ view: LoadView, _ html: inout HTML) {
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "costs")]) { html in
                html.element("caption", "What came of each rate")
                html.element("thead") { html in
                    html.element("tr") { html in
                        for title in [
                            "", "rate per s", "tasks/s", "kept", "response p50", "response p99", "lag p99",
                            "kept up with",
                        ] { html.element("th", [(.scope, "col")], title) }
                    }
                }
                html.element("tbody") { html in
                    for curve in view.family.curves {
                        let knee = curve.knee
                        for point in curve.points {
                            let isKept = knee.rate.map { point.rate <= $0 } ?? false
                            html.element("tr", knee.rate == point.rate ? [(.class, "leader")] : []) { html in
                                html.element("th", [(.scope, "row")]) { html in
                                    swatch(view.look(curve), &html)
                                    html.element("bdi", [(.class, "name")], PlainText.oneLine(curve.name))
                                }
                                number(LoadView.rate(point.rate), hint: nil, &html)
                                number(
                                    point.throughput.map { PlainNumber.significant($0) },
                                    hint: point.throughput == nil ? "no trial completed" : nil,
                                    &html)
                                number(
                                    point.kept.map { PlainNumber.significant($0 * 100) + " %" },
                                    hint: "of what arrived, in the same time", &html)
                                for time in [point.responseP50, point.responseP99, point.lagP99] {
                                    number(time.map { PlainDuration.text($0) }, hint: nil, &html)
                                }
                                html.element(
                                    "td", [(.class, isKept ? "number" : "number quiet")], isKept ? "yes" : "no")
                            }
                        }
                    }
                }
            }
        }
        html.element(
            "p", [(.class, "footnote")],
            LoadView.kneeMeaning.prefix(1).uppercased() + LoadView.kneeMeaning.dropFirst() + ".")
    }
}
