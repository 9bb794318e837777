import Results
import Words

/// Where the time of tasks goes, as a table for a terminal.
extension TextExporter {
    /// The segments of least share leave first where the terminal is narrow.
    static func phaseTable(_ view: PhaseView) -> TextTable {
        let cells = PhaseCells(view)
        let shares = cells.columns.map { column in view.rows.compactMap { view.segment($0, column)?.share }.max() ?? 0 }
        let order = shares.indices.sorted { (-shares[$0], $0) < (-shares[$1], $1) }
        var table = TextTable(columns: [.init(title: "median · share of spent, to", right: false, dispensability: 0)])
        for (index, column) in cells.columns.enumerated() {
            table.columns.append(
                .init(title: column.title, right: true, dispensability: order.firstIndex(of: index) ?? 0))
        }
        table.rows = view.rows.map { row in [row.name] + cells.columns.map { cells.cell(row, $0) } }
        return table
    }
}
