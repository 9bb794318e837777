import Results
import Words

/// Failures by class as rows of a table.
enum FailureText {
    struct Row: Hashable {
        var benchmark: String
        var `class`: String
        var count: Int
        /// Of all tasks of all trials.
        var share: Double
        /// `no byte for 5 s (12), no connection (3) and 2 others (2)`.
        var details: String
    }

    /// Empty where no reason tells a class.
    static func rows(_ named: [(name: String, summary: BenchmarkSummary)]) -> [Row] {
        guard named.contains(where: { ($0.summary.failureClasses ?? []).contains { $0.name != nil } }) else {
            return []
        }
        return named.flatMap { name, summary in
            (summary.failureClasses ?? []).map { failed in
                Row(
                    benchmark: name, class: failed.name.map { PlainText.oneLine($0, columns: 60) } ?? "other reasons",
                    count: failed.count,
                    share: Double(failed.count) / Double(max(summary.tasks.submitted, 1)), details: details(failed))
            }
        }
    }

    private static func details(_ failed: FailureClass) -> String {
        if failed.differentDetails == 1, let only = failed.details.first { return PlainText.excerpt(only.text) }
        var parts = failed.details.map { "\(PlainText.excerpt($0.text)) (\(PlainNumber.grouped($0.count)))" }
        let rest = failed.count - failed.details.reduce(0) { $0 + $1.count }
        let kinds = failed.differentDetails - failed.details.count
        if kinds > 0 { parts.append("\(PlainNumber.counted(kinds, "other")) (\(PlainNumber.grouped(rest)))") }
        return PlainText.list(parts)
    }
}
