import Analysis
import Results
import Statistics
import Words

/// Cells of the tables, and the figures.
extension ReportPage {
    func nameCell(_ entry: WorkloadView.Entry, _ html: inout HTML) {
        html.element("th", [(.scope, "row"), (.title, PlainText.oneLine(entry.description.id.description))]) { html in
            swatch(entry.look, &html)
            html.element("bdi", [(.class, "name")], entry.name)
        }
    }

    /// A number, or a dash that tells why there is none.
    func number(_ text: String?, hint: String?, _ html: inout HTML) {
        let attributes: [(HTML.Attribute, String)] = [(.class, text == nil ? "number quiet" : "number")]
        html.element("td", attributes + (hint.map { [(.title, $0)] } ?? []), text ?? "–")
    }

    func percentile(_ name: String, _ value: Percentile?, _ reasons: inout [String], _ html: inout HTML) {
        let reason = EstimateText.reason(value)
        // Only the need, not the count, so that a footnote says it once.
        if let need = reason?.split(separator: ", ").first.map({ "\(name) " + $0 }), !reasons.contains(need) {
            reasons.append(need)
        }
        number(value?.value.map { PlainDuration.text($0) }, hint: reason, &html)
    }

    /// The ratio to the best as a bar from 0 to 1, with its interval as a line.
    func ratioBar(_ entry: WorkloadView.Entry, _ html: inout HTML) {
        guard let place = entry.place, place.isBest || place.ratioToBest != nil else { return }
        let ratio = place.ratioToBest
        func x(_ value: Double) -> Double { min(max(value, 0), 1.2) * 100 }
        func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        html.element(
            "svg",
            [(.class, "ratio"), (.viewBox, "0 0 124 14"), (.width, "124"), (.height, "14"), (.ariaHidden, "true")]
        ) { html in
            html.element("line", [(.class, "one"), (.x1, "100"), (.x2, "100"), (.y1, "0"), (.y2, "14")], "")
            html.element(
                "rect",
                [
                    (.x, "0"), (.y, "4"), (.height, "6"), (.rx, "1"), (.width, text(x(ratio?.median ?? 1))),
                    (.style, "fill:\(entry.look.lightColour)"),
                ], "")
            if let interval = ratio?.interval {
                html.element(
                    "line",
                    [
                        (.x1, text(x(interval.lower))), (.x2, text(max(x(interval.upper), x(interval.lower) + 1))),
                        (.y1, "7"), (.y2, "7"),
                        (.style, "stroke:\(entry.look.colour);stroke-width:2.5"),
                    ], "")
            }
        }
    }

    func figure(_ figure: Figure, _ html: inout HTML) {
        html.lineBreak()
        html.element("figure", [(.id, figure.name)]) { html in
            html.element("h3") { $0.element("bdi", figure.title) }
            if !figure.about.isEmpty { html.element("p", [(.class, "about")], figure.about) }
            if let picture = figure.picture {
                html.element("div", [(.class, "paper"), (.tabindex, "0")]) { $0.picture(picture) }
            } else if let failure = figure.failure {
                html.element("p", [(.class, "missing")]) { html in
                    html.element("b", "This plot is missing: ")
                    html.text(PlainText.oneLine(failure) + ". ")
                    html.text(
                        failure.hasPrefix("gnuplot ended") || failure.hasPrefix("gnuplot left")
                            ? "See what gnuplot says: cd plots && gnuplot \(figure.name).gnuplot"
                            : "To get it: \(Gnuplot.cure).")
                }
            } else if let reason = figure.nothingToDraw {
                html.element("p", [(.class, "missing")], "Nothing to draw: \(PlainText.oneLine(reason)).")
            }
            html.element("figcaption") { html in
                if !figure.caption.isEmpty { html.element("p", figure.caption) }
                if let remark = figure.remark { html.element("p", [(.class, "quiet")], "gnuplot remarked: \(remark)") }
                html.element("p", [(.class, "how")]) { html in
                    if !figure.howToRead.isEmpty { html.element("b", "How to read this. ") }
                    html.text(figure.howToRead)
                    if figure.hasScript {
                        html.text(" ")
                        html.element("span", [(.class, "files")]) { html in
                            if figure.picture != nil {
                                html.element("a", [(.href, "plots/\(figure.name).svg")], "picture")
                                html.text(" · ")
                            }
                            html.element("a", [(.href, "plots/\(figure.name).gnuplot")], "script")
                            html.text(" · ")
                            html.element("a", [(.href, "plots/\(figure.name).dat")], "data")
                        }
                    }
                }
            }
        }
    }
}
