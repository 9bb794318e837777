import Analysis
import Results
import Statistics
import Words

/// The time of an iteration over the samples of a benchmark, its trials side by side: drift, several modes, disturbances and
/// differences between processes become visible.
enum SamplesOverTimePlot {
    static let kind = "samples"
    static let howToRead =
        "Each stripe is a trial, from its first sample at the left to its last; the dark line in it is its own median. A flat narrow band is "
        + "a quiet trial, a slope is a drift, two bands are two modes, and stripes at different heights show how much processes differ, which is "
        + "what the interval (shaded) is about. Dots are samples; where many fall into a pixel column, the dot is their median and a light line "
        + "reaches from the least to the greatest."

    private struct Stripe {
        var trial: Int
        var count: Int
        var median: Double
        /// What its columns cover.
        var span: Int64
        var columns: [Thinning.Column]
    }

    private typealias Segment = (Double, Double, Double, Double)

    /// Values are drawn from whole millionths of a nanosecond.
    private static let fine = 1e6
    private static let mostStripes = 60
    private static let plotHeight = 200.0
    private static let left = 66.0
    private static let right = 16.0

    static func draw(_ entry: SampledView.Entry, _ data: RunData, _ frame: PlotFrame) -> PlotDrawing {
        let trials = data.completedTrials(of: entry.description.id).filter { data.iterationTime(of: $0) != nil }
        guard let iteration = entry.summary.iteration, !trials.isEmpty else {
            return .nothing(reason: "no completed trial left a sample")
        }
        let shown = BarMerging.evenly(mostStripes, of: trials.count).map { trials[$0] }
        let room = (Double(PlotFrame.width) - left - right) / Double(shown.count)
        let columns = max(min(Int(room / 2), frame.segments / shown.count / 2), 4)
        let spans = shown.map { span(data.batches[$0.number]?.work) }
        let longest = spans.max() ?? 1
        var values: [Double] = []
        let stripes = shown.compactMap { trial -> Stripe? in
            guard let work = data.batches[trial.number]?.work, let first = work.at.min(),
                let middle = data.iterationTime(of: trial)
            else { return nil }
            let empty = data.emptyTime(of: trial) ?? 0
            let times = work.perIteration.map { $0 - empty }
            values += times
            return Stripe(
                trial: trial.number, count: times.count, median: middle, span: longest,
                columns: Thinning.columns(
                    work.at.map { $0 &- first }, times.map { Int64(min(max($0 * fine, -9e18), 9e18).rounded()) },
                    span: longest, columns: columns))
        }
        let range = range(values)
        let axis = PlotAxis.times(from: range.lowerBound, to: range.upperBound)
        let height = 24 + 22 + plotHeight + 44
        var file = PlotData("time of an iteration, \(entry.title), less an empty one; x is the place of the trial")
        var script = GnuplotScript(
            name: frame.name, about: "samples of \(entry.title)", width: PlotFrame.width, height: Int(height),
            roundCaps: true)
        let unit = axis.unit.map { " (\($0))" } ?? ""
        script.label(
            "time of an iteration\(unit), less an empty one; the axis need not begin at zero", .screen(0.012),
            .screen(1 - 12 / height), size: 11, colour: GnuplotScript.faintInk)
        let total = PlainNumber.counted(stripes.reduce(0) { $0 + $1.count }, "sample")
        script.label(
            "\(total), \(PlainNumber.counted(stripes.count, "trial"))", .graph(1), .screen(1 - 12 / height), .right,
            size: 11, colour: GnuplotScript.faintInk)
        script.margins(
            left: left / Double(PlotFrame.width), right: 1 - right / Double(PlotFrame.width), top: 1 - 40 / height,
            bottom: 44 / height)
        script.add("set xrange [0:\(GnuplotScript.number(Double(stripes.count)))]")
        script.ticks("x", trialTicks(stripes))
        script.axis("y", axis)
        script.label("trial", .graph(0.5), .screen(10 / height), .centre, size: 11, colour: GnuplotScript.faintInk)
        draw(stripes, iteration.time, range, &file, &script)
        let caption = caption(stripes, trials.count, iteration.time, values, range)
        return .ready(
            script: script.text, data: file.bytes, caption: caption,
            description: "Samples of \(PlainNumber.counted(stripes.count, "trial")) side by side. \(caption)")
    }

    private static func span(_ work: BatchColumns?) -> Int64 {
        guard let work, let first = work.at.min(), let last = work.at.max() else { return 1 }
        return max(last &- first, 1)
    }

    /// All values; where some lie far off, only as far as Tukey’s outer fences, beyond which values are drawn at the edge.
    private static func range(_ values: [Double]) -> ClosedRange<Double> {
        let sorted = values.sorted()
        guard let least = sorted.first, let greatest = sorted.last else { return 0...1 }
        var (low, high) = (nearestRank(0.25, ofSorted: sorted), nearestRank(0.75, ofSorted: sorted))
        // Where more than half of the values are one value, the next ones are not far off.
        if low == high { (low, high) = (nearestRank(0.02, ofSorted: sorted), nearestRank(0.98, ofSorted: sorted)) }
        let middle = nearestRank(0.5, ofSorted: sorted)
        let reach = max(3 * (high - low), abs(middle) * 0.01)
        let lower = max(least, low - reach)
        let upper = min(greatest, high + reach)
        let margin = max((upper - lower) * 0.06, abs(middle) * 0.002, 0.001)
        return (lower - margin)...(upper + margin)
    }

    private static func trialTicks(_ stripes: [Stripe]) -> [PlotAxis.Tick] {
        let every = (stripes.count + 24) / 25
        return stripes.enumerated().filter { $0.offset % every == 0 }.map {
            PlotAxis.Tick(position: Double($0.offset) + 0.5, label: "\($0.element.trial)")
        }
    }

    private static func draw(
        _ stripes: [Stripe], _ time: MedianEstimate, _ range: ClosedRange<Double>, _ file: inout PlotData,
        _ script: inout GnuplotScript
    ) {
        func drawn(_ value: Double) -> Double { min(max(value, range.lowerBound), range.upperBound) }
        let look = SeriesLook(number: 0)
        if let interval = time.interval {
            let (lower, upper) = (drawn(interval.lower), drawn(interval.upper))
            script.add(
                "set object 1 rectangle from graph 0, first \(GnuplotScript.number(lower)) to graph 1, "
                    + "first \(GnuplotScript.number(upper)) behind fillcolor rgb '#eef1f4' fillstyle solid noborder")
        }
        let middle = GnuplotScript.Coordinate.first(drawn(time.median))
        script.line((.graph(0), middle), (.graph(1), middle), colour: "#8a8f96", dash: "(4,3)", front: false)
        var ranges: [Segment] = []
        var dots: [Segment] = []
        var medians: [Segment] = []
        var above: [[Double]] = []
        var below: [[Double]] = []
        // A dot is a line of a third of a pixel with round ends.
        let dot = Double(stripes.count) / (Double(PlotFrame.width) - left - right) / 3
        for (place, stripe) in stripes.enumerated() {
            let start = Double(place) + 0.04
            medians.append((start, drawn(stripe.median), start + 0.92, drawn(stripe.median)))
            if place > 0 {
                let x = GnuplotScript.Coordinate.first(Double(place))
                script.line((x, .graph(0)), (x, .graph(1)), colour: GnuplotScript.grid, front: false)
            }
            for column in stripe.columns {
                let x = start + 0.92 * column.at / Double(stripe.span)
                let least = Double(column.least) / fine
                let middle = Double(column.median) / fine
                let greatest = Double(column.greatest) / fine
                // Three values or fewer are all drawn as themselves: a line between two samples would suggest more.
                if column.count > 3 { ranges.append((x, drawn(least), x, drawn(greatest))) }
                for value in column.count > 3 ? [middle] : Set([least, middle, greatest]).sorted() {
                    if range.contains(value) { dots.append((x, value, x + dot, value)) }
                }
                if greatest > range.upperBound { above.append([x, range.upperBound]) }
                if least < range.lowerBound { below.append([x, range.lowerBound]) }
            }
        }
        var elements: [String] = []
        let columns = "trial_place time_ns"
        func lines(_ about: String, _ segments: [Segment], _ width: String, _ colour: String) {
            guard let set = file.add(about, columns: columns, segments: segments) else { return }
            elements.append("data index \(set) with lines linewidth \(width) linecolor rgb '\(colour)' notitle")
        }
        func points(_ about: String, _ rows: [[Double]], _ marker: Int) {
            guard let set = file.add(about, columns: columns, rows: rows) else { return }
            elements.append(
                "data index \(set) with points pointtype \(marker) pointsize 0.5 linecolor rgb '\(look.colour)' notitle"
            )
        }
        lines("least to greatest of columns with more than three samples", ranges, "1.6", look.lightColour)
        lines("medians, and the samples of columns with three or fewer", dots, "2.4", look.colour)
        lines("medians of the trials", medians, "1.4", GnuplotScript.ink)
        points("columns with values above", above, 9)
        points("columns with values below", below, 11)
        script.plot(elements)
    }

    private static func caption(
        _ stripes: [Stripe], _ trials: Int, _ time: MedianEstimate, _ values: [Double], _ range: ClosedRange<Double>
    ) -> String {
        let medians = stripes.map(\.median)
        var text = "An iteration takes \(EstimateText.duration(time))"
        if let least = medians.min(), let greatest = medians.max(), medians.count > 1 {
            text += "; the trials’ own medians lie in \(EstimateText.between(least, greatest, around: time))"
        }
        text += "."
        text += beyond(values.filter { $0 > range.upperBound }, "above the drawn range, up to") { $0.max() }
        text += beyond(values.filter { $0 < range.lowerBound }, "below the drawn range, down to") { $0.min() }
        if stripes.count < trials { text += " Of \(trials) trials \(stripes.count) are shown, sampled evenly." }
        return text
    }

    /// A sentence on samples that lie beyond the drawn range.
    private static func beyond(_ values: [Double], _ place: String, _ furthest: ([Double]) -> Double?) -> String {
        guard let furthest = furthest(values) else { return "" }
        return
            " Triangles at the edge: \(PlainNumber.counted(values.count, "sample")) \(place) \(PlainDuration.text(furthest))."
    }
}
