import CommandOptions
import Comparison
import FoundationEssentials
import Probes
import Reporting
import Results
import TaskMeter

/// Compares two builds of the same suites.
enum CompareCommand: Command {
    static let name = "compare"
    static let summary = "Compare two builds of suites by turns, and say what changed."

    private static let defaultTime = 60.0
    private static let ofRuns = ["seed", "time-limit", "clock", "output", "allow-debug", "quiet"]

    static let syntax = CommandSyntax(
        command: "taskmeter compare", operands: "BASE HEAD",
        about: """
            BASE and HEAD are folders with the executables of suites, such as the build folders of two checkouts, or one
            executable each. Trials of both sides are made by turns, in an order drawn by a coin, until every benchmark is
            decided or has had its time. A benchmark has regressed or improved when its change is certain, and larger than
            half the tolerance; it is unchanged when the change is certain to lie inside the tolerance; else it is undecided.
            """,
        options: [RunCommand.suiteOption] + RunOptions.selecting + [
            CommandOption(
                "tolerance", argument: "PERCENT", "The change that does not matter. Default 2."),
            CommandOption(
                "false-alarms", argument: "PERCENT",
                "How many of a hundred comparisons of a program with itself may tell of any change at all. Default 1."),
            CommandOption(
                "metric", argument: "NAME",
                "Judge this metric, such as time, throughput, spent_p99 or cpu_time. Default: the one that decides each benchmark. May be repeated."
            ),
            CommandOption(
                "time", argument: "SECONDS",
                "How long the pairs of one benchmark may take before it is left undecided. Default \(Int(defaultTime))."
            ),
            CommandOption("max-time", argument: "SECONDS", "How long all pairs together may take. Default no limit."),
            CommandOption("pairs", argument: "N", "The most pairs of a benchmark. Default as many as its time lets."),
            CommandOption("strict", "Exit with 4 when a benchmark stays undecided."),
            CommandOption(
                "format", argument: "FORMAT",
                "How the result is printed: \(ComparisonFormat.allCases.map(\.rawValue).joined(separator: ", ")). Default text."
            ),
        ] + RunOptions.running.filter { ofRuns.contains($0.name) },
        notes: """
            Exit codes: 0 nothing regressed; 1 something regressed, or failed; 2 wrong usage; 3 the machine or the build is not
            fit; 4 something is undecided (only with --strict); 5 nothing could be compared; 130 interrupted, what was measured is kept.

            Examples:
              taskmeter compare ../main/.build/release .build/release
              taskmeter compare --suite Compute --filter sort --tolerance 1 old/Compute new/Compute
            """)

    static func run(_ command: ParsedCommand) throws -> Int32 {
        let signals = SignalInbox()
        guard command.operands.count == 2 else {
            throw UsageError("two sides are needed, BASE and HEAD; see `taskmeter compare --help`")
        }
        let name = command.last("format") ?? ComparisonFormat.text.rawValue
        guard let format = ComparisonFormat(rawValue: name) else {
            let names = ComparisonFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--format “\(name)” is not known; there are: \(names)")
        }
        let request = try request(command)
        let progress = ComparisonProgress(quiet: command.has("quiet"))
        let result = try Comparer(request, signals: signals) { progress.show($0) }.compare()
        progress.finish()
        signals.release()
        let style = TextStyle(width: Console.width(.output), colour: Console.usesColour(.output))
        Console.write(try format.text(result, style: style))
        return exitCode(of: result, isStrict: command.has("strict"))
    }

    private static func request(_ command: ParsedCommand) throws -> ComparisonRequest {
        let suites = command.all("suite")
        func side(_ path: String) throws -> ComparisonRequest.Side {
            var run = try RunOptions.request(
                command, suites: try SuiteSearch.find(at: path, suites),
                suitesWereNamed: !suites.isEmpty || SuiteSearch.isProgram(path))
            run.countsDeclared = false
            run.counters = []
            run.idle = .zero
            return ComparisonRequest.Side(
                name: path, revision: currentRevision(of: SuiteSearch.folder(of: path)), run: run)
        }
        let base = try side(command.operands[0])
        var head = try side(command.operands[1])
        head.run.seed = base.run.seed
        let share = { (name: String, usual: Double) throws(UsageError) -> Double in
            guard let text = command.last(name) else { return usual }
            guard let value = Double(text), value > 0, value < 100 else {
                throw UsageError("--\(name) is “\(text)”; it must be a number of percent above 0 and below 100")
            }
            return value / 100
        }
        return ComparisonRequest(
            base: base, head: head,
            judge: Judge(falseAlarms: try share("false-alarms", 0.01), tolerance: try share("tolerance", 0.02)),
            metrics: command.all("metric"),
            timePerBenchmark: .seconds(try command.seconds("time") ?? defaultTime),
            maxTime: try command.seconds("max-time").map(Nanoseconds.seconds),
            maxPairs: try command.integer("pairs", in: 1...1_000_000), seed: base.run.seed,
            output: base.run.output)
    }

    private static func exitCode(of result: ComparisonRecord, isStrict: Bool) -> Int32 {
        if result.state == .interrupted { return ExitCode.interrupted }
        if result.count(.regressed) + result.count(.failed) > 0 { return ExitCode.benchmarkFailed }
        let compared = result.judgements.contains { ![.new, .removed, .notComparable].contains($0.verdict) }
        if !compared { return ExitCode.notComparable }
        return isStrict && result.count(.undecided) + result.count(.unstable) > 0 ? ExitCode.undecided : ExitCode.done
    }
}
