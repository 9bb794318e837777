import Analysis
import ChildProcesses
import CommandOptions
import FoundationEssentials
import Glibc
import LoadPlans
import Reporting
import Results
import TaskMeter

/// Puts a web server under load and measures each request.
enum LoadCommand: Command {
    static let name = "load"
    static let summary = "Put a web server under load, open or closed, and measure every request."

    /// Six trials are the fewest whose median has an interval of 95 %.
    private static let defaultTrials = 6
    private static let ofRuns = ["trials", "seed", "clock", "idle", "battery", "output", "quiet"]

    static let syntax = CommandSyntax(
        command: "taskmeter load", operands: "URL [URL…]",
        about: """
            Sends the same request over and over and records each by its ID: when it was due, sent and answered. Trials run
            in processes of their own; two servers or two stacks are compared in interleaved trials.
            With --rate the latency of a request counts from when it was due, so that a server that stalls shows in the tail
            (an open loop). With --concurrency each request waits for another's end, and a stall hides the requests that were
            not sent meanwhile; what they would have met is then shown beside it, as a correction by the usual time.
            """,
        options: LoadOptions.all + RunOptions.running.filter { ofRuns.contains($0.name) } + [
            ResultFormat.option,
            CommandOption("no-report", "Record the run, but draw no plots and make no page."),
        ],
        notes: ExitCode.notes + """


            Examples:
              taskmeter load http://127.0.0.1:8080/ --rate 1000 --duration 10
              taskmeter load http://127.0.0.1:8080/ --rate 1000,2000,4000,8000
              taskmeter load http://127.0.0.1:8080/a http://127.0.0.1:8080/b --concurrency 8
            """)

    static func run(_ command: ParsedCommand) throws -> Int32 {
        let signals = SignalInbox()
        let format = try ResultFormat(command)
        let plan = try LoadOptions.plan(command)
        let generator = OwnProgram.folder + "/" + LoadPlan.generator
        guard access(generator, X_OK) == 0 else {
            throw RunError.environment(
                "the generator \(generator) is missing; `swift build -c release --product \(LoadPlan.generator)` builds it"
            )
        }
        let encoded = try JSONEncoder().encode(plan)
        setenv(LoadPlan.variable, String(decoding: encoded, as: UTF8.self), 1)
        let check = try ChildProcess.run(generator, [LoadPlan.checkOption])
        guard check.status == .exited(ExitCode.done) else {
            throw UsageError(check.text.split(separator: "\n").joined(separator: " ") + check.errors)
        }
        var request = try RunOptions.request(
            command, suites: [SuiteExecutable(name: LoadPlan.suite, path: generator)], suitesWereNamed: true)
        if request.trials == nil { request.trials = defaultTrials }
        request.timeLimit = plan.longestTrial
        let quiet = command.has("quiet")
        let progress = ProgressPrinter(quiet: quiet)
        let outcome = try Runner(request, signals: signals) { progress.show($0) }.run()
        progress.finish()
        signals.release()
        format.write(outcome.data, outcome.summaries)
        let files = try LatencyHistograms.write(outcome.data)
        if !quiet, let first = files.first {
            Console.write(
                "\(files.count == 1 ? "histogram" : "\(files.count) histograms, the first"): \(first)\n", to: .error)
        }
        if !command.has("no-report") {
            try ReportCommand.makeReport(outcome.data, outcome.summaries, quiet: quiet)
        }
        return outcome.exitCode
    }
}

extension LoadPlan {
    /// How long a trial may take before it is ended: its requests, the last of which may time out, and what lies around them.
    fileprivate var longestTrial: Nanoseconds {
        let sending: Nanoseconds =
            if case .recorded(let moments) = arrivals { Nanoseconds(moments.last ?? 0) } else { duration }
        return sending + timeLimit + timeLimit + .seconds(60)
    }
}
