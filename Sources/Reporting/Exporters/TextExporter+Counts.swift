import Results
import Words

/// What trials counted in place of timing, as a table for a terminal.
extension TextExporter {
    private static let columns: [(title: String, metrics: [String])] = [
        ("instructions", ["emulated_instructions"]), ("with the strategy", ["process_emulated_instructions"]),
        ("retains", ["emulated_retains"]), ("objects", ["emulated_objects"]),
        ("allocations", ["allocations", "process_allocations"]),
        ("allocated", ["allocated_bytes", "process_allocated_bytes"]), ("left", ["leaked_bytes"]),
    ]

    /// Nil where nothing was counted.
    ///
    /// - Parameter unit: what the numbers are by: “task” or “iteration”.
    static func countTable(
        _ named: [(name: String, summary: BenchmarkSummary)], by unit: String
    ) -> TextTable? {
        func cost(_ summary: BenchmarkSummary, _ metrics: [String]) -> CostSummary? {
            metrics.compactMap { metric in summary.costs?.first { $0.metric == metric && $0.estimate != nil } }.first
        }
        let shown = columns.filter { column in named.contains { cost($0.summary, column.metrics) != nil } }
        guard !shown.isEmpty else { return nil }
        var table = TextTable(columns: [.init(title: "counted by \(unit)", right: false, dispensability: 0)])
        for (index, column) in shown.enumerated() {
            table.columns.append(.init(title: column.title, right: true, dispensability: 2 * index))
            // How far the trials lie apart is a part of the answer only for what ought to repeat.
            if column.metrics == ["emulated_instructions"] {
                table.columns.append(.init(title: "trials differ", right: true, dispensability: 1))
            }
        }
        for (name, summary) in named {
            var row = [name]
            for column in shown {
                let cost = cost(summary, column.metrics)
                row.append(cost.flatMap { CostText.cell($0) } ?? "–")
                if column.metrics == ["emulated_instructions"] {
                    row.append(cost?.spread.map { $0 == 0 ? "0" : PlainNumber.roughPercent($0) } ?? "–")
                }
            }
            table.rows.append(row)
        }
        return table
    }
}
