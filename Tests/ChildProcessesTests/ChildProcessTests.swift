import CLinux
import ChildProcesses
import Glibc
import TestSupport
import Testing

private let shell = "/bin/sh"

/// Whether a process, which need not be a child, ends within some seconds.
private func ends(_ pid: pid_t, seconds: Int32 = 30) -> Bool {
    let watch = clinux_open_pid(pid)
    // No such process: it has ended and is forgotten already.
    guard watch >= 0 else { return errno == ESRCH }
    defer { close(watch) }
    var entry = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, seconds * 1000) == 1
}

@Suite struct ChildProcessTests {
    private func run(
        _ script: String, input: [UInt8] = [], seconds: Double = 60
    ) async throws -> ChildProcess.Output {
        try await onOwnThread { try ChildProcess.run(shell, ["-c", script], input: input, seconds: seconds) }
    }

    @Test("an exit code is told as it was", arguments: [0, 1, 2, 42, 127, 255] as [Int32])
    func exitCodes(_ code: Int32) async throws {
        #expect(try await run("exit \(code)").status == .exited(code))
        #expect(ChildProcesses.ExitStatus.exited(code).description == "exit code \(code)")
    }

    @Test(
        "a signal that ended a program is told by its number and name", arguments: [SIGTERM, SIGKILL, SIGABRT, SIGSEGV])
    func signals(_ number: Int32) async throws {
        let status = try await run("kill -\(number) $$").status
        #expect(status == .signalled(number))
        #expect(status.description.hasPrefix("signal \(number) ("))
    }

    @Test("a program that is not there, or is none, cannot be started, and the reason says why")
    func notFound() async throws {
        let folder = TemporaryFolder()
        let text = folder.write("no program", to: "text")
        for (path, reason) in [("/no/such/program", "No such file"), (text, "Permission denied")] {
            let error = #expect(throws: SpawnError.self) { try ChildProcess(path, []) }
            #expect(error?.description.contains("cannot start \(path): \(reason)") == true)
            #expect(throws: SpawnError.self) { try ChildProcess.run(path, []) }
        }
        chmod(text, 0o755)
        #expect(throws: SpawnError.self) { try ChildProcess(text, []) }
    }

    @Test("what a program prints is kept apart by stream, and its arguments reach it as they are")
    func streams() async throws {
        let output = try await onOwnThread {
            try ChildProcess.run(shell, ["-c", "printf '%s|' \"$@\"; echo error >&2", "name", "a b", "", "$x\"'\n"])
        }
        #expect(output.text == "a b||$x\"'\n|")
        #expect(output.errors == "error\n")
        #expect(output.status == .exited(0))
    }

    @Test("output larger than a pipe, on both streams at once, is whole")
    func largeOutput() async throws {
        let output = try await run("head -c 3000000 /dev/zero | tr '\\0' x; head -c 2000000 /dev/zero | tr '\\0' y >&2")
        #expect(output.text.utf8.count == 3_000_000 && output.errors.utf8.count == 2_000_000)
        #expect(output.text.utf8.allSatisfy { $0 == UInt8(ascii: "x") })
    }

    @Test("input larger than a pipe reaches a program that answers all the while")
    func largeInput() async throws {
        let input = (0..<3_000_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        let output = try await run("cat", input: input)
        #expect(Array(output.text.utf8) == input)
    }

    @Test("a program that does not read its input ends all the same, and so does nobody else")
    func unreadInput() async throws {
        let output = try await run("exit 3", input: Array(repeating: 0, count: 3_000_000))
        #expect(output.status == .exited(3))
        // One that closes its input and lives on.
        let other = try await run(
            "exec 0<&-; echo closed; exit 4", input: Array(repeating: 0, count: 3_000_000))
        #expect(other.status == .exited(4) && other.text == "closed\n")
    }

    @Test("a program without input reads nothing")
    func noInput() async throws { #expect(try await run("cat; echo end").text == "end\n") }

    @Test("a program that takes longer than it may is killed, and what it printed until then is kept")
    func timeLimit() async throws {
        let output = try await run("echo begun; exec sleep 1000", seconds: 0.2)
        #expect(output.status == .signalled(SIGKILL))
        #expect(output.text == "begun\n")
    }

    @Test("what a program started is killed with it when it takes longer than it may")
    func timeLimitOfGrandchildren() async throws {
        let output = try await run("sleep 1000 & echo $!; wait", seconds: 0.2)
        #expect(output.status == .signalled(SIGKILL))
        let grandchild = try #require(pid_t(output.text.prefix { !$0.isNewline }))
        #expect(ends(grandchild))
    }

    @Test("a signal to a group reaches the children of its leader")
    func group() async throws {
        try await onOwnThread {
            var pipeEnds: [Int32] = [0, 0]
            try #require(pipe(&pipeEnds) == 0)
            let child = try ChildProcess(
                shell, ["-c", "sleep 1000 & echo $!; wait"], output: .descriptor(pipeEnds[1]), leadsGroup: true)
            close(pipeEnds[1])
            var line = [UInt8](repeating: 0, count: 32)
            let count = read(pipeEnds[0], &line, 32)
            close(pipeEnds[0])
            let grandchild = try #require(pid_t(String(decoding: line[..<max(count - 1, 0)], as: UTF8.self)))
            #expect(child.statusIfEnded() == nil)
            #expect(getpgid(grandchild) == child.pid && getpgid(0) != child.pid)
            child.signal(SIGTERM)
            #expect(child.waitUntilExit() == .signalled(SIGTERM))
            #expect(ends(grandchild))
        }
    }

    @Test("waiting for a limited time ends with nothing while a child lives, and with its status once it has ended")
    func waiting() async throws {
        try await onOwnThread {
            let child = try ChildProcess("/bin/sleep", ["1000"])
            #expect(child.waitUntilExit(milliseconds: 5) == nil)
            child.signal(SIGTERM)
            #expect(child.waitUntilExit(milliseconds: 30_000) == .signalled(SIGTERM))
        }
    }

    @Test("a child dies with its parent, however the parent dies")
    func parentDeath() async throws {
        try await onOwnThread {
            let helper = try HelperProcess("start-child", "/bin/sleep")
            let grandchild = try #require(helper.line().flatMap { pid_t($0) })
            #expect(kill(grandchild, 0) == 0)
            #expect(helper.killAndWait() == .signalled(SIGKILL))
            #expect(ends(grandchild))
        }
    }

    @Test("no descriptor of this process leaks into a child, whether it is closed on exec or not")
    func descriptors() async throws {
        let listed = try await onOwnThread { () throws -> String in
            // Some low, one high, none of them closed on exec.
            let low = (0..<20).map { _ in open("/dev/null", O_RDONLY) }
            let high = fcntl(low[0], F_DUPFD, 1000)
            defer { for descriptor in low + [high] where descriptor >= 0 { close(descriptor) } }
            return try ChildProcess.run("/bin/ls", ["/proc/self/fd"]).text
        }
        // The fourth is the folder that ls itself reads.
        #expect(listed.split(whereSeparator: \.isNewline).map(String.init) == ["0", "1", "2", "3"])
    }

    @Test("a fourth descriptor is number 3 in the child, and no other is there")
    func fourth() async throws {
        let text = try await onOwnThread { () throws -> String in
            let folder = TemporaryFolder()
            folder.write("", to: "fourth")
            let file = open(folder.path + "/fourth", O_WRONLY | O_CLOEXEC)
            defer { close(file) }
            let child = try ChildProcess(
                shell, ["-c", "echo fourth >&3; echo /proc/$$/fd/* >&3"], output: .null, error: .null, fourth: file)
            #expect(child.waitUntilExit() == .exited(0))
            return folder.text(of: "fourth")
        }
        let lines = text.split(whereSeparator: \.isNewline)
        #expect(lines.first == "fourth")
        let numbers = lines.last?.split(separator: " ").compactMap { $0.split(separator: "/").last } ?? []
        // The fifth is the folder that the shell itself reads; it may keep copies of its own from number 10 on.
        #expect(numbers.compactMap { Int($0) }.filter { $0 < 10 } == [0, 1, 2, 3, 4])
    }

    @Test("signals that this process blocks or ignores reach a child in their default way")
    func signalMask() async throws {
        let status = try await onOwnThread { () throws -> ChildProcesses.ExitStatus in
            var blocked = sigset_t()
            sigemptyset(&blocked)
            sigaddset(&blocked, SIGTERM)
            sigaddset(&blocked, SIGUSR1)
            pthread_sigmask(SIG_BLOCK, &blocked, nil)
            return try ChildProcess.run(shell, ["-c", "kill -TERM $$; exit 0"]).status
        }
        #expect(status == .signalled(SIGTERM))
    }

    @Test("a child sees this process's environment, and what it is given in place of it or in addition")
    func environment() async throws {
        let (own, changed) = try await onOwnThread {
            func variables(_ environment: [String: String]) throws -> [String] {
                try ChildProcess.run("/usr/bin/env", ["-0"], environment: environment).text
                    .split(separator: "\0").map(String.init)
            }
            return (
                try variables([:]),
                try variables(["PATH": "/a=b", "TASKMETER_TEST": "", "TASKMETER_TEST_MORE": "two\nlines"])
            )
        }
        let path = try #require(getenv("PATH").map { "PATH=" + String(cString: $0) })
        #expect(own.filter { $0.hasPrefix("PATH=") } == [path])
        #expect(changed.filter { $0.hasPrefix("PATH=") } == ["PATH=/a=b"])
        let added: Set = ["PATH=/a=b", "TASKMETER_TEST=", "TASKMETER_TEST_MORE=two\nlines"]
        #expect(changed.count == own.count + 2)
        #expect(Set(changed) == Set(own).subtracting([path]).union(added))
    }

    @Test("what cannot be the name of a variable is told before a child is started", arguments: ["", "A=B"])
    func notAName(_ name: String) {
        let error = #expect(throws: SpawnError.self) { try ChildProcess(shell, [], environment: [name: "value"]) }
        #expect(error?.reason == "“\(name)” is no name of an environment variable")
    }

    @Test("programs are found on the PATH and where servers lie")
    func executables() {
        #expect(ChildProcess.executable(named: "sh")?.hasSuffix("/sh") == true)
        #expect(ChildProcess.executable(named: "no-such-program-anywhere") == nil)
        let folder = TemporaryFolder()
        let program = folder.write("", to: "programs/taskmeter-test-program")
        chmod(program, 0o755)
        let path = "/no/such/folder:\(folder.path)/programs:/bin"
        #expect(ChildProcess.executable(named: "taskmeter-test-program", path: path) == program)
    }

    @Test("many programs may run at once, and each has its own output and status")
    func many() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 as Range<Int32> {
                group.addTask {
                    let output = try await run("head -c 200000 /dev/zero; echo \(number); exit \(number)")
                    #expect(output.status == .exited(number))
                    #expect(output.text.utf8.count == 200_000 + "\(number)\n".utf8.count)
                    #expect(output.text.hasSuffix("\(number)\n"))
                }
            }
            try await group.waitForAll()
        }
    }
}
