import Analysis
import Results
import Statistics
import Words

/// Time against energy: what a task takes, and the joules of the processors for it, for each strategy.
enum EnergyPlot: ReportPlot {
    static let kind = "energy"
    static let title = "Time against energy"
    static let howToRead =
        "Each marker is a strategy: further left is faster, further down takes fewer joules. Those with a ring and a bold name are efficient: "
        + "no other is better in one without being worse in the other."

    /// A strategy's place: medians over trials.
    private struct Point {
        var entry: WorkloadView.Entry
        /// Nanoseconds of a trial by its tasks that ended well.
        var time: Double
        /// Joules by its tasks.
        var energy: Double
        var isEfficient = false
    }

    static func concerns(_ workload: WorkloadView) -> Bool { workload.entries.contains { energy($0) != nil } }

    private static func energy(_ entry: WorkloadView.Entry) -> Double? {
        entry.summary.costs?.first { $0.metric == Metric.processorEnergy.name && !$0.isEstimated }?.estimate?.median
    }

    static func draw(_ workload: WorkloadView, _ data: RunData, _ frame: PlotFrame) -> PlotDrawing {
        var points = workload.entries.compactMap { entry -> Point? in
            guard let energy = energy(entry), let throughput = entry.summary.throughput?.median, throughput > 0 else {
                return nil
            }
            return Point(entry: entry, time: 1e9 / throughput, energy: energy)
        }
        guard !points.isEmpty else { return .nothing(reason: "no strategy has both a time and an energy") }
        for (index, isEfficient) in efficientFront(points.map { ($0.time, $0.energy) }).enumerated() {
            points[index].isEfficient = isEfficient
        }
        let caption = caption(points, workload)
        var file = PlotData("time and energy of a task of \(workload.title); nanoseconds and joules")
        let script = script(points, workload, frame, &file)
        return .ready(
            script: script.text, data: file.bytes, caption: caption,
            description: "Dots: time and energy of \(points.count) strategies. \(caption)")
    }

    private static func script(
        _ points: [Point], _ workload: WorkloadView, _ frame: PlotFrame, _ file: inout PlotData
    ) -> GnuplotScript {
        let height = 420
        let time = PlotAxis.time(points.map(\.time), allowLogarithmic: false)
        let energy = PlotAxis.energy(points.map(\.energy))
        var script = GnuplotScript(
            name: frame.name, about: "time against energy of \(workload.title)", width: PlotFrame.width,
            height: height, roundCaps: true)
        script.margins(left: 0.09, right: 0.715, top: 1 - 26 / Double(height), bottom: 52 / Double(height))
        script.axis("x", time)
        script.axis("y", energy)
        script.label(
            "time of a trial by its tasks, \(time.unit ?? "")", .graph(0.5), .screen(13 / Double(height)), .centre,
            size: 11, colour: GnuplotScript.faintInk)
        script.label(
            "energy of the processors by task, \(energy.unit ?? "")", .screen(0.012),
            .screen(1 - 13 / Double(height)), size: 11, colour: GnuplotScript.faintInk)
        // Names stand to the right, as near to the height of their markers as they can without touching.
        let places = LabelPlaces.spread(points.map { energy.share(of: $0.energy) }, distance: 16 / Double(height - 78))
        var markers: [String] = []
        for (point, place) in zip(points, places) {
            let look = point.entry.look
            script.marker(look, .screen(0.735), .graph(place))
            script.label(
                point.entry.strategy, .screen(0.75), .graph(place), size: 11, columns: 30, bold: point.isEfficient)
            if let set = file.add(
                point.entry.strategy, columns: "time_ns energy_j", rows: [[point.time, point.energy]])
            {
                if point.isEfficient {
                    markers.append(
                        "data index \(set) with points pointtype 6 pointsize 2.2 linewidth 1.5 linecolor rgb '\(GnuplotScript.ink)' notitle"
                    )
                }
                markers.append(
                    "data index \(set) with points pointtype \(look.marker) pointsize 1.1 linecolor rgb '\(look.colour)' notitle"
                )
            }
        }
        script.plot(markers)
        return script
    }

    private static func caption(_ points: [Point], _ workload: WorkloadView) -> String {
        let efficient = points.filter(\.isEfficient).sorted { $0.time < $1.time }.map {
            "\($0.entry.name) (\(PlainDuration.text($0.time)), \(CostText.value($0.energy, unit: "J")) a task)"
        }
        var text = "Efficient \(efficient.count == 1 ? "is" : "are") \(PlainText.list(efficient))."
        let drawn = Set(points.map(\.entry.strategy))
        let absent = workload.entries.filter { !drawn.contains($0.strategy) }.map(\.name)
        if !absent.isEmpty { text += " Not drawn, for no energy or no time was measured: \(PlainText.list(absent))." }
        return text
    }
}
