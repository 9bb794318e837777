import ChildProcesses
import FoundationEssentials
import Glibc
import Results
import TestSupport
import Testing

/// The built product, as a person uses it.
enum Product {
    /// Where the build put executables: beside the tests' own.
    static let buildFolder: String = {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }()

    static var taskmeter: String { buildFolder + "/taskmeter" }
    static var misbehaving: String { buildFolder + "/Misbehaving" }

    /// Runs `taskmeter` to its end.
    static func run(_ arguments: String..., seconds: Double = 60) throws -> ChildProcess.Output {
        try ChildProcess.run(taskmeter, arguments, seconds: seconds)
    }

    /// Starts `taskmeter` and does not wait for it.
    static func start(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(taskmeter, arguments, output: .null, error: .null)
    }
}

extension TemporaryFolder {
    /// The newest run in this folder.
    var latest: RunFolder { RunFolder(path + "/latest") }
}

/// Waits until a condition holds; fails the test when it does not within 60 s.
func eventually(_ what: Comment, _ condition: () -> Bool) {
    for _ in 0..<12_000 {
        if condition() { return }
        poll(nil, 0, 5)
    }
    Issue.record("never came true: \(what)")
}

/// Pids of a process's children.
func children(of pid: pid_t) -> [pid_t] {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)) ?? ""
    return text.split(separator: " ").compactMap { pid_t($0) }
}
