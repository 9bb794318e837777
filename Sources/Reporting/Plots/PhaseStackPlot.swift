import Analysis
import Results
import Words

/// Where time goes: for each benchmark a bar of the means of its segments, as they are and as shares.
enum PhaseStackPlot: ReportPlot {
    static let kind = "phases"
    static let title = "Where time goes"
    static let howToRead =
        "Each bar is what a task spends on average, cut where it comes to its phases: the bars on the left share one axis of time, those on "
        + "the right are all as long as one another and show shares. Look for the widest piece of a long bar: that is where there is time to be won."

    /// More bars cannot be told apart.
    private static let mostRows = 40
    private static let rowHeight = 26.0

    static func concerns(_ workload: WorkloadView) -> Bool { PhaseView(workload) != nil }

    static func draw(_ workload: WorkloadView, _ data: RunData, _ frame: PlotFrame) -> PlotDrawing {
        guard let view = PhaseView(workload) else { return .nothing(reason: "no task has phases") }
        return draw(view, frame)
    }

    /// A bar, part by part, in nanoseconds.
    private struct Bar {
        var row: PhaseView.Row
        var parts: [Double]
        var whole: Double { parts.reduce(0, +) }

        /// From where to where each part goes, as shares or as they are.
        func pieces(asShares: Bool) -> [(from: Double, to: Double)] {
            let whole = asShares ? max(self.whole, 1e-9) : 1
            var end = 0.0
            return parts.map { size in
                defer { end += size }
                return (end / whole, (end + size) / whole)
            }
        }
    }

    static func draw(_ view: PhaseView, _ frame: PlotFrame) -> PlotDrawing {
        let parts = view.parts
        let told = view.rows.filter { $0.phases != nil }
        let bars = told.prefix(mostRows).map { row in
            Bar(
                row: row,
                parts: parts.map { $0.columns.reduce(0) { $0 + (view.segment(row, $1)?.meanOfAllTasks ?? 0) } })
        }
        let longest = bars.map(\.whole).max() ?? 0
        guard longest > 0 else { return .nothing(reason: "no task with phases spent any time") }
        let key = PlotKey(parts.map { ($0.title, $0.colour) })
        let height = (key.height + 12 + rowHeight * Double(bars.count) + 46).rounded(.up)
        var file = PlotData("means of the segments of tasks of \(view.title)")
        var script = GnuplotScript(
            name: frame.name, about: "where time goes in tasks of \(view.title)", width: PlotFrame.width,
            height: Int(height), roundCaps: false)
        script.add("set multiplot")
        script.add("set border 1")
        key.draw(height, &script)
        let (top, bottom) = (1 - (key.height + 12) / height, 46 / height)
        for (index, bar) in bars.enumerated() {
            let y = top - (Double(index) + 0.5) * rowHeight / height
            script.label(bar.row.name, .screen(0.225), .screen(y), .right, columns: 30)
        }
        var time = PlotAxis.time([longest], allowLogarithmic: false)
        // Room for what a bar is in all.
        time.upper *= 1.22
        script.margins(left: 0.235, right: 0.6, top: top, bottom: bottom)
        panel(bars, parts, time, asShares: false, height, &file, &script)
        script.clearLabels()
        let shares = PlotAxis(
            isLogarithmic: false, lower: 0, upper: 1,
            ticks: [0, 0.25, 0.5, 0.75, 1].map { .init(position: $0, label: PlainNumber.percent($0)) }, unit: nil)
        script.margins(left: 0.63, right: 0.975, top: top, bottom: bottom)
        panel(bars, parts, shares, asShares: true, height, &file, &script)
        script.add("unset multiplot")
        let caption = caption(view, bars, parts, leftOut: told.count - bars.count)
        return .ready(
            script: script.text, data: file.bytes, caption: caption,
            description:
                "Stacked bars: segments of the tasks of \(PlainNumber.counted(bars.count, "benchmark")). \(caption)")
    }

    private static func panel(
        _ bars: [Bar], _ parts: [PhaseView.Part], _ axis: PlotAxis, asShares: Bool, _ height: Double,
        _ file: inout PlotData, _ script: inout GnuplotScript
    ) {
        script.axis("x", axis)
        script.add("set yrange [\(GnuplotScript.number(Double(bars.count) - 0.5)):-0.5]")
        script.add("unset ytics")
        script.label(
            asShares ? "as shares of it" : "mean of what a task spends (\(axis.unit ?? ""))", .graph(0.5),
            .screen(12 / height), .centre, size: 11, colour: GnuplotScript.faintInk)
        let stacks = bars.map { $0.pieces(asShares: asShares) }
        for (row, bar) in bars.enumerated() {
            if asShares {
                // Where they fit.
                for (part, piece) in zip(parts, stacks[row]) where piece.to - piece.from >= 0.1 {
                    script.label(
                        PlainNumber.roughPercent(piece.to - piece.from), .first((piece.from + piece.to) / 2),
                        .first(Double(row)), .centre, size: 10, colour: part.ink)
                }
            } else {
                script.label(
                    PlainDuration.text(bar.whole), .first(bar.whole + axis.upper * 0.015), .first(Double(row)), size: 11
                )
            }
        }
        script.plot(
            parts.enumerated().compactMap { index, part in
                let segments = stacks.enumerated().compactMap { row, pieces -> (Double, Double, Double, Double)? in
                    let piece = pieces[index]
                    return piece.to > piece.from ? (piece.from, Double(row), piece.to, Double(row)) : nil
                }
                return file.add(
                    part.title, columns: "\(asShares ? "share" : "mean_ns") row, from the top; stacked",
                    segments: segments
                ).map { "data index \($0) with lines linewidth 17 linecolor rgb '\(part.colour)' notitle" }
            })
    }

    private static func caption(_ view: PhaseView, _ bars: [Bar], _ parts: [PhaseView.Part], leftOut: Int) -> String {
        var sentences: [String] = []
        if let longest = bars.max(by: { $0.whole < $1.whole }),
            let widest = longest.parts.indices.max(by: { longest.parts[$0] < longest.parts[$1] })
        {
            let share = PlainNumber.roughPercent(longest.parts[widest] / longest.whole)
            sentences.append(
                "A task of \(longest.row.name) spends \(PlainDuration.text(longest.whole)) on average, \(share) of it "
                    + "\(phrase(parts[widest], view)).")
        }
        if bars.count > 1, let shortest = bars.min(by: { $0.whole < $1.whole }) {
            sentences.append("One of \(shortest.row.name) spends \(PlainDuration.text(shortest.whole)).")
        }
        sentences.append(
            "Drawn are means over all tasks, for means of segments add up to the mean of what tasks spend and medians do not; the table has the medians."
        )
        let untold = view.untold
        if !untold.isEmpty {
            let shown = untold.prefix(6).joined(separator: "; ") + (untold.count > 6 ? "; and others" : "")
            sentences.append("What is not told is not zero, but part of the segment after it: \(shown).")
        }
        if parts.contains(where: { $0.columns.count > 1 }) {
            sentences.append("Phases of small share are drawn as one, after the others, wherever they come.")
        }
        if leftOut > 0 {
            sentences.append("\(PlainNumber.counted(leftOut, "more benchmark")) have no bar for want of room.")
        }
        return sentences.joined(separator: " ")
    }

    /// `up to “first byte”`, `after the last phase`.
    private static func phrase(_ part: PhaseView.Part, _ view: PhaseView) -> String {
        if part.columns.contains(where: \.isRest) { return "after its last phase" }
        return part.columns.count == 1 ? "up to “\(part.title)”" : "up to one of \(part.title)"
    }
}
