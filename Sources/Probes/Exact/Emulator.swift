import ChildProcesses
import Glibc
import Results

/// The emulator under which a suite's process is started so that its instructions are counted one by one: QEMU's
/// emulation of single programs, with TaskMeter's plugin (`CInstructionPlugin`).
///
/// What it gives depends on nothing that a run changes: not on the clock, on other processes, on the host's processor or
/// its random addresses. Several things are set for that:
///
/// - The emulated processor is always the same model, because libraries choose their code by it. It is one that every
///   version of QEMU emulates in full, and that does not recommend repeated string instructions for copying memory: those
///   count once for each step, and differently by QEMU's version. So counts are of code for that model, not for the host's.
/// - The emulator loads programs at addresses of its own, the same ones each time: the host's randomisation of addresses does
///   not reach them. Random bytes that it gives to a program at its start come from a fixed seed.
/// - Swift's hash tables take no random seed, so that their elements lie in the same places each time.
/// - Functions of libraries are looked up when the program starts, not when they are first called.
///
/// Program, libraries and emulator must be the same for counts to be compared. What the program itself takes from outside, such
/// as random numbers of the system, still varies. Programs that it starts are not emulated, and not counted.
package struct Emulator: Hashable, Sendable {
    /// How threads are counted.
    package enum Threads: String, Hashable, Sendable, CaseIterable {
        /// Right while one thread runs at a time, which is watched; as fast as the emulator's own counting.
        case one
        /// Each apart, exactly; slower by a third, and by two thirds where code is a few instructions between branches.
        /// What threads execute varies by itself: who waits, and how long a pool looks for work before it sleeps. By 0.05 % where
        /// Dispatch executed 200 blocks of 100,000 instructions each, by 0.7 % where tasks of Swift concurrency did.
        case many
    }

    /// A program and what it is given.
    package struct Command: Hashable, Sendable {
        package var program: String
        package var arguments: [String]
    }

    /// The file of QEMU for this machine's own kind of processor.
    package var program: String
    /// The file of the plugin.
    package var plugin: String
    /// The processor that is emulated.
    package var processorModel: String
    /// As the emulator names it, such as “7.2.22”: counts of different versions are not compared.
    package var version: String

    package init(program: String, plugin: String, processorModel: String, version: String) {
        self.program = program
        self.plugin = plugin
        self.processorModel = processorModel
        self.version = version
    }

    package static let pluginFile = "libTaskMeterInstructions.so"

    /// Looks for the emulator and the plugin.
    ///
    /// - Parameters:
    ///   - folder: where the plugin was built, which is beside `taskmeter` and the suites.
    ///   - architecture: of the programs that are to be counted, as uname(2) names it.
    ///   - find: gives the file of a program by its name, or nil.
    package static func find(
        pluginIn folder: String, architecture: String = Emulator.machineArchitecture(),
        find: (String) -> String? = { ChildProcess.executable(named: $0) }
    ) throws(ExactRefusal) -> Emulator {
        guard let model = processorModels[architecture] else {
            throw ExactRefusal("instructions of the processor \(architecture) are not counted by emulation")
        }
        let name = "qemu-\(architecture)"
        guard let program = find(name) else {
            throw ExactRefusal("there is no \(name) on the PATH: install the package qemu-user (make setup)")
        }
        let plugin = "\(folder)/\(pluginFile)"
        guard access(plugin, R_OK) == 0 else {
            throw ExactRefusal(
                "there is no \(pluginFile) in \(folder): build it with “swift build --product TaskMeterInstructions”")
        }
        // Some distributions link it statically, Debian since 13: such a program cannot load plugins, and has no option for it.
        guard try output(of: program, "-help").contains("-plugin") else {
            throw ExactRefusal("\(program) was built without plugins: it can emulate a program, but not count in it")
        }
        return Emulator(
            program: program, plugin: plugin, processorModel: model, version: try version(of: program))
    }

    /// The kind of processor of this machine, as uname(2) names it.
    package static func machineArchitecture() -> String {
        var name = utsname()
        uname(&name)
        return withUnsafeBytes(of: &name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// How a program is started so that it is counted; the environment is this process's own, with additions.
    package func command(for path: String, _ arguments: [String], threads: Threads) -> Command {
        // In the emulator's options a comma ends a value; two stand for one.
        let plugin = plugin.replacing(",", with: ",,")
        let environment = Self.environment.flatMap { ["-E", "\($0.name)=\($0.value)"] }
        return Command(
            program: program,
            arguments: ["-cpu", processorModel, "-seed", "1"] + environment
                + ["-plugin", "file=\(plugin),threads=\(threads.rawValue)", path] + arguments)
    }

    /// What is set for the emulated program.
    package static let environment = [
        (name: "SWIFT_DETERMINISTIC_HASHING", value: "1"), (name: "LD_BIND_NOW", value: "1"),
    ]

    /// Nehalem: SSE4.2 and POPCNT, without AVX, which QEMU emulates only since 7.2, and without “enhanced rep movsb”.
    /// Neoverse N1: a server's ARMv8.2, with its atomic instructions.
    private static let processorModels = ["x86_64": "Nehalem", "aarch64": "neoverse-n1"]

    /// “qemu-x86_64 version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)”
    private static func version(of program: String) throws(ExactRefusal) -> String {
        let words = try output(of: program, "-version").split(whereSeparator: \.isWhitespace)
        guard words.count > 2, words[1] == "version" else {
            throw ExactRefusal("\(program) does not tell its version")
        }
        return String(words[2])
    }

    private static func output(of program: String, _ option: String) throws(ExactRefusal) -> String {
        do { return try ChildProcess.run(program, [option], seconds: 10).text } catch {
            throw ExactRefusal("the emulator could not be started: \(error.description)")
        }
    }
}
