import Analysis
import Glibc
import Results
import Statistics
import Words

/// What decides an experiment, drawn: lines along an axis of numbers where there is one, else a row for each compared value.
enum ExperimentPlot {
    static let kind = "experiment"

    static func howToRead(_ view: ExperimentView) -> String {
        let better = view.metric.direction == .lowerIsBetter ? "Lower" : "Higher"
        guard view.hasCurves else {
            return
                "The marker is the median over trials, the line through it from the least to the greatest of them, each faint dot "
                + "below one trial. \(better) is better."
        }
        return
            "A marker is the median over trials, the bar through it runs from the least to the greatest of them; markers of one place "
            + "stand beside one another. \(better) is better; what bars leave open, the sentences decide."
    }

    static func draw(_ view: ExperimentView, _ facet: ExperimentView.Facet, _ frame: PlotFrame) -> PlotDrawing {
        let numbers = facet.conditions.flatMap(\.members).flatMap(\.values.values)
        guard !numbers.isEmpty else { return .nothing(reason: "no trial has a number") }
        return view.hasCurves ? lines(view, facet, frame, numbers) : rows(view, facet, frame, numbers)
    }

    private static func title(_ view: ExperimentView, _ facet: ExperimentView.Facet) -> String {
        view.identity + (facet.title.isEmpty ? "" : " with " + facet.title)
    }

    // MARK: Lines

    private struct Curve {
        var name: String
        var look: SeriesLook
        /// Along, median, least, greatest.
        var points: [(Double, Double, Double, Double)]
    }

    /// How far a curve is drawn beside its places, so that the bars of others do not hide its own. The data keep the places.
    private struct Aside {
        /// What is added to a place, on a logarithmic axis to its logarithm.
        private var shift: Double
        private var isLogarithmic: Bool

        init(_ index: Int, of count: Int, on axis: PlotAxis) {
            let share = (Double(index) - Double(count - 1) / 2) * min(0.006, 0.05 / Double(count))
            isLogarithmic = axis.isLogarithmic
            shift = share * (isLogarithmic ? log10(axis.upper / axis.lower) : axis.upper - axis.lower)
        }

        func moved(_ place: Double) -> Double { isLogarithmic ? place * pow(10, shift) : place + shift }

        /// The same as gnuplot computes it.
        var columns: String {
            isLogarithmic
                ? "($1*\(GnuplotScript.number(pow(10, shift)))):2" : "($1+(\(GnuplotScript.number(shift)))):2"
        }
    }

    private static func lines(
        _ view: ExperimentView, _ facet: ExperimentView.Facet, _ frame: PlotFrame, _ numbers: [Double]
    ) -> PlotDrawing {
        let curves = view.result.contenders.compactMap { name -> Curve? in
            let points = facet.conditions.compactMap { condition -> (Double, Double, Double, Double)? in
                guard let along = condition.along, let member = condition.members.first(where: { $0.name == name }),
                    let estimate = member.estimate, let least = member.values.values.min(),
                    let greatest = member.values.values.max()
                else { return nil }
                return (along, estimate.median, least, greatest)
            }
            guard !points.isEmpty else { return nil }
            return Curve(
                name: name, look: view.looks[name] ?? SeriesLook(number: 0), points: points.sorted { $0.0 < $1.0 })
        }
        guard !curves.isEmpty else { return .nothing(reason: "no trial has a number") }
        let height = max(360, 90 + 17 * curves.count)
        let x = PlotAxis.places(facet.conditions.compactMap(\.along))
        let y = PlotAxis.quantity(numbers, unit: view.metric.unit)
        var file = PlotData("\(title(view, facet)): \(view.metricTitle), \(view.metric.unit)")
        var script = GnuplotScript(
            name: frame.name, about: title(view, facet), width: PlotFrame.width, height: height, roundCaps: true)
        script.margins(left: 0.085, right: 0.74, top: 1 - 30 / Double(height), bottom: 52 / Double(height))
        script.axis("x", x)
        script.axis("y", y)
        let along = view.result.description.along ?? ""
        script.label(
            along + (x.isLogarithmic ? ", logarithmic" : ""), .graph(0.5), .screen(12 / Double(height)), .centre,
            size: 11, colour: GnuplotScript.faintInk)
        script.label(
            view.metricTitle + (y.unit.map { " (\($0))" } ?? "") + (y.isLogarithmic ? ", logarithmic" : ", from zero"),
            .screen(0.012), .screen(1 - 13 / Double(height)), size: 11, colour: GnuplotScript.faintInk)
        let places = LabelPlaces.spread(
            curves.map { y.share(of: $0.points.last?.1 ?? 0) },
            distance: min(17 / Double(height - 82), 1 / Double(curves.count)))
        var elements: [String] = []
        for (index, curve) in curves.enumerated() {
            let aside = Aside(index, of: curves.count, on: x)
            if let last = curve.points.last {
                script.line(
                    (.first(aside.moved(last.0)), .first(y.drawn(last.1))), (.graph(1.02), .graph(places[index])),
                    colour: "#c4c4c4", width: 0.75)
            }
            script.marker(curve.look, .graph(1.032), .graph(places[index]))
            script.label(curve.name, .graph(1.05), .graph(places[index]), size: 11, columns: 30)
            if let set = file.add(
                "least to greatest trial of \(curve.name)", columns: "\(along) value",
                segments: curve.points.map { ($0.0, y.drawn($0.2), $0.0, y.drawn($0.3)) })
            {
                elements.append(
                    "data index \(set) using \(aside.columns) with lines linewidth 2.5 linecolor rgb '\(curve.look.lightColour)' notitle"
                )
            }
            if let set = file.add(
                curve.name, columns: "\(along) median", rows: curve.points.map { [$0.0, y.drawn($0.1)] })
            {
                elements.append(
                    "data index \(set) using \(aside.columns) with linespoints linewidth 1.6 dashtype \(curve.look.dash) "
                        + "pointtype \(curve.look.marker) pointsize 0.8 linecolor rgb '\(curve.look.colour)' notitle"
                )
            }
        }
        script.plot(elements)
        return .ready(
            script: script.text, data: file.bytes, caption: caption(view, facet),
            description:
                "Lines: \(view.metricTitle) along \(along) for \(curves.count) of them. \(caption(view, facet))")
    }

    // MARK: Rows

    private static func rows(
        _ view: ExperimentView, _ facet: ExperimentView.Facet, _ frame: PlotFrame, _ numbers: [Double]
    ) -> PlotDrawing {
        let condition = facet.conditions[0]
        let order = Dictionary(
            condition.ranking.places.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let members = condition.members.filter { $0.estimate != nil }
            .sorted { (order[$0.name] ?? .max) < (order[$1.name] ?? .max) }
        let height = 78 + 30 * members.count
        let axis = PlotAxis.quantity(numbers, unit: view.metric.unit)
        var file = PlotData("\(title(view, facet)): \(view.metricTitle), \(view.metric.unit)")
        var script = GnuplotScript(
            name: frame.name, about: title(view, facet), width: PlotFrame.width, height: height, roundCaps: true)
        script.margins(left: 0.235, right: 0.76, top: 1 - 26 / Double(height), bottom: 48 / Double(height))
        script.axis("x", axis)
        script.add("set border 1")
        script.add("set yrange [\(-Double(members.count) + 0.4):0.6]")
        script.add("unset ytics")
        let scale = axis.isLogarithmic ? "logarithmic axis" : "axis from zero"
        script.label(
            view.metricTitle + (axis.unit.map { " (\($0))" } ?? "") + ", \(scale)", .graph(0.5),
            .screen(12 / Double(height)), .centre, size: 11, colour: GnuplotScript.faintInk)
        script.label(
            "median [interval]", .screen(0.775), .screen(1 - 13 / Double(height)), size: 11,
            colour: GnuplotScript.faintInk)
        var elements: [String] = []
        for (index, member) in members.enumerated() {
            guard let estimate = member.estimate else { continue }
            let row = -Double(index)
            let look = view.look(member)
            let values = member.values.sorted { $0.key < $1.key }.map(\.value)
            script.label(member.name, .screen(0.225), .first(row), .right, columns: 30)
            script.label(view.text(estimate), .screen(0.775), .first(row), size: 11)
            if let set = file.add(
                "trials of \(member.name)", columns: "value row", rows: values.map { [axis.drawn($0), row - 0.3] })
            {
                elements.append(
                    "data index \(set) with points pointtype 7 pointsize 0.35 linecolor rgb '\(look.lightColour)' notitle"
                )
            }
            if let least = values.min(), let greatest = values.max(),
                let set = file.add(
                    "least to greatest trial of \(member.name)", columns: "value row",
                    segments: [(axis.drawn(least), row, axis.drawn(greatest), row)])
            {
                elements.append("data index \(set) with lines linewidth 3 linecolor rgb '\(look.colour)' notitle")
            }
            if let set = file.add(
                "median of \(member.name)", columns: "value row", rows: [[axis.drawn(estimate.median), row]])
            {
                elements.append(
                    "data index \(set) with points pointtype \(look.marker) pointsize 1.0 linecolor rgb '\(look.colour)' notitle"
                )
            }
        }
        script.plot(elements)
        return .ready(
            script: script.text, data: file.bytes, caption: caption(view, facet),
            description: "Dots: \(view.metricTitle) of \(members.count). \(caption(view, facet))")
    }

    private static func caption(_ view: ExperimentView, _ facet: ExperimentView.Facet) -> String {
        facet.conditions.last.map { view.finding($0) } ?? ""
    }
}
