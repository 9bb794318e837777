import Analysis
import Results
import Words

/// Who ran what when: a panel for each strategy, a lane for each worker, a bar for each task, its wait as a thin tone.
enum TimelinePlot: ReportPlot {
    static let kind = "timeline"
    static let title = "Timeline of workers"
    static let howToRead =
        "Each lane is a worker, the first at the top; a dark bar is a task that runs on it, and the thin light line under it shows that tasks which this worker would run had been submitted and waited. "
        + "Lanes that stay light before they turn dark are workers that came late, which is how a starved pool looks."

    static let laneLimit = 48

    private struct Panel {
        var entry: WorkloadView.Entry
        var trial: Trial
        var elapsed: Int64
        var tasks: Int
        var workers: Int
        var runs: [[BarMerging.Bar]]
        var waits: [[BarMerging.Bar]]
        /// Height of a lane in pixels.
        var lane: Double
        var height: Double { max(Double(runs.count) * lane, 14) }
    }

    static func draw(_ workload: WorkloadView, _ data: RunData, _ frame: PlotFrame) -> PlotDrawing {
        var panels = workload.measured.compactMap { panel(of: $0, data) }
        guard !panels.isEmpty else { return .nothing(reason: "no task ended in a completed trial") }
        let longest = panels.map(\.elapsed).max() ?? 1
        let shared = longest <= 5 * (panels.map(\.elapsed).min() ?? 1)

        let left = 0.035
        let right = 0.985
        let plotWidth = (right - left) * Double(PlotFrame.width)
        var widestGap = 0.0
        let limit = max(frame.segments / (2 * panels.count), 40)
        for index in panels.indices {
            let pixel = Double(shared ? longest : panels[index].elapsed) / plotWidth
            let runs = BarMerging.merged(
                panels[index].runs, gap: Int64(pixel), limit: limit, keepsLong: true)
            panels[index].runs = runs.lanes
            panels[index].waits = BarMerging.merged(panels[index].waits, gap: Int64(pixel), limit: limit).lanes
            widestGap = max(widestGap, Double(runs.gap) / pixel)
        }

        let titleHeight = 24.0
        let tickHeight = 25.0
        let height = panels.enumerated().reduce(26.0) { sum, item in
            sum + titleHeight + item.element.height + (!shared || item.offset == panels.count - 1 ? tickHeight : 6)
        }
        var file = PlotData("timeline of \(workload.title): x in ns since the trial's first submission, y is the lane")
        var script = GnuplotScript(
            name: frame.name, about: "timeline of \(workload.title)", width: PlotFrame.width,
            height: Int(height.rounded(.up)), roundCaps: false)
        let pictureHeight = height.rounded(.up)
        script.add("set multiplot")
        var y = 0.0
        for (index, panel) in panels.enumerated() {
            let last = index == panels.count - 1
            y += titleHeight
            draw(
                panel, top: 1 - y / pictureHeight, bottom: 1 - (y + panel.height) / pictureHeight, left, right,
                span: shared ? longest : panel.elapsed, tickLabels: !shared || last,
                pixel: Double(shared ? longest : panel.elapsed) / plotWidth, pictureHeight, &file, &script)
            y += panel.height + (!shared || last ? tickHeight : 6)
            if last {
                script.clearLabels()
            }
        }
        script.add("unset multiplot")
        let caption = caption(panels, shared: shared, gapPixels: widestGap)
        return .ready(
            script: script.text, data: file.bytes, caption: caption,
            description: "Timelines of \(panels.count) strategies, a lane for each worker. \(caption)")
    }

    private static func panel(of entry: WorkloadView.Entry, _ data: RunData) -> Panel? {
        guard let trial = data.typicalTrial(data.completedTrials(of: entry.description.id)),
            let columns = data.tasks[trial.number], columns.count > 0,
            let start = columns.submitted.min(), let end = columns.end.max()
        else { return nil }
        let workers = Set(columns.worker).sorted()
        let shown = BarMerging.evenly(laneLimit, of: workers.count).map { workers[$0] }
        let laneOf = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1, $0) })
        var runs = [[BarMerging.Bar]](repeating: [], count: shown.count)
        var waits = runs
        for index in 0..<columns.count {
            guard let lane = laneOf[columns.worker[index]] else { continue }
            let (submitted, begin, end) = (
                columns.submitted[index] - start, columns.begin[index] - start, columns.end[index] - start
            )
            runs[lane].append(BarMerging.Bar(begin: begin, end: end))
            if begin > submitted { waits[lane].append(BarMerging.Bar(begin: submitted, end: begin)) }
        }
        for lane in runs.indices {
            runs[lane].sort { $0.begin < $1.begin }
            waits[lane].sort { $0.begin < $1.begin }
        }
        let lane = shown.count <= 4 ? 16.0 : shown.count <= 12 ? 11 : shown.count <= 24 ? 7 : 5
        return Panel(
            entry: entry, trial: trial, elapsed: max(end - start, 1), tasks: columns.count, workers: workers.count,
            runs: runs, waits: waits, lane: lane)
    }

    private static func draw(
        _ panel: Panel, top: Double, bottom: Double, _ left: Double, _ right: Double, span: Int64, tickLabels: Bool,
        pixel: Double, _ pictureHeight: Double, _ file: inout PlotData, _ script: inout GnuplotScript
    ) {
        var axis = PlotAxis.time([Double(span)], allowLogarithmic: false)
        axis.upper = Double(span)
        axis.ticks.removeAll { $0.position > axis.upper * 0.985 }
        if let unit = axis.unit, let last = axis.ticks.indices.last { axis.ticks[last].label += " " + unit }
        script.add("")
        script.clearLabels()
        script.margins(left: left, right: right, top: top, bottom: bottom)
        script.axis("x", axis, labels: tickLabels)
        script.add("set border 1")
        script.add("set yrange [\(GnuplotScript.number(Double(panel.runs.count) - 0.5)):-0.5]")
        script.add("unset ytics")
        script.marker(panel.entry.look, .screen(left + 0.007), .screen(top + 11 / pictureHeight))
        script.label(
            PlainText.oneLine(panel.entry.strategy, columns: 40), .screen(left + 0.018),
            .screen(top + 11 / pictureHeight), bold: true)
        let lanes = panel.runs.count
        let workers =
            lanes < panel.workers
            ? "\(lanes) of \(PlainNumber.grouped(panel.workers)) workers" : PlainNumber.counted(panel.workers, "worker")
        script.label(
            "\(workers), \(PlainNumber.counted(panel.tasks, "task")) in \(PlainDuration.text(Double(panel.elapsed))) "
                + "(trial \(panel.trial.number))",
            .graph(1), .screen(top + 11 / pictureHeight), .right, size: 11, colour: GnuplotScript.faintInk)
        // Waits lie in the lower part of a lane, so that a busy lane does not hide them.
        let offset = 0.3
        var elements: [String] = []
        func element(_ bars: [[BarMerging.Bar]], _ what: String, shift: Double, width: Double, colour: String) {
            var segments: [(Double, Double, Double, Double)] = []
            for (lane, bars) in bars.enumerated() {
                for bar in bars {
                    segments.append(
                        (
                            Double(bar.begin), Double(lane) + shift, drawnEnd(bar, pixel: pixel).rounded(),
                            Double(lane) + shift
                        ))
                }
            }
            if let set = file.add(
                "\(panel.entry.strategy), trial \(panel.trial.number): \(what)",
                columns: "at_ns lane (as drawn: a hair apart, and no narrower than 0.6 pixels)",
                segments: segments)
            {
                elements.append(
                    "data index \(set) with lines linewidth \(GnuplotScript.number(width)) linecolor rgb '\(colour)' notitle"
                )
            }
        }
        element(
            panel.waits, "waits", shift: offset, width: max(panel.lane * 0.22, 1), colour: panel.entry.look.lightColour)
        element(panel.runs, "tasks", shift: -0.1, width: max(panel.lane * 0.55, 1.5), colour: panel.entry.look.colour)
        script.plot(elements)
    }

    /// Nothing is drawn narrower than 0.6 pixels, so that whatever ran is seen; long bars end a hair early, so that
    /// one task is told from the next.
    private static func drawnEnd(_ bar: BarMerging.Bar, pixel: Double) -> Double {
        let length = Double(bar.length)
        let isLong = length >= Double(BarMerging.lengthOfSeparateBars) * pixel
        return Double(bar.begin) + (isLong ? length - 0.8 * pixel : max(length, 0.6 * pixel))
    }

    private static func caption(_ panels: [Panel], shared: Bool, gapPixels: Double) -> String {
        let sorted = panels.sorted { $0.elapsed < $1.elapsed }
        var text = ""
        if let first = sorted.first {
            text +=
                "\(first.entry.name) ran its \(PlainNumber.counted(first.tasks, "task")) in \(PlainDuration.text(Double(first.elapsed)))"
            if sorted.count > 1, let last = sorted.last {
                text += ", \(last.entry.name) took \(PlainDuration.text(Double(last.elapsed)))"
            }
            text += ". "
        }
        text += "Shown is the completed trial whose elapsed time is the median. "
        if !shared { text += "The strategies differ more than fivefold, so each panel has a time axis of its own. " }
        if panels.contains(where: { $0.runs.count < $0.workers }) {
            text += "Where there are more than \(laneLimit) workers, lanes are sampled evenly. "
        }
        let gap = PlainNumber.significant(max(gapPixels, 1), digits: 2)
        text +=
            "Bars closer than \(gap) pixels are merged where tasks are too short to be told apart; "
            + "none is drawn narrower than 0.6 pixels."
        return text
    }
}
