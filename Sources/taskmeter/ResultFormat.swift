import Analysis
import CommandOptions
import Reporting
import Results

/// The format in which results are printed.
struct ResultFormat {
    private let exporter: any ResultExporter.Type

    static let option = CommandOption(
        "format", argument: "FORMAT",
        "How results are printed: \(ResultExporters.all.map { $0.name }.joined(separator: ", ")). Default text.")

    /// The format that was asked for, or text.
    init(_ command: ParsedCommand) throws(UsageError) {
        let name = command.last("format") ?? "text"
        guard let exporter = ResultExporters.named(name) else {
            let names = ResultExporters.all.map { $0.name }.joined(separator: ", ")
            throw UsageError("--format “\(name)” is not known; there are: \(names)")
        }
        self.exporter = exporter
    }

    /// Prints a run's results on standard output.
    func write(_ data: RunData, _ summaries: [BenchmarkSummary]) {
        let style = TextStyle(width: Console.width(.output), colour: Console.usesColour(.output))
        Console.write(exporter.export(data, summaries, style: style))
    }
}
