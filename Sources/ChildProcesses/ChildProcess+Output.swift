import CLinux
import Glibc

extension ChildProcess {
    /// What a program printed and how it ended.
    package struct Output: Sendable {
        package var status: ExitStatus
        /// Standard output.
        package var text: String
        /// Standard error.
        package var errors: String
    }

    /// Runs a program to its end and returns what it printed. Ctrl-C is for this process to answer: the program does
    /// not see it.
    ///
    /// - Parameters:
    ///   - environment: variables that it sees in place of, or in addition to, those of this process.
    ///   - input: bytes for its standard input, which may be larger than a pipe holds.
    ///   - seconds: how long it may take; it is killed after that with all that it started, and its status says so.
    package static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [],
        seconds: Double = 60
    ) throws(SpawnError) -> Output {
        let standardInput = try Pipe(for: path)
        let standardOutput = try Pipe(for: path)
        let standardError = try Pipe(for: path)
        defer { for end in [standardOutput.read, standardError.read] { close(end) } }
        let child: ChildProcess
        do {
            defer { for end in [standardInput.read, standardOutput.write, standardError.write] { close(end) } }
            do {
                child = try ChildProcess(
                    path, arguments, environment: environment, input: .descriptor(standardInput.read),
                    output: .descriptor(standardOutput.write), error: .descriptor(standardError.write),
                    leadsGroup: true)
            } catch {
                close(standardInput.write)
                throw error
            }
        }
        _ = fcntl(standardInput.write, F_SETFL, O_NONBLOCK)

        let end = nowSeconds() + seconds
        var text: [UInt8] = []
        var errors: [UInt8] = []
        var sent = 0
        var entries = [
            pollfd(fd: standardOutput.read, events: Int16(POLLIN), revents: 0),
            pollfd(fd: standardError.read, events: Int16(POLLIN), revents: 0),
            pollfd(fd: standardInput.write, events: Int16(POLLOUT), revents: 0),
        ]
        if input.isEmpty {
            close(standardInput.write)
            entries[2].fd = -1
        }
        while entries[0].fd >= 0 || entries[1].fd >= 0 {
            let left = end - nowSeconds()
            guard left > 0 else {
                child.signal(SIGKILL)
                break
            }
            guard poll(&entries, 3, Int32(min(left * 1000 + 1, 1e9))) > 0 else { continue }
            if entries[0].revents != 0, !drain(entries[0].fd, into: &text) { entries[0].fd = -1 }
            if entries[1].revents != 0, !drain(entries[1].fd, into: &errors) { entries[1].fd = -1 }
            if entries[2].revents != 0 {
                // A program need not read its input to its end: that is its own affair, and no reason for us to die.
                let wasHeld = clinux_hold_signal(SIGPIPE)
                let count = input[sent...].withUnsafeBytes { write(entries[2].fd, $0.baseAddress, $0.count) }
                let reason = errno
                clinux_release_signal(SIGPIPE, wasHeld)
                if count > 0 { sent += count }
                if sent == input.count || (count < 0 && reason != EAGAIN && reason != EINTR) {
                    close(entries[2].fd)
                    entries[2].fd = -1
                }
            }
        }
        if entries[2].fd >= 0 { close(entries[2].fd) }
        let left = max(end - nowSeconds(), 0.1)
        let status =
            child.waitUntilExit(milliseconds: Int(left * 1000))
            ?? {
                child.signal(SIGKILL)
                return child.waitUntilExit()
            }()
        return Output(
            status: status, text: String(decoding: text, as: UTF8.self), errors: String(decoding: errors, as: UTF8.self)
        )
    }

    private static func nowSeconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    /// Reads what is there; false at the end of the stream.
    private static func drain(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &chunk, chunk.count)
        if count > 0 { bytes.append(contentsOf: chunk[..<count]) }
        return count > 0 || (count < 0 && errno == EINTR)
    }
}
