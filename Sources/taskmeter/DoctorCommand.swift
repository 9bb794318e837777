import CommandOptions
import FoundationEssentials
import Probes
import Reporting
import TaskMeter

/// Says what this machine can measure.
enum DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Say what this machine can and cannot measure, and what to do about it."

    static let syntax = CommandSyntax(
        command: "taskmeter doctor",
        about: "Tries each source of measurements once, and says what it found, and what disturbs measuring here.",
        options: [CommandOption("json", "The same as JSON, for programs.")], notes: ExitCode.notes)

    static func run(_ command: ParsedCommand) throws -> Int32 {
        try refuseOperands(command)
        let groups = capabilities()
        Console.write(command.has("json") ? json(groups) : table(groups))
        return ExitCode.done
    }

    private static func table(_ groups: [CapabilityGroup]) -> String {
        let style = TextStyle(width: Console.width(.output), colour: Console.usesColour(.output))
        let names = groups.flatMap { $0.capabilities.map(\.name) }
        let indent = 15 + (names.map(\.count).max() ?? 0)
        func padded(_ text: String, to width: Int) -> String {
            text + String(repeating: " ", count: max(width - text.count, 1))
        }
        func mark(_ word: String, _ code: Int) -> String {
            let word = padded(word, to: 13)
            return style.colour ? "\u{1B}[\(code)m\(word)\u{1B}[0m" : word
        }
        var text = ""
        for group in groups {
            text += (text.isEmpty ? "" : "\n") + group.title + "\n"
            for capability in group.capabilities {
                let state =
                    switch capability.state {
                    case .available: mark("available", 32)
                    case .limited: mark("limited", 33)
                    case .unavailable: mark("unavailable", 31)
                    }
                var lines = style.wrapped("\(capability.state.detail) (for \(capability.purpose))", indent: indent)
                if let remedy = capability.state.remedy {
                    lines += "\n" + style.wrapped("→ \(remedy)", indent: indent)
                }
                text += state + padded(capability.name, to: indent - 13) + lines.dropFirst(indent) + "\n"
            }
        }
        return text
    }

    private struct Entry: Encodable {
        var group: String
        var name: String
        var purpose: String
        var state: String
        /// What was found, or the reason for which there is nothing.
        var detail: String
        var remedy: String?
    }

    private static func json(_ groups: [CapabilityGroup]) -> String {
        let entries = groups.flatMap { group in
            group.capabilities.map {
                Entry(
                    group: group.title, name: $0.name, purpose: $0.purpose, state: $0.state.name,
                    detail: $0.state.detail, remedy: $0.state.remedy)
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return ((try? encoder.encode(entries)).map { String(decoding: $0, as: UTF8.self) } ?? "[]") + "\n"
    }
}
