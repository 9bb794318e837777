import Analysis
import Results

/// A form in which results are written to standard output. A new one is a new file and a line in `ResultExporters.all`.
package protocol ResultExporter: SendableMetatype {
    /// What a person types to get it.
    static var name: String { get }
    /// The results as text, with a line end at the end.
    static func export(_ data: RunData, _ summaries: [BenchmarkSummary], style: TextStyle) -> String
}

/// Every form there is.
package enum ResultExporters {
    package static let all: [any ResultExporter.Type] = [
        TextExporter.self, MarkdownExporter.self, AdviceExporter.self, CSVExporter.self, JSONExporter.self,
    ]

    package static func named(_ name: String) -> (any ResultExporter.Type)? { all.first { $0.name == name } }
}
