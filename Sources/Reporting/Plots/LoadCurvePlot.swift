import Analysis
import Results
import Words

/// Response against throughput as more tasks arrive: a curve for each contender, with its knee.
enum LoadCurvePlot {
    static let kind = "load"
    static let title = "Response under growing load"
    static let howToRead =
        "Follow a curve from the left: each marker is one rate of arrivals, written beside it, at the throughput and the p99 response that came of it "
        + "(the thin dashed line is the p50). A curve that turns upwards, or back, has met its limit; the ring is the highest rate that was kept up with."

    private struct Curve {
        var curve: LoadCurve
        var look: SeriesLook
        var knee: Double?
        /// Rate, throughput, response.
        var p50: [(rate: Double, x: Double, y: Double)]
        var p99: [(rate: Double, x: Double, y: Double)]
    }

    static func draw(_ view: LoadView, _ frame: PlotFrame) -> PlotDrawing {
        let curves = view.family.curves.compactMap { curve -> Curve? in
            func points(_ value: (LoadCurve.Point) -> Double?) -> [(rate: Double, x: Double, y: Double)] {
                curve.points.compactMap { point in
                    guard let x = point.throughput, let y = value(point), y > 0 else { return nil }
                    return (point.rate, x, y)
                }
            }
            let (p50, p99) = (points(\.responseP50), points(\.responseP99))
            guard !p50.isEmpty else { return nil }
            return Curve(curve: curve, look: view.look(curve), knee: curve.knee.rate, p50: p50, p99: p99)
        }
        guard !curves.isEmpty else { return .nothing(reason: "no trial completed") }
        let all = curves.flatMap { $0.p50 + $0.p99 }
        let x = PlotAxis.rate(all.map(\.x))
        let y = PlotAxis.logarithmicTime(all.map(\.y))
        let height = max(400, 90 + 17 * curves.count)
        var file = PlotData("response against throughput of \(view.identity): tasks that ended well per second, ns")
        var script = GnuplotScript(
            name: frame.name, about: "response against throughput of \(view.identity)", width: PlotFrame.width,
            height: height, roundCaps: true)
        script.margins(left: 0.085, right: 0.74, top: 1 - 30 / Double(height), bottom: 52 / Double(height))
        script.axis("x", x)
        script.axis("y", y)
        script.label(
            "tasks per second that ended well" + (x.isLogarithmic ? ", logarithmic" : ", from zero"), .graph(0.5),
            .screen(12 / Double(height)), .centre, size: 11, colour: GnuplotScript.faintInk)
        script.label(
            "response, due to end, logarithmic: p99 solid, p50 dashed", .screen(0.012),
            .screen(1 - 13 / Double(height)), size: 11, colour: GnuplotScript.faintInk)
        let ends = curves.map { $0.p99.last ?? $0.p50[$0.p50.count - 1] }
        let places = LabelPlaces.spread(
            ends.map { y.share(of: $0.y) }, distance: min(17 / Double(height - 82), 1 / Double(curves.count)))
        var elements: [String] = []
        for (index, curve) in curves.enumerated() {
            script.line(
                (.first(ends[index].x), .first(y.drawn(ends[index].y))), (.graph(1.02), .graph(places[index])),
                colour: "#d8d8d8", width: 0.75, front: false)
            script.marker(curve.look, .graph(1.032), .graph(places[index]))
            let limit = curve.knee.map { ", up to \(LoadView.rate($0)) /s" } ?? ""
            script.label(
                PlainText.oneLine(curve.curve.name, columns: 30 - limit.count) + limit, .graph(1.05),
                .graph(places[index]), size: 11, columns: 30)
            let columns = "throughput_per_s response_ns rate_per_s"
            if let set = file.add(
                "p50 of \(curve.curve.name)", columns: columns, rows: curve.p50.map { [$0.x, $0.y, $0.rate] })
            {
                elements.append(
                    "data index \(set) using 1:2 with linespoints linewidth 1 dashtype (4,4) pointtype \(curve.look.marker) "
                        + "pointsize 0.4 linecolor rgb '\(curve.look.lightColour)' notitle")
            }
            if let set = file.add(
                "p99 of \(curve.curve.name)", columns: columns, rows: curve.p99.map { [$0.x, $0.y, $0.rate] })
            {
                elements.append(
                    "data index \(set) using 1:2 with linespoints linewidth 1.6 pointtype \(curve.look.marker) "
                        + "pointsize 0.8 linecolor rgb '\(curve.look.colour)' notitle")
            }
            if let knee = curve.p99.first(where: { $0.rate == curve.knee }),
                let set = file.add(
                    "knee of \(curve.curve.name)", columns: columns, rows: [[knee.x, knee.y, knee.rate]])
            {
                elements.append(
                    "data index \(set) using 1:2 with points pointtype 6 pointsize 2.2 linewidth 1.5 linecolor rgb '\(GnuplotScript.ink)' notitle"
                )
            }
        }
        labelRates(curves, x, y, height: Double(height - 82), &script)
        script.plot(elements)
        let caption = caption(view)
        return .ready(
            script: script.text, data: file.bytes, caption: caption,
            description: "Curves: p50 and p99 response against throughput of \(curves.count). \(caption)")
    }

    /// Each rate beside its marker, where there is room: above, below, or not at all.
    private static func labelRates(
        _ curves: [Curve], _ x: PlotAxis, _ y: PlotAxis, height: Double, _ script: inout GnuplotScript
    ) {
        let width = (0.74 - 0.085) * Double(PlotFrame.width)
        var taken: [(x: Double, y: Double)] = curves.flatMap(\.p99).map {
            (x.share(of: $0.x) * width, y.share(of: $0.y) * height)
        }
        // The rates at which curves have their knees are the ones to read.
        let points = curves.flatMap { curve in curve.p99.map { (curve, $0) } }
            .sorted { ($0.0.knee == $0.1.rate ? 0 : 1, $0.1.rate) < ($1.0.knee == $1.1.rate ? 0 : 1, $1.1.rate) }
        for (curve, point) in points {
            let place = (x: x.share(of: point.x) * width, y: y.share(of: point.y) * height)
            // Beyond the ring of a knee.
            let free = [19.0, -19].first { shift in
                place.y + shift > 0 && place.y + shift < height + 14
                    && !taken.contains { abs($0.x - place.x) < 30 && abs($0.y - place.y - shift) < 12 }
            }
            guard let free else { continue }
            taken.append((place.x, place.y + free))
            script.label(
                LoadView.rate(point.rate), .graph(place.x / width), .graph((place.y + free) / height), .centre, size: 9,
                colour: curve.look.colour, columns: 12)
        }
    }

    private static func caption(_ view: LoadView) -> String {
        let sentences = view.sentences
        let more = sentences.count > 6 ? " And \(sentences.count - 6) more." : ""
        return sentences.prefix(6).joined(separator: " ") + more
            + " The ring: \(LoadView.kneeMeaning). Arrivals are counted from the first that was due to the last, and ends from the first to the "
            + "last, so that how long the last task takes is not held against anyone."
    }
}
