import CommandOptions
import Probes
import TaskMeter

/// Says what this machine can measure.
enum DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Say what this machine can and cannot measure, and what to do about it."

    static let syntax = CommandSyntax(
        command: "taskmeter doctor", about: "Tries each source of measurements once, and says what it found.",
        options: [], notes: ExitCode.notes)

    static func run(_ command: ParsedCommand) throws -> Int32 {
        try refuseOperands(command)
        for capability in capabilities() { Console.write(paragraph(capability)) }
        return ExitCode.done
    }

    private static func paragraph(_ capability: Capability) -> String {
        let colour = Console.usesColour(.output)
        func mark(_ word: String, _ code: Int) -> String { colour ? "\u{1B}[\(code)m\(word)\u{1B}[0m" : word }
        let (state, detail, remedy): (String, String, String?) =
            switch capability.state {
            case .available(let detail): (mark("available  ", 32), detail, nil)
            case .limited(let detail, let remedy): (mark("limited    ", 33), detail, remedy)
            case .unavailable(let reason, let remedy): (mark("unavailable", 31), reason, remedy)
            }
        var text = "\(state)  \(capability.name) (for \(capability.purpose)): \(detail)\n"
        if let remedy { text += "             → \(remedy)\n" }
        return text
    }
}
