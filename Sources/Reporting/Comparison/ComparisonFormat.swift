import Comparison
import Foundation
import Results
import Words

/// A form in which a comparison is written to standard output.
package enum ComparisonFormat: String, CaseIterable, Sendable {
    case text
    /// For a pull request.
    case markdown
    case json

    /// The comparison as text, with a line end at the end.
    package func text(_ result: ComparisonRecord, style: TextStyle) throws -> String {
        switch self {
        case .text: Self.plain(result, style)
        case .markdown: Self.markdown(result)
        case .json: String(decoding: try ComparisonFolder.json(result), as: UTF8.self) + "\n"
        }
    }

    private static func plain(_ result: ComparisonRecord, _ style: TextStyle) -> String {
        let isBad = result.count(.regressed) + result.count(.failed) > 0
        var lines = [
            style.emphasised(style.wrapped(ComparisonRows.sentence(result)), isBad ? .caution : .bold)
        ]
        lines += ComparisonRows.method(result).map { style.emphasised(style.wrapped($0), .faint) }
        let rows = ComparisonRows(result).rows
        var table = TextTable(columns: [
            .init(title: "verdict", right: false, dispensability: 0),
            .init(title: "benchmark", right: false, dispensability: 0),
            .init(title: "metric", right: false, dispensability: 4),
            .init(title: "base", right: true, dispensability: 3),
            .init(title: "head", right: true, dispensability: 3),
            .init(title: "change", right: true, dispensability: 0),
            .init(title: "interval", right: true, dispensability: 0),
            .init(title: "pairs", right: true, dispensability: 2),
            .init(title: "would see", right: true, dispensability: 1),
        ])
        table.rows = rows.map {
            [$0.verdict, $0.name, $0.metric, $0.base, $0.head, $0.change, $0.interval, $0.pairs, $0.seen]
        }
        table.highlighted = Set(rows.indices.filter { rows[$0].judgement.verdict == .improved })
        if !rows.isEmpty { lines += [""] + table.lines(style).lines }
        let noted = rows.filter { !$0.note.isEmpty }
        if !noted.isEmpty {
            lines.append("")
            lines += noted.map { style.emphasised(style.wrapped("\($0.name): \($0.note)"), .faint) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// GitHub takes so many characters of a comment, and no more.
    private static let mostCharacters = 65_536

    private static func markdown(_ result: ComparisonRecord) -> String {
        func escaped(_ text: String) -> String { MarkdownExporter.escaped(text) }
        let head =
            ["**\(escaped(ComparisonRows.sentence(result)))**", ""]
            + ComparisonRows.method(result).flatMap { [escaped($0), ""] }
        let rows = ComparisonRows(result).rows
        func table(_ rows: [ComparisonRows.Row]) -> [String] {
            let titles = [
                "", "benchmark", "metric", "base", "head", "change", "interval", "pairs", "would see", "note",
            ]
            return [
                "| " + titles.joined(separator: " | ") + " |", "|" + String(repeating: " --- |", count: titles.count),
            ]
                + rows.map { row in
                    let cells = [
                        row.verdict, row.name, row.metric, row.base, row.head, row.change, row.interval, row.pairs,
                        row.seen, row.note,
                    ]
                    return "| " + cells.map(escaped).joined(separator: " | ") + " |"
                }
        }
        let noted = rows.filter(ComparisonRows.isNoted)
        let others = rows.filter { !ComparisonRows.isNoted($0) }
        var lines = head
        if !noted.isEmpty { lines += table(noted) + [""] }
        if !others.isEmpty {
            lines +=
                ["<details><summary>\(others.count) unchanged</summary>", ""] + table(others) + ["", "</details>"]
        }
        return cut(lines)
    }

    /// As many lines as a comment may have, and how many were left out.
    private static func cut(_ lines: [String]) -> String {
        let whole = lines.joined(separator: "\n") + "\n"
        guard whole.utf16.count > mostCharacters else { return whole }
        var text = ""
        var used = 0
        for (index, line) in lines.enumerated() {
            let length = line.utf16.count + 1
            guard used + length <= mostCharacters - 200 else {
                let isInside = text.contains("<details>")
                return text + "\n\(lines.count - index) lines were left out: a comment takes no more."
                    + (isInside ? "\n\n</details>\n" : "\n")
            }
            text += line + "\n"
            used += length
        }
        return text
    }
}
