import CommandOptions
import Reporting
import TaskMeter

/// Runs suites and makes the report.
enum RunCommand: Command {
    static let name = "run"
    static let summary = "Run suites, record every task, and make a report."

    static let syntax = CommandSyntax(
        command: "taskmeter run",
        about: """
            Runs the suites of the package in the working folder (the folders under Benchmarks/), each trial in a process
            of its own, in blocks of random order; prints the results on standard output and makes a report.
            """,
        options: [suiteOption] + RunOptions.selecting + RunOptions.running + [
            ResultFormat.option,
            CommandOption("no-report", "Record the run, but draw no plots and make no page."),
        ],
        notes: ExitCode.notes + """


            Examples:
              taskmeter run --suite Requests --axis bytes=1024
              taskmeter run --filter 'Compute/.*strategy=(pool-8|global-queue)' --trials 12
              taskmeter run --quick --format json > results.json
            """)

    static let suiteOption = CommandOption(
        "suite", short: "s", argument: "NAME",
        "Only this suite; with a slash it is the path of an executable. May be repeated.")

    static func run(_ command: ParsedCommand) throws -> Int32 {
        try refuseOperands(command)
        // Before anything starts a thread: threads inherit which signals are received through the inbox.
        let signals = SignalInbox()
        let format = try ResultFormat(command)
        let names = command.all("suite")
        let request = try RunOptions.request(
            command, suites: try SuiteSearch.find(names), suitesWereNamed: !names.isEmpty)
        let quiet = command.has("quiet")
        let progress = ProgressPrinter(quiet: quiet)
        let outcome = try Runner(request, signals: signals) { progress.show($0) }.run()
        progress.finish()
        // All is on disk: from here on a further Ctrl-C may end the process at once.
        signals.release()
        format.write(outcome.data, outcome.summaries)
        if !command.has("no-report") {
            try ReportCommand.makeReport(outcome.data, outcome.summaries, quiet: quiet)
        }
        return outcome.exitCode
    }
}
