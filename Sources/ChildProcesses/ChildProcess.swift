import CLinux
import Glibc

/// How a process ended.
package enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)

    package var description: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .signalled(let number): "signal \(number) (\(String(cString: strsignal(number))))"
        }
    }
}

/// Why a program could not be started.
package struct SpawnError: Error, CustomStringConvertible {
    package var program: String
    package var reason: String
    package var description: String { "cannot start \(program): \(reason)" }
}

/// A program that this process started, and its pid, by which alone it is signalled.
///
/// A child with `signalAtParentDeath` gets that signal when the *thread* that started it ends, however it ends:
/// start such children on a thread that lives as long as they should.
package struct ChildProcess: Sendable {
    package let pid: pid_t
    package let leadsGroup: Bool

    /// Where a child's standard streams go.
    package enum Stream: Sendable {
        /// To `/dev/null`.
        case null
        /// Where this process's own stream of the same number goes.
        case inherited
        case descriptor(Int32)
    }

    /// Starts a program. Only the named descriptors are open in the child.
    ///
    /// - Parameters:
    ///   - path: the program's file; see `executable(named:)` for finding one.
    ///   - arguments: without the program's own name.
    ///   - environment: variables by name, which take the place of this process's own of the same name or come in
    ///     addition to them.
    ///   - fourth: a descriptor that the child sees as number 3.
    ///   - leadsGroup: whether the child leads a process group of its own, which a terminal's Ctrl-C does not reach.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: Stream = .null,
        output: Stream = .inherited, error: Stream = .inherited, fourth: Int32? = nil, leadsGroup: Bool = false,
        signalAtParentDeath: Int32 = SIGKILL
    ) throws(SpawnError) {
        for name in environment.keys where name.isEmpty || name.contains("=") {
            throw SpawnError(program: path, reason: "“\(name)” is no name of an environment variable")
        }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        func descriptor(_ stream: Stream, _ own: Int32) -> Int32 {
            switch stream {
            case .null: null
            case .inherited: own
            case .descriptor(let number): number
            }
        }
        var options = clinux_spawn_options(
            standard_input: descriptor(input, 0), standard_output: descriptor(output, 1),
            standard_error: descriptor(error, 2), fourth: fourth ?? -1, signal_at_parent_death: signalAtParentDeath,
            own_group: leadsGroup ? 1 : 0, environment: nil)
        var strings: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for string in strings + variables { free(string) } }
        let result = variables.withUnsafeBufferPointer {
            if !environment.isEmpty { options.environment = $0.baseAddress }
            return clinux_spawn(path, &strings, &options)
        }
        guard result > 0 else { throw SpawnError(program: path, reason: String(cString: strerror(-result))) }
        pid = result
        self.leadsGroup = leadsGroup
    }

    /// Signals the child, or its whole group when it leads one.
    package func signal(_ number: Int32) { _ = kill(leadsGroup ? -pid : pid, number) }

    /// How the child ended, or nil while it lives. Ask once more after an answer and the pid may be another's.
    package func statusIfEnded() -> ExitStatus? { wait(WNOHANG) }

    /// Waits until the child ends.
    package func waitUntilExit() -> ExitStatus { wait(0) ?? .exited(127) }

    /// Waits until the child ends, for a limited time; nil when it still lives then.
    package func waitUntilExit(milliseconds: Int) -> ExitStatus? {
        waitForExit(milliseconds: milliseconds) ? statusIfEnded() : nil
    }

    /// Waits until the child ends, for a limited time, without taking its status; whether it has ended.
    package func waitForExit(milliseconds: Int) -> Bool {
        let watch = openExitWatch()
        defer { if watch >= 0 { close(watch) } }
        var entry = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        var result: Int32
        repeat { result = poll(&entry, 1, Int32(milliseconds)) } while result < 0 && errno == EINTR
        return result > 0
    }

    /// A descriptor (a pidfd) that becomes readable when the child ends: no polling, no signal handler. The caller
    /// closes it; it is -1 when the kernel has none to give.
    package func openExitWatch() -> Int32 { clinux_open_pid(pid) }

    private func wait(_ options: Int32) -> ExitStatus? {
        var status: Int32 = 0
        var result: pid_t
        repeat { result = waitpid(pid, &status, options) } while result < 0 && errno == EINTR
        guard result == pid else { return result == 0 ? nil : .exited(127) }
        let number = status & 0x7f
        return number == 0 ? .exited((status >> 8) & 0xff) : .signalled(number)
    }

    /// The file of a program that is searched in `PATH` and where Debian keeps servers; nil when there is none.
    ///
    /// - Parameter path: folders with colons between them, as in this process's `PATH`.
    package static func executable(
        named name: String, path: String = getenv("PATH").map { String(cString: $0) } ?? ""
    ) -> String? {
        let folders = path.split(separator: ":").map(String.init)
        for folder in folders + ["/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin"] {
            let candidate = "\(folder)/\(name)"
            if access(candidate, X_OK) == 0 { return candidate }
        }
        return nil
    }
}
