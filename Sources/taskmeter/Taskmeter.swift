import CommandOptions
import TaskMeter

/// The program: finds the command that a person asked for.
enum Taskmeter {
    /// What `taskmeter` can be asked to do, in the order of its help.
    private static let commands: [any Command.Type] = [
        RunCommand.self, CompareCommand.self, LoadCommand.self, ListCommand.self, ReportCommand.self,
        DoctorCommand.self,
    ]

    /// Does what the person asked for and returns the exit code.
    static func dispatch(_ arguments: [String]) -> Int32 {
        guard let name = arguments.first else {
            Console.write(overview, to: .error)
            return ExitCode.usage
        }
        if ["--help", "-h", "help"].contains(name) {
            Console.write(overview)
            return ExitCode.done
        }
        if name == "--version" {
            Console.write("taskmeter \(version)\n")
            return ExitCode.done
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            let near = nearest(to: name, in: commands.map { $0.name }, atMost: 1)
            let hint = near.first.map { "did you mean `taskmeter \($0)`?" } ?? "see `taskmeter --help`"
            return complain(UsageError("there is no command “\(name)”; \(hint)"), in: "taskmeter")
        }
        do {
            let parsed = try ParsedCommand(Array(arguments.dropFirst()), syntax: command.syntax)
            if parsed.has("help") {
                Console.write(command.syntax.help)
                return ExitCode.done
            }
            return try command.run(parsed)
        } catch {
            return complain(error, in: "taskmeter \(name)")
        }
    }

    /// Tells what went wrong in one sentence and returns the exit code that belongs to it.
    private static func complain(_ error: any Error, in place: String) -> Int32 {
        Console.write("\(place): \(error)\n", to: .error)
        return (error as? RunError)?.exitCode ?? ExitCode.usage
    }

    private static let version = "0.1"

    private static let overview = """
        taskmeter measures what tasks cost: when each began and ended, under which strategy, on real work.

        Usage: taskmeter COMMAND [options]

        \(commands.map { "  " + $0.name + String(repeating: " ", count: 9 - $0.name.count) + $0.summary }.joined(separator: "\n"))

        `taskmeter COMMAND --help` tells more. \(ExitCode.notes)

        """
}
