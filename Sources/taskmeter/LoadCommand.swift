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
        let planFile = try PlanFile(plan)
        defer { planFile.remove() }
        let check = try ChildProcess.run(generator, [LoadPlan.checkOption])
        guard check.status == .exited(ExitCode.done) else {
            let said = check.text.split(separator: "\n").joined(separator: " ") + check.errors
            throw check.status == .exited(ExitCode.usage) && !said.isEmpty
                ? UsageError(said)
                : RunError.environment("the generator \(generator) ended with \(check.status): \(said)")
        }
        var request = try RunOptions.request(
            command, suites: [SuiteExecutable(name: LoadPlan.suite, path: generator)], suitesWereNamed: true)
        if request.trials == nil { request.trials = defaultTrials }
        request.command = LoadOptions.withoutSecrets(request.command)
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

/// The file by which the generator's processes get the plan, for as long as the command runs.
private struct PlanFile {
    private let path: String

    init(_ plan: LoadPlan) throws {
        let bytes = try JSONEncoder().encode(plan)
        var name = Array("\(FileManager.default.temporaryDirectory.path)/taskmeter-load-XXXXXX".utf8CString)
        // Of nobody else: bodies and headers may hold what lets somebody in.
        let descriptor = mkstemp(&name)
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else {
            throw RunError.environment(
                "no file can be made in the folder for temporary ones: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, bytes.count - written) }
            guard count > 0 else {
                throw RunError.environment("\(path) cannot be written: \(String(cString: strerror(errno)))")
            }
            written += count
        }
        setenv(LoadPlan.variable, path, 1)
    }

    func remove() { unlink(path) }
}

extension LoadPlan {
    /// How long a trial may take before it is ended: its requests, the last of which may time out, and what lies around them.
    fileprivate var longestTrial: Nanoseconds {
        let sending: Nanoseconds =
            if case .recorded(let moments) = arrivals { Nanoseconds(moments.last ?? 0) } else { duration }
        return sending + timeLimit + timeLimit + .seconds(60)
    }
}
