import ChildProcesses
import FoundationEssentials
import Glibc
import Results

/// The executable of a suite.
package struct SuiteExecutable: Sendable, Hashable {
    /// The name by which it is asked for.
    package var name: String
    package var path: String

    package init(name: String, path: String) {
        self.name = name
        self.path = path
    }

    /// What a suite says of itself.
    package struct Description: Sendable {
        package var executable: SuiteExecutable
        package var suite: String
        package var isOptimised: Bool
        package var runsByDefault: Bool
        package var benchmarks: [BenchmarkDescription]

        package init(
            executable: SuiteExecutable, suite: String, isOptimised: Bool, runsByDefault: Bool,
            benchmarks: [BenchmarkDescription]
        ) {
            self.executable = executable
            self.suite = suite
            self.isOptimised = isOptimised
            self.runsByDefault = runsByDefault
            self.benchmarks = benchmarks
        }
    }

    /// Starts the suite and has it describe itself.
    package func describe(quick: Bool) throws(RunError) -> Description {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .environment("cannot make a pipe: \(errnoText())") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let child: ChildProcess
        do {
            defer { close(ends[1]) }
            child = try ChildProcess(
                path, [SuiteProgram.describeOption] + (quick ? ["--quick"] : []), output: .null, error: .null,
                fourth: ends[1], leadsGroup: true)
        } catch {
            throw .environment("suite \(name): \(error)")
        }
        defer {
            child.signal(SIGKILL)
            _ = child.waitUntilExit()
        }
        var reader = SuiteMessageReader()
        var messages: [SuiteMessage] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, Self.patience)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw notASuite("it said nothing for \(Self.patience / 1000) s") }
            let count = read(ends[0], &chunk, chunk.count)
            guard count > 0 else { break }
            do { messages += try reader.take(chunk[..<count]) } catch { throw notASuite(error.sentence) }
        }
        return try description(messages)
    }

    private static let patience: Int32 = 10_000

    private func description(_ messages: [SuiteMessage]) throws(RunError) -> Description {
        var hello: SuiteMessage.Hello?
        var benchmarks: [BenchmarkDescription] = []
        for message in messages {
            switch message {
            case .hello(let message): hello = message
            case .benchmark(let description): benchmarks.append(description)
            case .failed(let sentence): throw .usage(sentence)
            case .phase, .sample, .finished: throw notASuite("it spoke out of turn")
            }
        }
        guard let hello else { throw notASuite("it did not say hello") }
        guard hello.protocol == SuiteMessage.currentProtocol else {
            throw .environment(
                "suite \(name) speaks protocol \(hello.protocol), this taskmeter \(SuiteMessage.currentProtocol); "
                    + "build both from one version of TaskMeter")
        }
        return Description(
            executable: self, suite: hello.suite, isOptimised: hello.optimised, runsByDefault: hello.runsByDefault,
            benchmarks: benchmarks)
    }

    private func notASuite(_ detail: String) -> RunError {
        .usage(
            "\(path) does not behave like a TaskMeter suite (\(detail)); end its main.swift with Suite(…) { … }.main()")
    }
}
