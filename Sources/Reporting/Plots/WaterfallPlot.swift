import Analysis
import Results
import Words

/// Single tasks, each from when it was due to its end, cut where it came to its phases: some around the median, and the slowest.
enum WaterfallPlot: ReportPlot {
    static let kind = "waterfall"
    static let title = "Single tasks, phase by phase"
    static let howToRead =
        "Each row is one task of the trial, by its ID, from when it was due: grey is what it waited, and each colour is the way to a phase. "
        + "The left half shows tasks around the median response, the right half the slowest, each on its own axis: what is wide on the right and narrow "
        + "on the left makes the tail."

    private static let mostPanels = 3
    private static let rowHeight = 11.0
    private static let lagColour = "#e4e4e4"
    private static let waitColour = "#c9c9c9"

    static func concerns(_ workload: WorkloadView) -> Bool { PhaseView(workload) != nil }

    static func draw(_ workload: WorkloadView, _ data: RunData, _ frame: PlotFrame) -> PlotDrawing {
        guard let view = PhaseView(workload) else { return .nothing(reason: "no task has phases") }
        return draw(view, data, frame)
    }

    private struct Panel {
        var row: PhaseView.Row
        var traces: TaskTraces
        var height: Double { Double(max(traces.typical.count, traces.slowest.count)) * rowHeight }
    }

    static func draw(_ view: PhaseView, _ data: RunData, _ frame: PlotFrame) -> PlotDrawing {
        // Fewer where pictures have to be light.
        let most = min(max(frame.segments / (2 * TaskTraces.most * (view.parts.count + 2)), 1), mostPanels)
        let panels = telling(view, data, most: most)
        guard !panels.isEmpty else { return .nothing(reason: "no task of a completed trial has its phases in order") }
        let tasks = panels.flatMap { $0.traces.typical + $0.traces.slowest }
        var waits: [(title: String, colour: String)] = []
        if tasks.contains(where: { $0.submitted > $0.due }) { waits.append(("lag, due to submitted", lagColour)) }
        if tasks.contains(where: { $0.begin > $0.submitted }) { waits.append(("wait, submitted to begin", waitColour)) }
        let parts = view.parts
        let key = PlotKey(waits + parts.map { ($0.title, $0.colour) })
        let (titleHeight, tickHeight) = (40.0, 26.0)
        let height =
            (panels.reduce(key.height + 22) { $0 + titleHeight + $1.height + tickHeight }).rounded(.up)
        var file = PlotData("single tasks of \(view.title): x in ns since the task was due, y is the row")
        var script = GnuplotScript(
            name: frame.name, about: "single tasks of \(view.title), phase by phase", width: PlotFrame.width,
            height: Int(height), roundCaps: false)
        script.add("set multiplot")
        key.draw(height, &script)
        script.label(
            "time since the task was due", .screen(0.5), .screen(11 / height), .centre, size: 11,
            colour: GnuplotScript.faintInk)
        var y = key.height
        for panel in panels {
            y += titleHeight
            let columns = data.tasks[panel.traces.trial]?.count ?? 0
            script.marker(panel.row.look, .screen(0.02), .screen(1 - (y - 27) / height))
            script.label(
                "\(DisplayWidth.clipped(panel.row.name, to: 60)), trial \(panel.traces.trial)", .screen(0.031),
                .screen(1 - (y - 27) / height), bold: true)
            let halves = [
                ((0.075, 0.49), panel.traces.typical, "around the median"),
                ((0.575, 0.985), panel.traces.slowest, "the slowest of \(PlainNumber.counted(columns, "task"))"),
            ]
            for ((left, right), tasks, about) in halves where !tasks.isEmpty {
                script.margins(
                    left: left, right: right, top: 1 - y / height, bottom: 1 - (y + panel.height) / height)
                script.label(
                    about, .screen(left), .screen(1 - (y - 9) / height), size: 11, colour: GnuplotScript.faintInk)
                half(
                    Array(tasks.reversed()), panel, parts, width: (right - left) * Double(PlotFrame.width), about,
                    &file,
                    &script)
                script.clearLabels()
            }
            y += panel.height + tickHeight
        }
        script.add("unset multiplot")
        let caption = caption(panels, of: view.rows.count)
        return .ready(
            script: script.text, data: file.bytes, caption: caption,
            description: "Bars: \(PlainNumber.counted(tasks.count, "single task")), phase by phase. \(caption)")
    }

    /// One half of a panel: tasks from the slowest at the top.
    private static func half(
        _ tasks: [TaskTraces.Task], _ panel: Panel, _ parts: [PhaseView.Part], width: Double, _ about: String,
        _ file: inout PlotData, _ script: inout GnuplotScript
    ) {
        var axis = PlotAxis.time(tasks.map { Double($0.response) }, allowLogarithmic: false)
        axis.ticks.removeAll { $0.position > axis.upper * 0.97 }
        if let unit = axis.unit, let last = axis.ticks.indices.last { axis.ticks[last].label += " " + unit }
        script.add("")
        script.axis("x", axis)
        script.add("set border 1")
        script.add("set yrange [\(GnuplotScript.number(Double(tasks.count) - 0.5)):-0.5]")
        script.ticks(
            "y", tasks.enumerated().map { .init(position: Double($0.offset), label: "\($0.element.number)") })
        script.add("set ytics scale 0 font 'sans-serif,9' textcolor rgb '\(GnuplotScript.faintInk)'")
        // The part of each phase of the trial.
        let partOf = panel.traces.phases.map { name in
            parts.firstIndex { $0.columns.contains(PhaseView.Column(name: name, isRest: false)) }
        }
        let rest = parts.firstIndex { $0.columns.contains(where: \.isRest) }
        var lags: [(Double, Double, Double, Double)] = []
        var waits = lags
        var bars = [[(Double, Double, Double, Double)]](repeating: [], count: parts.count)
        for (row, task) in tasks.enumerated() {
            func add(_ from: Int64, _ to: Int64, _ bars: inout [(Double, Double, Double, Double)]) {
                guard to > from else { return }
                let (begin, end) = (Double(from - task.due), Double(to - task.due))
                // What goes on in the same colour is one bar: a task may tell of its body a hundred times.
                if let last = bars.last, last.1 == Double(row), last.2 == begin {
                    bars[bars.count - 1].2 = end
                } else {
                    bars.append((begin, Double(row), end, Double(row)))
                }
            }
            add(task.due, task.submitted, &lags)
            add(task.submitted, task.begin, &waits)
            var before = task.begin
            for mark in task.marks {
                if let part = partOf[mark.phase] { add(before, mark.at, &bars[part]) }
                before = mark.at
            }
            if let rest { add(before, task.end, &bars[rest]) }
        }
        let sets =
            [("lag", lags, lagColour), ("wait", waits, waitColour)]
            + zip(parts, bars).map { ($0.title, $1, $0.colour) }
        script.plot(
            sets.compactMap { title, segments, colour in
                file.add(
                    "\(panel.row.name), trial \(panel.traces.trial), \(about): \(title)",
                    columns: "since_due_ns row, from the top", segments: segments
                ).map { "data index \($0) with lines linewidth 7.5 linecolor rgb '\(colour)' notitle" }
            })
    }

    /// Of many benchmarks those that tell most: the quickest and the slowest at the median, and the one with the longest tail.
    private static func telling(_ view: PhaseView, _ data: RunData, most: Int) -> [Panel] {
        let all = view.rows.compactMap { row -> Panel? in
            guard row.phases != nil, let traces = data.traces[row.description.id],
                !traces.typical.isEmpty || !traces.slowest.isEmpty
            else { return nil }
            return Panel(row: row, traces: traces)
        }
        guard all.count > most else { return all }
        let times = all.indices.map { (median: middle(all[$0]), longest: longest(all[$0])) }
        let order = all.indices.sorted { (times[$0].median, $0) < (times[$1].median, $1) }
        func tail(_ index: Int) -> Double { Double(times[index].longest) / Double(max(times[index].median, 1)) }
        var chosen = [order[order.count - 1]]
        if most > 1 { chosen.append(order[0]) }
        if most > 2, let longest = order.filter({ !chosen.contains($0) }).max(by: { tail($0) < tail($1) }) {
            chosen.append(longest)
        }
        return chosen.sorted().map { all[$0] }
    }

    /// The response in the middle of the typical tasks.
    private static func middle(_ panel: Panel) -> Int64 {
        let tasks = panel.traces.typical.isEmpty ? panel.traces.slowest : panel.traces.typical
        return tasks.isEmpty ? 0 : tasks[tasks.count / 2].response
    }

    private static func longest(_ panel: Panel) -> Int64 {
        (panel.traces.slowest.last ?? panel.traces.typical.last)?.response ?? 0
    }

    private static func caption(_ panels: [Panel], of count: Int) -> String {
        var sentences = panels.map { panel in
            let slowest = panel.traces.slowest.last
            let number =
                slowest.map { ", the slowest, task \($0.number), \(PlainDuration.text(Double($0.response)))" } ?? ""
            return "\(panel.row.name): a task around the median takes "
                + "\(PlainDuration.text(Double(middle(panel)))) from due to end\(number)\(widest(slowest, panel))."
        }
        sentences.append("Shown is the completed trial whose elapsed time is the median.")
        let chosen = [
            "this is the slowest at the median", "these are the quickest and the slowest at the median",
            "these are the quickest and the slowest at the median, and the one with the longest tail",
        ]
        if count > panels.count, panels.count <= chosen.count {
            sentences.append(
                "Of \(PlainNumber.counted(count, "benchmark")) \(chosen[panels.count - 1])."
            )
        }
        return sentences.joined(separator: " ")
    }

    /// Where the time of a task went most.
    private static func widest(_ task: TaskTraces.Task?, _ panel: Panel) -> String {
        guard let task, task.response > 0 else { return "" }
        var pieces = [("as lag", task.submitted - task.due), ("waiting", task.begin - task.submitted)]
        var before = task.begin
        for mark in task.marks {
            let name = "on the way to “\(PlainText.oneLine(panel.traces.phases[mark.phase], columns: 28))”"
            pieces.append((name, mark.at - before))
            before = mark.at
        }
        pieces.append(("after its last phase", task.end - before))
        guard let widest = pieces.max(by: { $0.1 < $1.1 }) else { return "" }
        return ", \(PlainNumber.roughPercent(Double(widest.1) / Double(task.response))) of it \(widest.0)"
    }
}
