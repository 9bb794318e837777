import Analysis
import Results
import Statistics
import Words

/// Throughput of each strategy: the median with its interval, and every trial as a faint dot.
enum ThroughputPlot: ReportPlot {
    static let kind = "throughput"
    static let title = "Throughput by strategy"
    static let howToRead =
        "The marker is the median over trials, the line through it the interval in which the true median lies, each faint dot below "
        + "one trial. Further right is better; where lines overlap, the sentence of the ranking, which compares trials in pairs, decides."

    static func draw(_ workload: WorkloadView, _ data: RunData, _ frame: PlotFrame) -> PlotDrawing {
        let entries = workload.entries.filter { $0.summary.throughput != nil }
        guard !entries.isEmpty else { return .nothing(reason: "no trial completed") }
        let trials = entries.map { entry in
            data.completedTrials(of: entry.description.id).compactMap { data.sample($0, .throughput)?.value }
        }
        let estimates = entries.compactMap(\.summary.throughput)
        let axis = PlotAxis.rate(
            trials.joined()
                + estimates.flatMap { [$0.median, $0.interval?.lower, $0.interval?.upper].compactMap { $0 } })

        let height = 78 + 30 * entries.count
        var file = PlotData("throughput of \(workload.title), tasks per second")
        var script = GnuplotScript(
            name: frame.name, about: "throughput of \(workload.title)", width: PlotFrame.width, height: height,
            roundCaps: true)
        script.margins(left: 0.2, right: 0.715, top: 1 - 26 / Double(height), bottom: 48 / Double(height))
        script.axis("x", axis)
        script.add("set border 1")
        script.add("set yrange [\(-Double(entries.count) + 0.4):0.6]")
        script.add("unset ytics")
        let scale = axis.isLogarithmic ? "logarithmic axis" : "axis from zero"
        script.label(
            "tasks per second that ended well, \(scale)", .graph(0.5), .screen(12 / Double(height)), .centre, size: 11,
            colour: GnuplotScript.faintInk)
        script.label(
            "median [interval], trials", .screen(0.73), .screen(1 - 13 / Double(height)), size: 11,
            colour: GnuplotScript.faintInk)

        var dots: [String] = []
        var lines: [String] = []
        var medians: [String] = []
        for (index, entry) in entries.enumerated() {
            let row = -Double(index)
            let estimate = estimates[index]
            script.label(entry.strategy, .screen(0.19), .first(row), .right, columns: 24)
            script.label(
                "\(EstimateText.plain(estimate)), n = \(estimate.count)", .screen(0.73), .first(row), size: 11)
            let look = entry.look
            if let set = file.add(
                "trials of \(entry.strategy)", columns: "throughput_per_s row",
                rows: trials[index].map { [axis.drawn($0), row - 0.3] })
            {
                dots.append(
                    "data index \(set) with points pointtype 7 pointsize 0.35 linecolor rgb '\(look.lightColour)' notitle"
                )
            }
            if let interval = estimate.interval,
                let set = file.add(
                    "interval of \(entry.strategy)", columns: "throughput_per_s row",
                    segments: [(axis.drawn(interval.lower), row, axis.drawn(interval.upper), row)])
            {
                lines.append("data index \(set) with lines linewidth 3 linecolor rgb '\(look.colour)' notitle")
            }
            if let set = file.add(
                "median of \(entry.strategy)", columns: "throughput_per_s row",
                rows: [[axis.drawn(estimate.median), row]])
            {
                medians.append(
                    "data index \(set) with points pointtype \(look.marker) pointsize 1.0 linecolor rgb '\(look.colour)' notitle"
                )
            }
        }
        script.plot(dots + lines + medians)
        let caption = caption(entries, estimates, workload)
        return .ready(
            script: script.text, data: file.bytes, caption: caption,
            description: "Dots with intervals: throughput of \(entries.count) strategies. \(caption)")
    }

    private static func caption(
        _ entries: [WorkloadView.Entry], _ estimates: [MedianEstimate], _ workload: WorkloadView
    ) -> String {
        func one(_ index: Int) -> String {
            "\(entries[index].name) ends \(EstimateText.rate(estimates[index]))"
        }
        var text = one(0)
        if entries.count > 1 { text += ", " + one(entries.count - 1) }
        let counts = Set(estimates.map(\.count)).sorted()
        text +=
            counts.count == 1
            ? " (n = \(counts[0]) trials each)." : " (n = \(counts[0]) to \(counts[counts.count - 1]) trials)."
        let absent = workload.entries.filter { $0.summary.throughput == nil }.map(\.name)
        if !absent.isEmpty { text += " Not drawn, for no trial completed: \(PlainText.list(absent))." }
        return text
    }
}
