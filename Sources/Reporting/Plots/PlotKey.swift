import Words

/// What the colours of a plot mean: squares with names, in lines of the width of the picture.
struct PlotKey {
    /// In pixels.
    private static let lineHeight = 18.0
    private static let left = 16.0

    private var places: [(title: String, colour: String, x: Double, line: Int)] = []
    private var lines = 1

    init(_ entries: [(title: String, colour: String)]) {
        var x = Self.left
        for (title, colour) in entries {
            // A generous guess, for what letters are drawn with is not known here.
            let width = 24 + 6.5 * Double(DisplayWidth.of(title))
            if x + width > Double(PlotFrame.width) - Self.left, x > Self.left {
                lines += 1
                x = Self.left
            }
            places.append((title, colour, x, lines - 1))
            x += width + 10
        }
    }

    var height: Double { Double(lines) * Self.lineHeight + 8 }

    /// Draws it at the top of a picture of a height in pixels.
    func draw(_ pictureHeight: Double, _ script: inout GnuplotScript) {
        for (title, colour, x, line) in places {
            let y = 1 - (Double(line) * Self.lineHeight + 13) / pictureHeight
            script.square(colour, .screen((x + 5) / Double(PlotFrame.width)), .screen(y))
            script.label(title, .screen((x + 14) / Double(PlotFrame.width)), .screen(y), size: 11, columns: 40)
        }
    }
}

extension GnuplotScript {
    mutating func square(_ colour: String, _ x: Coordinate, _ y: Coordinate) {
        add("set label '' at \(x.text), \(y.text) front point pointtype 5 pointsize 0.9 linecolor rgb '\(colour)'")
    }
}
