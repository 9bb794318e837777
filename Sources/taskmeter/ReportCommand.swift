import Analysis
import CommandOptions
import Reporting
import Results
import TaskMeter

/// Makes the report of a run that is on disk.
enum ReportCommand: Command {
    static let name = "report"
    static let summary = "Make the report of a run folder, also of one that was killed."

    static let syntax = CommandSyntax(
        command: "taskmeter report", operands: "[FOLDER]",
        about: """
            Reads a run folder (default Reports/latest), draws its plots and writes its index.html. Of a run that was
            interrupted or killed it shows what was measured, and says what is missing.
            """,
        options: [
            CommandOption(
                "format", argument: "FORMAT",
                "Print the results in place of making the page: \(ResultExporters.all.map { $0.name }.joined(separator: ", "))."
            ),
            CommandOption("quiet", short: "q", "No progress on standard error."),
        ],
        notes: ExitCode.notes)

    static func run(_ command: ParsedCommand) throws -> Int32 {
        guard command.operands.count <= 1 else {
            throw UsageError("one run folder at a time, please: \(command.operands.joined(separator: ", "))")
        }
        let format = command.has("format") ? try ResultFormat(command) : nil
        let data = try RunData.load(RunFolder(command.operands.first ?? "Reports/latest"))
        let summaries = data.summaries()
        if let format {
            format.write(data, summaries)
        } else {
            try makeReport(data, summaries, quiet: command.has("quiet"))
        }
        return ExitCode.done
    }

    /// Draws the plots, writes the page, and says on standard error where it is.
    static func makeReport(_ data: RunData, _ summaries: [BenchmarkSummary], quiet: Bool) throws {
        let onTerminal = Console.isTerminal(.error)
        let writer = ReportWriter { step in
            if onTerminal, !quiet { Console.write("\r\u{1B}[K\(step)", to: .error) }
        }
        let outcome = try writer.write(data, summaries: summaries)
        guard !quiet else { return }
        if onTerminal { Console.write("\r\u{1B}[K", to: .error) }
        for sentence in outcome.missingPlots { Console.write("\(sentence)\n", to: .error) }
        Console.write(
            "report with \(outcome.plots) \(outcome.plots == 1 ? "plot" : "plots"): \(outcome.reportFile)\n", to: .error
        )
    }
}
