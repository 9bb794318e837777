import Analysis
import ChildProcesses
import CommandOptions
import Glibc
import Results
import Words

extension Suite {
    /// Runs the suite as a program: reads the command line, does what it says, and ends the process.
    ///
    /// Call it on the main thread, as the last thing in `main.swift`.
    public func main() -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let first = arguments.first, SuiteProgram.firstOptions.contains(first) {
            SuiteProgram(suite: self).run(arguments)
        }
        let signals = SignalInbox()
        do {
            exit(try runAlone(arguments, signals))
        } catch {
            Console.write("\(name): \(error)\n", to: .error)
            exit((error as? RunError)?.exitCode ?? ExitCode.usage)
        }
    }

    private var syntax: CommandSyntax {
        CommandSyntax(
            command: name,
            about: """
                Runs the benchmarks of suite \(name), each trial in a process of its own, and prints what they took.
                `taskmeter run` does the same for all suites of a package, and makes a report.
                """,
            options: [CommandOption("list", "List the suite's benchmarks and exit.")] + RunOptions.selecting
                + RunOptions.running,
            notes: ExitCode.notes)
    }

    private func runAlone(_ arguments: [String], _ signals: SignalInbox) throws -> Int32 {
        let command = try ParsedCommand(arguments, syntax: syntax)
        if command.has("help") {
            Console.write(syntax.help)
            return ExitCode.done
        }
        guard command.operands.isEmpty else {
            throw UsageError(
                "“\(command.operands[0])” is not an option; to select benchmarks use --filter \(command.operands[0])")
        }
        let cases = try cases(full: command.has("full"))
        if command.has("list") {
            Console.write(cases.map { $0.id.description + "\n" }.joined())
            return ExitCode.done
        }
        let executable = SuiteExecutable(name: name, path: OwnProgram.path)
        let request = try RunOptions.request(command, suites: [executable], suitesWereNamed: true)
        let progress = ProgressPrinter(quiet: command.has("quiet"))
        let outcome = try Runner(request, signals: signals) { progress.show($0) }.run()
        progress.finish()
        Console.write(outcome.summaries.map(line).joined())
        Console.write("for a report: taskmeter report \(outcome.data.folder.path)\n", to: .error)
        return outcome.exitCode
    }

    /// What a run that only counts says of a benchmark.
    private func counted(_ summary: BenchmarkSummary) -> String {
        let told = ["emulated_instructions", "emulated_retains", "allocations", "process_allocations"]
        let texts = (summary.costs ?? []).filter { told.contains($0.metric) }.compactMap { cost in
            cost.estimate.map {
                "\(PlainNumber.significant($0.median, digits: 6)) \(cost.metric.replacing("_", with: " "))"
            }
        }
        let parts = texts + summary.warnings
        return "\(summary.benchmark): \(parts.isEmpty ? "nothing was counted" : parts.joined(separator: ", "))\n"
    }

    /// One benchmark in one line, for a person who tries a suite by itself.
    private func line(_ summary: BenchmarkSummary) -> String {
        if let iteration = summary.iteration {
            return "\(summary.benchmark): \(PlainDuration.text(iteration.time.median)) an iteration, "
                + PlainNumber.counted(iteration.samples, "sample")
                + (summary.warnings.isEmpty ? "" : "; " + summary.warnings.joined(separator: " ")) + "\n"
        }
        if summary.trialsPlanned == 0 { return counted(summary) }
        guard let throughput = summary.throughput, let spent = summary.spent, let wait = summary.wait else {
            return "\(summary.benchmark): \(summary.warnings.joined(separator: " "))\n"
        }
        func text(_ percentile: Percentile) -> String { percentile.value.map { PlainDuration.text($0) } ?? "–" }
        return "\(summary.benchmark): \(PlainNumber.counted(spent.count, "task")), "
            + "\(PlainNumber.significant(throughput.median))/s, spent p50 \(text(spent.p50)) p99 \(text(spent.p99)), "
            + "wait p50 \(text(wait.p50))"
            + (summary.warnings.isEmpty ? "" : "; " + summary.warnings.joined(separator: " ")) + "\n"
    }
}
