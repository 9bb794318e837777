import CommandOptions

/// One thing that `taskmeter` can be asked to do.
protocol Command: Sendable {
    static var name: String { get }
    /// One line for the overview.
    static var summary: String { get }
    static var syntax: CommandSyntax { get }
    /// Does it, and returns the exit code.
    static func run(_ command: ParsedCommand) throws -> Int32
}

extension Command {
    /// Refuses operands where a command has none.
    static func refuseOperands(_ command: ParsedCommand) throws(UsageError) {
        guard let first = command.operands.first else { return }
        throw UsageError("“\(first)” is not an option, and nothing else is expected; see `taskmeter \(name) --help`")
    }
}
