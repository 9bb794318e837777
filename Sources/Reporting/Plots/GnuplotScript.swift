import Words

/// Builds a gnuplot script that a person can run, read and change.
///
/// Text from outside enters only through `quoted`, in which no character is left that could end the string or mean
/// anything to gnuplot; and every text is drawn with `noenhanced`, so that `_ ^ { } @` stay themselves.
struct GnuplotScript {
    enum Side { case left, right, centre }
    /// A position: in the data's own numbers, in shares of the plot, or in shares of the whole picture.
    enum Coordinate {
        case first(Double)
        case graph(Double)
        case screen(Double)

        var text: String {
            switch self {
            case .first(let value): "first \(number(value))"
            case .graph(let value): "graph \(number(value))"
            case .screen(let value): "screen \(number(value))"
            }
        }
    }

    static let ink = "#333333"
    static let faintInk = "#5c5c5c"
    static let grid = "#e6e6e6"

    private(set) var text = ""

    /// - Parameters:
    ///   - name: the safe name that script, data and picture share.
    ///   - about: what the plot shows, for a comment.
    ///   - roundCaps: whether lines end in half circles, which makes dots of very short ones.
    init(name: String, about: String, width: Int, height: Int, roundCaps: Bool) {
        add("# TaskMeter: “\(PlainText.oneLine(about))”")
        add("# Draw it again: cd plots && gnuplot \(name).gnuplot")
        add("if (!exists(\"output\")) output = '\(name).svg'")
        add(
            "set terminal svg size \(width),\(height) dynamic noenhanced \(roundCaps ? "rounded" : "butt") "
                + "font 'sans-serif,12' background '#ffffff'")
        add("set encoding utf8")
        add("set decimalsign '.'")
        add("set output output")
        add("data = '\(name).dat'")
        add("unset key")
        add("set border 3 lc rgb '#9a9a9a' lw 1")
        add("set tics nomirror out scale 0.5 font 'sans-serif,11' textcolor rgb '\(Self.ink)'")
        add("set xtics offset 0,0.35")
    }

    mutating func add(_ line: String) { text += line + "\n" }

    /// A text as gnuplot's string.
    ///
    /// Double-quoted, with every quote, back-quote (which would run a command) and backslash as an octal escape.
    /// Single-quoted strings would be the natural choice, but gnuplot 5.4 reads `'''; …'`, a doubled quote at the
    /// beginning, as an empty string with code after it.
    static func quoted(_ text: String, columns: Int = 200) -> String {
        var result = "\""
        for scalar in PlainText.oneLine(text, columns: columns).unicodeScalars {
            switch scalar {
            case "\"": result += "\\042"
            case "'": result += "\\047"
            case "\\": result += "\\134"
            case "`": result += "\\140"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0).0" } ?? "\(value)"
    }

    /// Sets the range, scale and ticks of an axis (`x` or `y`).
    mutating func axis(_ letter: String, _ axis: PlotAxis, labels: Bool = true, gridLines: Bool = true) {
        add(axis.isLogarithmic ? "set logscale \(letter)" : "unset logscale \(letter)")
        add("set \(letter)range [\(Self.number(axis.lower)):\(Self.number(axis.upper))]")
        ticks(letter, axis.ticks, labels: labels)
        if gridLines { add("set grid \(letter)tics lt 1 lw 1 lc rgb '\(Self.grid)'") }
    }

    mutating func ticks(_ letter: String, _ ticks: [PlotAxis.Tick], labels: Bool = true) {
        // Tick labels, alone among all texts, are formats: a percent sign in them is doubled.
        let list = ticks.map {
            let label =
                labels ? $0.label.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%") : ""
            return "\(Self.quoted(label)) \(Self.number($0.position))"
        }
        add("set \(letter)tics (\(list.joined(separator: ", ")))")
    }

    mutating func label(
        _ content: String, _ x: Coordinate, _ y: Coordinate, _ side: Side = .left, size: Int = 12,
        colour: String = ink, columns: Int = 200, bold: Bool = false
    ) {
        let sideText =
            switch side {
            case .left: "left"
            case .right: "right"
            case .centre: "center"
            }
        let font = bold ? "sans-serif:Bold" : "sans-serif"
        add(
            "set label \(Self.quoted(content, columns: columns)) at \(x.text), \(y.text) \(sideText) noenhanced front "
                + "font '\(font),\(size)' textcolor rgb '\(colour)'")
    }

    mutating func marker(_ look: SeriesLook, _ x: Coordinate, _ y: Coordinate, size: Double = 0.8) {
        add(
            "set label '' at \(x.text), \(y.text) front point pointtype \(look.marker) pointsize \(Self.number(size)) "
                + "linecolor rgb '\(look.colour)'")
    }

    mutating func line(
        _ from: (Coordinate, Coordinate), _ to: (Coordinate, Coordinate), colour: String, width: Double = 1,
        dash: String = "solid", front: Bool = true
    ) {
        add(
            "set arrow from \(from.0.text), \(from.1.text) to \(to.0.text), \(to.1.text) nohead "
                + "\(front ? "front" : "back") linewidth \(Self.number(width)) dashtype \(dash) linecolor rgb '\(colour)'"
        )
    }

    mutating func margins(left: Double, right: Double, top: Double, bottom: Double) {
        add("set lmargin at screen \(Self.number(left)); set rmargin at screen \(Self.number(right))")
        add("set tmargin at screen \(Self.number(top)); set bmargin at screen \(Self.number(bottom))")
    }

    /// Draws the elements, or the bare axes when there are none.
    mutating func plot(_ elements: [String]) {
        add("plot " + (elements.isEmpty ? "NaN notitle" : elements.joined(separator: ", \\\n     ")))
    }

    mutating func clearLabels() { add("unset label; unset arrow") }
}
