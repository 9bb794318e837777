import Words

/// A table for a terminal: columns line up whatever characters they hold, and the least important ones give way
/// when the width does not hold all.
struct TextTable {
    struct Column {
        var title: String
        var right: Bool
        /// Columns of a higher number leave first; 0 never leaves.
        var dispensability: Int
    }

    var columns: [Column]
    var rows: [[String]] = []
    /// Index of the row to set off, if any.
    var highlighted: Set<Int> = []

    private static let gap = "  "
    private static let narrowestName = 8

    /// The table's lines, and the titles of columns that were left out for want of width.
    func lines(_ style: TextStyle) -> (lines: [String], leftOut: [String]) {
        var kept = Array(columns.indices)
        var leftOut: [Int] = []
        func widths() -> [Int] {
            kept.map { column in
                rows.map { DisplayWidth.of($0[column]) }.reduce(DisplayWidth.of(columns[column].title), max)
            }
        }
        func total(_ widths: [Int]) -> Int {
            widths.reduce(0, +) + Self.gap.count * max(widths.count - 1, 0)
        }
        if let limit = style.width {
            while total(widths()) > limit,
                let next = kept.filter({ columns[$0].dispensability > 0 })
                    .max(by: { columns[$0].dispensability < columns[$1].dispensability })
            {
                kept.removeAll { $0 == next }
                leftOut.append(next)
            }
        }
        var final = widths()
        // What still does not fit is cut inside the widest column, which is the one with names.
        if let limit = style.width, let widest = final.indices.max(by: { final[$0] < final[$1] }) {
            let excess = total(final) - limit
            if excess > 0 { final[widest] = max(final[widest] - excess, Self.narrowestName) }
        }
        func line(_ cells: [String]) -> String {
            var text = ""
            for (place, column) in kept.enumerated() {
                if place > 0 { text += Self.gap }
                let cell = DisplayWidth.clipped(cells[column], to: final[place])
                text += DisplayWidth.padded(cell, to: final[place], right: columns[column].right)
            }
            while text.last == " " { text.removeLast() }
            return text
        }
        var lines = [style.emphasised(line(columns.map(\.title)), .bold)]
        for (index, row) in rows.enumerated() {
            lines.append(highlighted.contains(index) ? style.emphasised(line(row), .good) : line(row))
        }
        return (lines, leftOut.sorted().map { columns[$0].title })
    }
}
