import CommandOptions
import FoundationEssentials
import Results
import TaskMeter

/// Lists benchmarks without running them.
enum ListCommand: Command {
    static let name = "list"
    static let summary = "List the benchmarks that a run would measure."

    static let syntax = CommandSyntax(
        command: "taskmeter list",
        about: "Lists the identities of benchmarks, one a line, in the order of their declaration.",
        options: [RunCommand.suiteOption] + RunOptions.selecting + [
            CommandOption(
                "format", argument: "FORMAT",
                "text (identities alone) or json (all that suites say of them). Default text.")
        ],
        notes: ExitCode.notes)

    static func run(_ command: ParsedCommand) throws -> Int32 {
        try refuseOperands(command)
        let format = command.last("format") ?? "text"
        guard ["text", "json"].contains(format) else {
            throw UsageError("--format “\(format)” is not known to list; there are: text, json")
        }
        let names = command.all("suite")
        let request = try RunOptions.request(
            command, suites: try SuiteSearch.find(names), suitesWereNamed: !names.isEmpty)
        let benchmarks = try request.selectedBenchmarks()
        if format == "json" {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            Console.write(String(decoding: try encoder.encode(benchmarks), as: UTF8.self) + "\n")
        } else {
            Console.write(benchmarks.map { $0.id.description + "\n" }.joined())
        }
        return ExitCode.done
    }
}
