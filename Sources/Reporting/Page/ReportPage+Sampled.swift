import Results
import Words

/// The code of a suite that was timed in batches: its table, its warnings and doubts, and a plot of each benchmark.
extension ReportPage {
    func sampled(_ section: SampledSection, suite: String, _ html: inout HTML) {
        let view = section.view
        let named = view.entries.map { ($0.name, $0.summary) }
        html.lineBreak()
        html.element("section", [(.id, section.anchor), (.class, "workload")]) { html in
            html.element("p", [(.class, "suitename")], suite)
            html.element("h2") { html in
                html.element("a", [(.class, "anchor"), (.href, "#" + section.anchor)], "Code timed in batches")
            }
            html.element(
                "p", [(.class, "declaration")], "Timed so: \(PlainText.oneLine(view.sampling.joined(separator: " / ")))"
            )
            let isTimed = run.configuration.trials > 0
            if isTimed { sampledTable(section, &html) }
            costTable(view.entries.map(\.summary), by: "iteration", &html) { index, html in
                html.element("th", [(.scope, "row"), (.title, view.entries[index].title)]) {
                    $0.element("bdi", [(.class, "name")], view.entries[index].shortTitle)
                }
            }
            warnings(named, &html)
            doubts(named, &html)
            html.element("div", [(.class, "figures")]) { html in
                html.element("p", [(.class, "how")]) { html in
                    html.element("b", "How to read the plots. ")
                    html.text(SamplesOverTimePlot.howToRead)
                }
                for figure in section.figures where isTimed { self.figure(figure, &html) }
            }
        }
    }

    private func sampledTable(_ section: SampledSection, _ html: inout HTML) {
        let titles = [
            ("Benchmark", ""), ("Time per iteration [interval]", "median over trials"),
            ("Empty iteration", "what was subtracted: an iteration that does nothing, in the same loop"),
            ("Scatter", "median absolute deviation of the samples inside a trial, as a share of their median"),
            ("Samples", "of all completed trials"), ("Iterations a sample", "median over all samples"),
            ("Trials", "completed of planned"), ("Doubts", "in full below"),
        ]
        let anchors = Dictionary(
            zip(section.view.entries.map(\.description.id), section.figures.map(\.name)),
            uniquingKeysWith: { first, _ in first })
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "batches")]) { html in
                html.element("thead") { html in
                    html.element("tr") { html in
                        for (title, hint) in titles {
                            html.element("th", [(.scope, "col")] + (hint.isEmpty ? [] : [(.title, hint)]), title)
                        }
                    }
                }
                html.element("tbody") { html in
                    for entry in section.view.entries { sampledRow(entry, anchors[entry.description.id], &html) }
                }
            }
        }
        html.element(
            "p", [(.class, "footnote")],
            SampledCells.timeMeaning.prefix(1).uppercased() + SampledCells.timeMeaning.dropFirst() + "; "
                + SampledCells.scatterMeaning + ".")
    }

    private func sampledRow(_ entry: SampledView.Entry, _ anchor: String?, _ html: inout HTML) {
        let cells = SampledCells(entry)
        let none = "no completed trial left a sample"
        let iteration = entry.summary.iteration
        func known(_ text: String) -> String? { iteration == nil ? nil : text }
        html.element("tr") { html in
            html.element("th", [(.scope, "row"), (.title, entry.title)]) { html in
                html.element("a", [(.href, "#" + (anchor ?? ""))]) {
                    $0.element("bdi", [(.class, "name")], entry.shortTitle)
                }
            }
            number(known(cells.time), hint: iteration.map(\.time.doubt) ?? none, &html)
            number(
                iteration?.empty == nil ? nil : cells.empty,
                hint: iteration == nil ? none : iteration?.empty == nil ? "no empty batch was timed" : nil, &html)
            number(known(cells.scatter), hint: iteration == nil ? none : nil, &html)
            number(known(cells.samples), hint: iteration == nil ? none : nil, &html)
            number(known(cells.iterations), hint: iteration == nil ? none : nil, &html)
            html.element(
                "td", [(.class, entry.summary.trialsFailed > 0 ? "number bad" : "number")], cells.trials)
            html.element("td", [(.class, "doubts")], cells.doubts)
        }
    }

    /// The rows of the first screen on code that was timed in batches.
    func sampledAnswer(_ html: inout HTML) {
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "answer batches")]) { html in
                html.element("thead") { html in
                    html.element("tr") { html in
                        for title in ["Code timed in batches", "Time per iteration", "Doubts"] {
                            html.element("th", [(.scope, "col")], title)
                        }
                    }
                }
                html.element("tbody") { html in
                    for section in sampledSections {
                        html.element("tr", [(.class, "suite")]) {
                            $0.element(
                                "th", [(.colspan, "3"), (.scope, "rowgroup")], PlainText.oneLine(section.view.suite))
                        }
                        for entry in section.view.entries { sampledAnswerRow(entry, section, &html) }
                    }
                }
            }
        }
        html.element(
            "p", [(.class, "footnote")],
            SampledCells.timeMeaning.prefix(1).uppercased() + SampledCells.timeMeaning.dropFirst() + ".")
    }

    private func sampledAnswerRow(_ entry: SampledView.Entry, _ section: SampledSection, _ html: inout HTML) {
        let cells = SampledCells(entry)
        html.element("tr") { html in
            html.element("th", [(.scope, "row")]) { html in
                html.element("a", [(.href, "#" + section.anchor)]) { $0.element("bdi", entry.shortTitle) }
            }
            html.element("td", [(.class, "number")], cells.time)
            html.element("td", [(.class, "words")]) { html in
                if entry.summary.iteration == nil {
                    html.element(
                        "span", [(.class, "quiet")],
                        entry.summary.trialsPlanned == 0
                            ? "not timed: this run only counts" : "no completed trial left a sample")
                } else {
                    html.text(cells.doubts.isEmpty ? "none found" : cells.doubts)
                }
            }
        }
    }
}
