import Analysis
import Results
import Words

/// Spent against the moment of begin, a panel for each strategy: drift, warming up and pauses become visible.
enum SpentOverTimePlot: ReportPlot {
    static let kind = "spent-over-time"
    static let title = "Spent over time"
    static let howToRead =
        "A flat band means that tasks took the same time throughout; a slope is a machine that warms up or fills, spikes in all panels at once are a pause of the machine. "
        + "The dark dots are medians, the light lines reach from the least to the greatest value."

    private struct Panel {
        var entry: WorkloadView.Entry
        var span: Int64
        var count: Int
        var zeros: Int
        var columns: [Thinning.Column]
    }

    static func draw(_ workload: WorkloadView, _ data: RunData, _ frame: PlotFrame) -> PlotDrawing {
        let measured = workload.measured
        let across = measured.count <= 1 ? 1 : measured.count <= 4 ? 2 : 3
        let panelWidth = (Double(PlotFrame.width) - 74) / Double(across) - 16
        // Two pixels a column, fewer when the page has many plots; each column costs about two line segments.
        let columns = min(max(frame.segments / max(measured.count, 1) / 2, 20), Int(panelWidth / 2))
        let spans = measured.map { span(of: $0, data) }
        let longest = spans.max() ?? 1
        let shared = longest <= 5 * (spans.filter { $0 > 1 }.min() ?? 1)
        let panels = measured.enumerated().compactMap { index, entry in
            panel(of: entry, data, span: shared ? longest : spans[index], columns: columns)
        }
        guard !panels.isEmpty else { return .nothing(reason: "no task ended in a completed trial") }

        let axis = PlotAxis.time(
            panels.lazy.flatMap { $0.columns.flatMap { [Double($0.least), Double($0.greatest)] } })
        let rows = (panels.count + across - 1) / across
        let panelHeight = across == 1 ? 260.0 : 130.0
        let rowHeight = panelHeight + 24 + 24
        let height = 24 + rowHeight * Double(rows)
        var file = PlotData("spent over time, \(workload.title), all completed trials laid over each other")
        var script = GnuplotScript(
            name: frame.name, about: "spent over time, \(workload.title)", width: PlotFrame.width, height: Int(height),
            roundCaps: true)
        script.add("set multiplot")
        for (index, panel) in panels.enumerated() {
            let (row, column) = (index / across, index % across)
            let left = 58 + Double(column) * (panelWidth + 16)
            let top = 24 + Double(row) * rowHeight + 24
            script.add("")
            script.clearLabels()
            if index == 0 {
                script.label(
                    "spent" + (axis.unit.map { " (\($0))" } ?? "")
                        + (axis.isLogarithmic ? ", logarithmic" : ", from zero")
                        + "; time since the trial's first submission",
                    .screen(0.012), .screen(1 - 12 / height), size: 11, colour: GnuplotScript.faintInk)
            }
            script.margins(
                left: left / Double(PlotFrame.width), right: (left + panelWidth) / Double(PlotFrame.width),
                top: 1 - top / height, bottom: 1 - (top + panelHeight) / height)
            draw(panel, axis, firstColumn: column == 0, panelWidth, panelHeight, &file, &script)
        }
        script.add("unset multiplot")
        let caption = caption(panels, axis, shared: shared)
        return .ready(
            script: script.text, data: file.bytes, caption: caption,
            description: "Spent of tasks against time, \(panels.count) panels. \(caption)")
    }

    /// From a trial's first submission to its last begin, the longest of the completed trials.
    private static func span(of entry: WorkloadView.Entry, _ data: RunData) -> Int64 {
        data.completedTrials(of: entry.description.id).compactMap { trial in
            guard let columns = data.tasks[trial.number], let start = columns.submitted.min(),
                let last = columns.begin.max()
            else { return nil }
            return last - start
        }.reduce(1, max)
    }

    private static func panel(of entry: WorkloadView.Entry, _ data: RunData, span: Int64, columns: Int) -> Panel? {
        var moments: [Int64] = []
        var values: [Int64] = []
        for trial in data.completedTrials(of: entry.description.id) {
            guard let tasks = data.tasks[trial.number], let start = tasks.submitted.min() else { continue }
            moments.reserveCapacity(moments.count + tasks.count)
            values.reserveCapacity(values.count + tasks.count)
            for index in 0..<tasks.count {
                moments.append(tasks.begin[index] - start)
                values.append(tasks.spent(index))
            }
        }
        guard !values.isEmpty else { return nil }
        return Panel(
            entry: entry, span: span, count: values.count, zeros: values.count { $0 <= 0 },
            columns: Thinning.columns(moments, values, span: span, columns: columns))
    }

    private static func draw(
        _ panel: Panel, _ axis: PlotAxis, firstColumn: Bool, _ width: Double, _ height: Double,
        _ file: inout PlotData, _ script: inout GnuplotScript
    ) {
        var time = PlotAxis.time([Double(panel.span)], allowLogarithmic: false)
        time.upper = Double(panel.span) * 1.01
        // Small panels have room for few labels; the last one carries the unit.
        if width < 420, time.ticks.count > 5 {
            time.ticks = time.ticks.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        }
        time.ticks.removeAll { $0.position > time.upper * 0.97 }
        if let unit = time.unit, let last = time.ticks.indices.last { time.ticks[last].label += " " + unit }
        script.axis("x", time)
        script.axis("y", axis, labels: firstColumn)
        script.marker(panel.entry.look, .graph(0.015), .graph(1 + 11 / height))
        let count = "n = \(PlainNumber.grouped(panel.count))"
        let room = Int((width - 40) / 7) - count.count
        script.label(
            PlainText.oneLine(panel.entry.strategy, columns: max(room, 8)), .graph(24 / width), .graph(1 + 11 / height),
            bold: true)
        script.label(count, .graph(1), .graph(1 + 11 / height), .right, size: 11, colour: GnuplotScript.faintInk)

        // A dot is a line of a third of a pixel with round ends: a hundred of them share one path in the picture.
        let dot = time.upper / width / 3
        var ranges: [(Double, Double, Double, Double)] = []
        var dots: [(Double, Double, Double, Double)] = []
        for column in panel.columns {
            func add(_ value: Int64) {
                let y = axis.drawn(Double(value))
                dots.append((column.at, y, column.at + dot, y))
            }
            // Three values or fewer are all drawn as themselves: a line between two tasks would suggest more.
            if column.count > 3 {
                ranges.append(
                    (column.at, axis.drawn(Double(column.least)), column.at + dot, axis.drawn(Double(column.greatest))))
                add(column.median)
            } else {
                for value in Set([column.least, column.median, column.greatest]).sorted() { add(value) }
            }
        }
        var elements: [String] = []
        let look = panel.entry.look
        if let set = file.add(
            "\(panel.entry.strategy): least to greatest of columns with more than three tasks",
            columns: "at_ns spent_ns",
            segments: ranges)
        {
            elements.append("data index \(set) with lines linewidth 1.6 linecolor rgb '\(look.lightColour)' notitle")
        }
        if let set = file.add(
            "\(panel.entry.strategy): medians, and the tasks of columns with three or fewer", columns: "at_ns spent_ns",
            segments: dots)
        {
            elements.append("data index \(set) with lines linewidth 2.4 linecolor rgb '\(look.colour)' notitle")
        }
        script.plot(elements)
    }

    private static func caption(_ panels: [Panel], _ axis: PlotAxis, shared: Bool) -> String {
        var text = ""
        let extremes = panels.compactMap { panel in panel.columns.map(\.greatest).max().map { (panel, $0) } }
        if let longest = extremes.max(by: { $0.1 < $1.1 }),
            let column = longest.0.columns.first(where: { $0.greatest == longest.1 })
        {
            text +=
                "The longest task, \(PlainDuration.text(Double(longest.1))), ran under \(longest.0.entry.name) "
                + "and began about \(PlainDuration.text(column.at)) after its trial's first submission. "
        }
        text +=
            "All completed trials are laid over each other; for each pixel column the least, the median and the greatest value are kept."
        if !shared {
            text += " The strategies differ more than fivefold in time, so each panel has a time axis of its own."
        }
        let zeros = panels.reduce(0) { $0 + $1.zeros }
        if zeros > 0, axis.isLogarithmic {
            text += " \(PlainNumber.counted(zeros, "task")) of 0 ns stand on the floor of the logarithmic axis."
        }
        return text
    }
}
