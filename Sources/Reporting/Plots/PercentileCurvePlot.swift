import Analysis
import Glibc
import Results
import Statistics
import Words

/// Spent by percentile, one curve a strategy, on an axis of 1 − p that gives the slow tail its room.
enum PercentileCurvePlot: ReportPlot {
    static let kind = "percentiles"
    static let title = "Percentiles of spent"
    static let howToRead =
        "At 99 % a curve stands at the time that 99 of 100 tasks did not exceed: lower is better, and a curve that turns up late has a rare slow tail. "
        + "Each curve ends where fewer than ten tasks would lie beyond it."

    private struct Curve {
        var entry: WorkloadView.Entry
        var count: Int
        /// (1 − p, spent)
        var points: [(Double, Double)]
        var marks: [(Double, Double)]
        var zeros: Int
    }

    static func draw(_ workload: WorkloadView, _ data: RunData, _ frame: PlotFrame) -> PlotDrawing {
        let measured = workload.measured
        let steps = min(max(frame.segments / max(measured.count, 1), 24), 140)
        let curves = measured.compactMap { curve(of: $0, data, steps: steps) }
        guard !curves.isEmpty else { return .nothing(reason: "no task ended in a completed trial") }

        let axis = PlotAxis.time(curves.flatMap { $0.points.map(\.1) })
        let shortest = curves.compactMap { $0.points.last?.0 }.min() ?? 0.5
        let end = min(shortest / 1.15, 0.35)
        let height = max(400, 90 + 17 * curves.count)
        var file = PlotData("percentiles of spent, \(workload.title)")
        var script = GnuplotScript(
            name: frame.name, about: "percentiles of spent, \(workload.title)", width: PlotFrame.width, height: height,
            roundCaps: true)
        let top = 1 - 30 / Double(height)
        let bottom = 52 / Double(height)
        script.margins(left: 0.085, right: 0.74, top: top, bottom: bottom)
        // Larger p to the right: 1 − p runs backwards.
        script.add("set logscale x")
        script.add("set xrange [0.5:\(GnuplotScript.number(end))]")
        script.ticks("x", percentTicks(downTo: end))
        script.add("set grid xtics lt 1 lw 1 lc rgb '\(GnuplotScript.grid)'")
        script.axis("y", axis)
        script.label(
            "share of tasks that did not take longer", .graph(0.5), .screen(12 / Double(height)), .centre, size: 11,
            colour: GnuplotScript.faintInk)
        script.label(
            "spent" + (axis.unit.map { " (\($0))" } ?? "") + (axis.isLogarithmic ? ", logarithmic" : ", from zero"),
            .screen(0.012), .screen(1 - 13 / Double(height)), size: 11, colour: GnuplotScript.faintInk)

        var lines: [String] = []
        var marks: [String] = []
        for curve in curves {
            let look = curve.entry.look
            if let set = file.add(
                "\(curve.entry.strategy), n = \(curve.count) tasks", columns: "one_minus_p spent_ns",
                rows: curve.points.map { [$0.0, axis.drawn($0.1)] })
            {
                lines.append(
                    "data index \(set) with lines linewidth 2 dashtype \(look.dash) linecolor rgb '\(look.colour)' notitle"
                )
            }
            if let set = file.add(
                "marks of \(curve.entry.strategy)", columns: "one_minus_p spent_ns",
                rows: curve.marks.map { [$0.0, axis.drawn($0.1)] })
            {
                marks.append(
                    "data index \(set) with points pointtype \(look.marker) pointsize 0.7 linecolor rgb '\(look.colour)' notitle"
                )
            }
        }
        label(curves, axis, end, plotHeight: (top - bottom) * Double(height), &script)
        script.plot(lines + marks)
        let caption = caption(curves, axis)
        return .ready(
            script: script.text, data: file.bytes, caption: caption,
            description: "Curves of spent by percentile for \(curves.count) strategies. \(caption)")
    }

    private static func curve(of entry: WorkloadView.Entry, _ data: RunData, steps: Int) -> Curve? {
        // One benchmark's values at a time: the copy is gone before the next is made.
        var values: [Int64] = []
        for trial in data.completedTrials(of: entry.description.id) {
            guard let columns = data.tasks[trial.number] else { continue }
            values.reserveCapacity(values.count + columns.count)
            for index in 0..<columns.count { values.append(columns.spent(index)) }
        }
        guard !values.isEmpty else { return nil }
        values.sort()
        func point(_ tail: Double) -> (Double, Double) { (tail, Double(nearestRank(1 - tail, ofSorted: values))) }
        // The last percentile that the count supports: ten tasks lie beyond it.
        let last = min(10 / Double(values.count), 0.5)
        var points = [point(0.5)]
        if last < 0.5 {
            for step in 1...steps { points.append(point(0.5 * pow(last / 0.5, Double(step) / Double(steps)))) }
        }
        let marks = [0.5, 0.1, 0.01, 0.001].filter { values.count >= valuesNeeded(forPercentile: 1 - $0) }.map(point)
        // A curve goes through its own marks.
        points = (points + marks).sorted { $0.0 > $1.0 }
        return Curve(
            entry: entry, count: values.count, points: points, marks: marks,
            zeros: values.prefix { $0 <= 0 }.count)
    }

    private static func percentTicks(downTo end: Double) -> [PlotAxis.Tick] {
        var ticks = [PlotAxis.Tick(position: 0.5, label: "50 %")]
        for power in 1...9 {
            let tail = pow(10, -Double(power))
            if tail >= end { ticks.append(PlotAxis.Tick(position: tail, label: PlainNumber.percent(1 - tail))) }
        }
        if ticks.count < 4, end <= 0.25 { ticks.insert(PlotAxis.Tick(position: 0.25, label: "75 %"), at: 1) }
        return ticks
    }

    /// Names beside the curves' ends, moved apart until none covers another, each with a thin line to its end.
    private static func label(
        _ curves: [Curve], _ axis: PlotAxis, _ end: Double, plotHeight: Double, _ script: inout GnuplotScript
    ) {
        let ends = curves.map { axis.share(of: $0.points.last?.1 ?? 0) }
        let places = LabelPlaces.spread(ends, distance: min(17 / plotHeight, 1 / Double(max(curves.count, 1))))
        for (index, curve) in curves.enumerated() {
            guard let last = curve.points.last else { continue }
            script.line(
                (.first(last.0), .first(axis.drawn(last.1))), (.graph(1.02), .graph(places[index])), colour: "#c4c4c4",
                width: 0.75)
            script.marker(curve.entry.look, .graph(1.032), .graph(places[index]))
            script.label(
                PlainText.oneLine(curve.entry.strategy, columns: 22) + "  n = \(PlainNumber.grouped(curve.count))",
                .graph(1.05), .graph(places[index]), size: 11)
        }
    }

    private static func caption(_ curves: [Curve], _ axis: PlotAxis) -> String {
        var text = ""
        let medians = curves.compactMap { curve in curve.marks.first.map { (curve, $0.1) } }
        if let fastest = medians.min(by: { $0.1 < $1.1 }) {
            text += "Half of the tasks of \(fastest.0.entry.name) spent \(PlainDuration.text(fastest.1)) or less"
            if let slowest = medians.max(by: { $0.1 < $1.1 }), slowest.1 > fastest.1 {
                text += ", of \(slowest.0.entry.name) \(PlainDuration.text(slowest.1)) or less"
            }
            text += "."
        }
        let tails = curves.filter { $0.marks.count >= 3 }.map { ($0, $0.marks[2].1) }
        if let least = tails.min(by: { $0.1 < $1.1 }) {
            text += " The 99th percentile is lowest with \(least.0.entry.name), \(PlainDuration.text(least.1))"
            if let most = tails.max(by: { $0.1 < $1.1 }), most.1 > least.1 {
                text += ", and highest with \(most.0.entry.name), \(PlainDuration.text(most.1))"
            }
            text += "."
        }
        let zeros = curves.reduce(0) { $0 + $1.zeros }
        if zeros > 0, axis.isLogarithmic {
            text += " \(PlainNumber.counted(zeros, "task")) of 0 ns stand on the floor of the logarithmic axis."
        }
        return text
    }
}
