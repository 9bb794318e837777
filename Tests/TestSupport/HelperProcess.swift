import ChildProcesses
import Glibc

/// A running process of the tests' helper program, which ends when the test does, at the latest.
package final class HelperProcess: Sendable {
    package let child: ChildProcess
    private let output: Int32

    /// The helper's file, which lies beside the tests' own program.
    package static var path: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }
        return String(decoding: own[..<(own.lastIndex(of: UInt8(ascii: "/")) ?? 0)], as: UTF8.self) + "/Helper"
    }

    package init(_ arguments: String...) throws {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        output = ends[0]
        child = try ChildProcess(Self.path, arguments, output: .descriptor(ends[1]))
    }

    deinit {
        close(output)
        kill(child.pid, SIGKILL)
        waitpid(child.pid, nil, 0)
    }

    /// The next line that it says; nil when it ends without one.
    package func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    /// Kills it by a signal that no program can catch, and waits until it has ended.
    package func killAndWait() -> ExitStatus {
        kill(child.pid, SIGKILL)
        return child.waitUntilExit()
    }
}
