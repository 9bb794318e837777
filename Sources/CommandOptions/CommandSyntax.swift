/// One option of a command.
package struct CommandOption: Sendable {
    /// Its long name, without dashes.
    package var name: String
    package var short: Character?
    /// What stands for its argument in the help; nil for an option without one.
    package var argument: String?
    package var help: String

    package init(_ name: String, short: Character? = nil, argument: String? = nil, _ help: String) {
        self.name = name
        self.short = short
        self.argument = argument
        self.help = help
    }
}

/// What a command understands: its options, and the text of its help.
package struct CommandSyntax: Sendable {
    /// As it is typed: `taskmeter run`.
    package var command: String
    /// What follows the options, such as `[FOLDER]`; empty when nothing does.
    package var operands: String
    package var about: String
    package var options: [CommandOption]
    /// Further paragraphs of the help: examples, exit codes.
    package var notes: String

    package init(command: String, operands: String = "", about: String, options: [CommandOption], notes: String = "") {
        self.command = command
        self.operands = operands
        self.about = about
        self.options = options + [CommandOption("help", short: "h", "Print this help and exit.")]
        self.notes = notes
    }

    /// The help, its lines at most 100 columns wide.
    package var help: String {
        var text = "Usage: \(command) [options]\(operands.isEmpty ? "" : " " + operands)\n\n\(about)\n\nOptions:\n"
        let labels = options.map { option in
            let short = option.short.map { "-\($0), " } ?? "    "
            return "  \(short)--\(option.name)\(option.argument.map { " " + $0 } ?? "")"
        }
        let column = min((labels.map(\.count).max() ?? 0) + 2, 34)
        for (label, option) in zip(labels, options) {
            let lines = wrapped(option.help, width: 100 - column)
            let indent = String(repeating: " ", count: column)
            if label.count + 2 > column {
                text += label + "\n" + indent
            } else {
                text += label + String(repeating: " ", count: column - label.count)
            }
            text += lines.joined(separator: "\n" + indent) + "\n"
        }
        return notes.isEmpty ? text : text + "\n" + notes + "\n"
    }
}

/// Breaks a text into lines at its spaces.
private func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        if !line.isEmpty, line.count + 1 + word.count > width {
            lines.append(line)
            line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
}
