import ChildProcesses
import Probes
import TestSupport
import Testing

/// The folder of the tests' own program, where the plugin and the fixtures are built too.
private let folder = String(HelperProcess.path.dropLast("/Helper".count))
private let bodies = folder + "/ExactBodies"

private let emulator = Result { () throws(ExactRefusal) in try Emulator.find(pluginIn: folder) }

/// Whether this machine has an emulator. That the plugin is there is for this project to see to.
private let isThere =
    switch emulator {
    case .success: true
    case .failure(let refusal): refusal.reason.contains(Emulator.pluginFile)
    }
private let absence: Comment = "no emulator with plugins for this processor is here (package qemu-user of Debian 12)"

/// One line that the program of known bodies says: what was counted, by name.
private struct Line {
    var name: String
    var values: [String: String]

    init(_ text: Substring) {
        let words = text.split(separator: " ")
        name = words.prefix { !$0.contains("=") }.joined(separator: " ")
        values = [:]
        for word in words.dropFirst() where word.contains("=") {
            let parts = word.split(separator: "=", maxSplits: 1)
            values[String(parts[0])] = String(parts[1])
        }
    }

    /// 0 for a function that was not called: the program leaves it out.
    subscript(key: String) -> Int { values[key].flatMap { Int($0) } ?? 0 }
}

private func count(_ arguments: [String], threads: Emulator.Threads) throws -> [Line] {
    let command = try emulator.get().command(for: bodies, arguments, threads: threads)
    let output = try ChildProcess.run(command.program, command.arguments, seconds: 60)
    try #require(output.status == .exited(0), "\(output.errors)\(output.text)")
    return output.text.split(separator: "\n").map { Line($0) }
}

@Suite("An emulator", .enabled(if: isThere, absence))
struct EmulatorTests {
    @Test("is proved by known work", arguments: Emulator.Threads.allCases)
    func proof(threads: Emulator.Threads) throws {
        try emulator.get().prove(by: bodies, ["proof"], threads: threads)
    }

    @Test("counts a loop of five instructions a round, exactly", arguments: Emulator.Threads.allCases)
    func loop(threads: Emulator.Threads) throws {
        let lines = try count(["loop", "1", "2", "1000", "3000001"], threads: threads)
        for (line, rounds) in zip(lines, [1, 2, 1_000, 3_000_001]) {
            #expect(line["thread"] - lines[0]["thread"] == 5 * (rounds - 1))
            #expect(line["process"] == line["thread"], "no other thread ran")
            #expect(line["branches"] - lines[0]["branches"] == rounds - 1)
            #expect(line["malloc"] == 0)
            #expect(line["swift_retain"] == 0)
        }
        #expect(lines[0]["thread"] < 40, "what surrounds a body is some instructions")
    }

    @Test("counts each allocation and each deallocation", arguments: Emulator.Threads.allCases)
    func allocations(threads: Emulator.Threads) throws {
        for (line, number) in zip(try count(["malloc", "0", "1", "250"], threads: threads), [0, 1, 250]) {
            #expect(line["malloc"] == number)
            #expect(line["free"] == number)
            #expect(line["swift_allocObject"] == 0)
        }
    }

    @Test(
        "counts as many retains as the object's own count of references grew by", arguments: Emulator.Threads.allCases)
    func retains(threads: Emulator.Threads) throws {
        for (line, number) in zip(try count(["retain", "0", "1", "777"], threads: threads), [0, 1, 777]) {
            #expect(line.name == "retain \(number)", "the runtime tells it so")
            #expect(line["swift_retain"] == number)
            #expect(line["swift_retain_n"] == 0)
            #expect(line["swift_release"] == 0)
        }
    }

    @Test("counts each object that is made and given up, through the functions below")
    func objects() throws {
        for (line, number) in zip(try count(["chain", "0", "1", "300"], threads: .one), [0, 1, 300]) {
            #expect(line["swift_allocObject"] == number)
            #expect(line["swift_deallocClassInstance"] == number)
            #expect(line["malloc"] == number, "the runtime allocates objects by malloc")
            #expect(line["free"] == number)
        }
    }

    @Test("counts threads that run at once exactly when they are counted apart")
    func threads() throws {
        let single = try count(["threads", "1", "2000000"], threads: .many)[0]
        let line = try count(["threads", "4", "2000000"], threads: .many)[0]
        // Four times ten million in the loops; starting and ending a thread takes some thousands.
        #expect((40_000_000..<40_100_000).contains(line["process"]))
        #expect((10_000_000..<10_100_000).contains(single["process"]))
        #expect(line["thread"] < 100_000, "the marking thread only waits")
        #expect(line.values["doubt"] == "none")
    }

    @Test("says so when threads ran at once that were counted as one")
    func overlap() throws {
        // Each spins for as long as it takes the others to start, so that they cannot but run at once.
        let line = try count(["threads", "4", "20000000"], threads: .one)[0]
        #expect(line.values["doubt"] == "threadsRanAtOnce")
    }

    @Test("counts the same each time, where strings are hashed and tables grow", arguments: Emulator.Threads.allCases)
    func repeatable(threads: Emulator.Threads) throws {
        let first = try count(["dictionaries", "2000"], threads: threads)[0]
        let second = try count(["dictionaries", "2000"], threads: threads)[0]
        #expect(first.values == second.values)
        #expect(first["thread"] > 1_000_000)
    }
}

@Suite("Exact counting where it cannot be")
struct EmulatorRefusalTests {
    @Test("a program that is not emulated says so")
    func native() throws {
        let refusal = try #require(throws: ExactRefusal.self) { try ExactMarker() }
        #expect(refusal.reason.contains("does not run under the emulator"))
    }

    @Test("tells which package an emulator comes with, when there is none")
    func noEmulator() throws {
        let refusal = try #require(throws: ExactRefusal.self) {
            try Emulator.find(pluginIn: folder, architecture: "x86_64") { _ in nil }
        }
        #expect(refusal.reason.contains("qemu-x86_64") && refusal.reason.contains("qemu-user"))
    }

    @Test("tells how the plugin is built, when it is not there")
    func noPlugin() throws {
        let empty = TemporaryFolder()
        let refusal = try #require(throws: ExactRefusal.self) {
            try Emulator.find(pluginIn: empty.path, architecture: "x86_64") { _ in "/bin/true" }
        }
        #expect(refusal.reason.contains("swift build --product TaskMeterInstructions"))
    }

    @Test("says of an emulator that knows no plugins that it cannot count")
    func noPlugins() throws {
        let refusal = try #require(throws: ExactRefusal.self) {
            // A program that answers any question with nothing, as an emulator without plugins answers about them.
            try Emulator.find(pluginIn: folder, architecture: "x86_64") { _ in "/bin/true" }
        }
        #expect(refusal.reason.contains("built without plugins"))
    }

    @Test("names the processor that is not counted by emulation")
    func otherProcessor() throws {
        let refusal = try #require(throws: ExactRefusal.self) {
            try Emulator.find(pluginIn: folder, architecture: "s390x")
        }
        #expect(refusal.reason.contains("s390x"))
    }

    @Test(
        "a program that says nothing, or that is no emulator, proves nothing",
        .enabled(if: isThere, absence))
    func noProof() throws {
        var other = try emulator.get()
        let silent = try #require(throws: ExactRefusal.self) { try other.prove(by: bodies, [], threads: .one) }
        #expect(silent.reason.contains("did not run"))
        other.plugin = bodies
        let broken = try #require(throws: ExactRefusal.self) { try other.prove(by: bodies, ["proof"], threads: .one) }
        #expect(broken.reason.contains("did not run"))
        other.program = "/nonexistent/emulator"
        let missing = try #require(throws: ExactRefusal.self) { try other.prove(by: bodies, ["proof"], threads: .one) }
        #expect(missing.reason.contains("could not be started"))
    }

    @Test("a comma in the plugin's path is written as the emulator wants it")
    func comma() {
        let emulator = Emulator(program: "q", plugin: "/a,b/p.so", processorModel: "m", version: "1")
        let command = emulator.command(for: "suite", ["--x"], threads: .many)
        #expect(command.arguments.contains("file=/a,,b/p.so,threads=many"))
        #expect(command.arguments.suffix(2) == ["suite", "--x"])
        #expect(command.arguments.prefix(4) == ["-cpu", "m", "-seed", "1"])
    }
}
