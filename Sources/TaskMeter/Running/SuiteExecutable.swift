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
    ///
    /// - Parameter full: whether what takes long is among its benchmarks.
    package func describe(quick: Bool, full: Bool = false) throws(RunError) -> Description {
        let talk: Pipe
        let complaints: Pipe
        let child: ChildProcess
        do {
            talk = try Pipe(for: path)
            complaints = try Pipe(for: path)
            defer { for end in [talk.write, complaints.write] { close(end) } }
            child = try ChildProcess(
                path, [SuiteProgram.describeOption] + (quick ? ["--quick"] : []) + (full ? ["--full"] : []),
                output: .null,
                error: .descriptor(complaints.write), fourth: talk.write, leadsGroup: true)
        } catch {
            throw .environment("suite \(name): \(error)")
        }
        defer {
            child.signal(SIGKILL)
            _ = child.waitUntilExit()
            for end in [talk.read, complaints.read] { close(end) }
        }
        var reader = SuiteMessageReader()
        var messages: [SuiteMessage] = []
        var complaint: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var entries = [talk.read, complaints.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while entries.contains(where: { $0.fd >= 0 }) {
            let ready = poll(&entries, 2, Self.patience)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw notASuite("it said nothing for \(Self.patience / 1000) s", complaint) }
            for index in entries.indices where entries[index].revents != 0 {
                let count = read(entries[index].fd, &chunk, chunk.count)
                if count <= 0 {
                    entries[index].fd = -1
                } else if index == 1 {
                    complaint.append(contentsOf: chunk[..<count])
                    complaint.removeFirst(max(complaint.count - Self.longestComplaint, 0))
                } else {
                    do { messages += try reader.take(chunk[..<count]) } catch {
                        throw notASuite(error.sentence, complaint)
                    }
                }
            }
        }
        return try description(messages, complaint)
    }

    private static let longestComplaint = 65_536
    private static let patience: Int32 = 10_000

    private func description(_ messages: [SuiteMessage], _ complaint: [UInt8]) throws(RunError) -> Description {
        var hello: SuiteMessage.Hello?
        var benchmarks: [BenchmarkDescription] = []
        for message in messages {
            switch message {
            case .hello(let message): hello = message
            case .benchmark(let description): benchmarks.append(description)
            case .failed(let sentence): throw .usage(sentence)
            case .phase, .sample, .finished: throw notASuite("it spoke out of turn", complaint)
            }
        }
        guard let hello else { throw notASuite("it did not say hello", complaint) }
        guard hello.protocol == SuiteMessage.currentProtocol else {
            throw .environment(
                "suite \(name) speaks protocol \(hello.protocol), this taskmeter \(SuiteMessage.currentProtocol); "
                    + "build both from one version of TaskMeter")
        }
        return Description(
            executable: self, suite: hello.suite, isOptimised: hello.optimised, runsByDefault: hello.runsByDefault,
            benchmarks: benchmarks)
    }

    private func notASuite(_ detail: String, _ complaint: [UInt8]) -> RunError {
        let printed = SuiteLog.lastLines(of: complaint)
        let cure =
            printed.isEmpty ? "end its main.swift with Suite(…) { … }.main()" : "its last output: “\(printed)”"
        return .usage("\(path) does not behave like a TaskMeter suite (\(detail)); \(cure)")
    }
}
