import Words

/// The data file of a plot: datasets of whitespace-separated numbers, which gnuplot addresses by `index`.
///
/// Only numbers and comments go in here. A dataset without rows would shift the numbers of those after it, so that it
/// is never written: `add` returns nil and nothing refers to it.
struct PlotData {
    private(set) var bytes: [UInt8] = []
    private var datasets = 0

    init(_ heading: String) {
        comment("TaskMeter; times in ns unless said otherwise; datasets are set apart by two blank lines")
        comment(heading)
    }

    /// Adds a dataset of rows and returns its index.
    mutating func add(_ about: String, columns: String, rows: [[Double]]) -> Int? {
        guard !rows.isEmpty else { return nil }
        begin(about, columns)
        for row in rows { append(row) }
        return finish()
    }

    /// Adds a dataset of lines that are not joined: each runs from its first point to its second.
    mutating func add(
        _ about: String, columns: String, segments: [(Double, Double, Double, Double)]
    ) -> Int? {
        guard !segments.isEmpty else { return nil }
        begin(about, columns + ", two rows a line")
        for (x0, y0, x1, y1) in segments {
            append([x0, y0])
            append([x1, y1])
            bytes.append(UInt8(ascii: "\n"))
        }
        return finish()
    }

    private mutating func begin(_ about: String, _ columns: String) {
        if datasets > 0 { bytes.append(contentsOf: [UInt8(ascii: "\n"), UInt8(ascii: "\n")]) }
        comment("dataset \(datasets): \(about)")
        comment("columns: \(columns)")
    }

    private mutating func finish() -> Int {
        datasets += 1
        return datasets - 1
    }

    private mutating func append(_ row: [Double]) {
        for (place, value) in row.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: " ")) }
            // Whole numbers without a point; a Double's own description is the shortest exact one, in any locale.
            let whole = Int64(exactly: value)
            bytes.append(contentsOf: (whole.map(String.init) ?? "\(value)").utf8)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func comment(_ text: String) {
        bytes.append(contentsOf: ("# " + PlainText.oneLine(text) + "\n").utf8)
    }
}
