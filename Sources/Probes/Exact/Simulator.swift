import CLinux
import ChildProcesses
import FoundationEssentials
import Results

/// Valgrind's tool callgrind, under which a suite's process is started for what the emulator does not give: simulated misses
/// of caches and of branch prediction, reads and writes; and instructions where the emulator is missing.
///
/// Slower than the emulator by ten times, and it executes one thread at a time. Version 3.19 dies of a process whose main
/// thread was handed to Dispatch (`dispatchMain()`, an async `main`). Calls are not told, because callgrind leaves
/// out those that are made by a jump at a function's end, as the Swift runtime makes many.
package struct Simulator: Hashable, Sendable {
    /// The file of valgrind, and of the program that starts another one at addresses that are not random.
    package var program: String
    package var fixedAddresses: String

    package init(program: String, fixedAddresses: String) {
        self.program = program
        self.fixedAddresses = fixedAddresses
    }

    package static func find(
        find: (String) -> String? = { ChildProcess.executable(named: $0) }
    ) throws(ExactRefusal) -> Simulator {
        guard let program = find("valgrind") else {
            throw ExactRefusal("there is no valgrind on the PATH: install the package valgrind")
        }
        guard let fixedAddresses = find("setarch") else {
            throw ExactRefusal("there is no setarch on the PATH, without which counts differ from run to run")
        }
        return Simulator(program: program, fixedAddresses: fixedAddresses)
    }

    /// How a program is started so that it is simulated, from its first mark on.
    ///
    /// The caches are the same on each machine, and not the host's: two of 32 KiB, and one of 8 MiB.
    ///
    /// - Parameter file: where counts go: one file for each bracket, with a number behind its name; see `counts(in:)`.
    package func command(for path: String, _ arguments: [String], countsTo file: String) -> Emulator.Command {
        // The file's name may hold `%p` for the process and `%q` for a variable; a percent sign itself is doubled.
        let escaped = file.replacing("%", with: "%%")
        return Emulator.Command(
            program: fixedAddresses,
            arguments: [
                "--addr-no-randomize", program, "--quiet", "--tool=callgrind", "--cache-sim=yes", "--branch-sim=yes",
                "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64", "--instr-atstart=no", "--dump-line=no",
                "--callgrind-out-file=\(escaped)", path,
            ] + arguments)
    }

    /// Copies a program without what it holds for debuggers: version 3.19 gives up on some of what today's compilers write
    /// there (“unhandled dwarf2 abbrev form code”).
    ///
    /// - Returns: the copy's path, in the folder, under the program's own name.
    package static func copy(
        of path: String, in folder: String, find: (String) -> String? = { ChildProcess.executable(named: $0) }
    ) throws(ExactRefusal) -> String {
        guard let strip = find("strip") else {
            throw ExactRefusal("there is no strip on the PATH: install the package binutils")
        }
        let copy = "\(folder)/\(path.split(separator: "/").last ?? "program")"
        let output: ChildProcess.Output
        do { output = try ChildProcess.run(strip, ["--strip-debug", "-o", copy, path]) } catch {
            throw ExactRefusal("\(path) could not be copied for valgrind: \(error.description)")
        }
        guard output.status == .exited(0) else {
            throw ExactRefusal("\(path) could not be copied for valgrind: \(output.errors)")
        }
        return copy
    }

    /// What was counted in each bracket, in the order of their ends.
    package static func counts(in file: String) -> [SimulatedCounts] {
        var all: [SimulatedCounts] = []
        while let counts = counts(in: file, bracket: all.count) { all.append(counts) }
        return all
    }

    /// What was counted in a bracket, by its number from 0; nil where that is not told.
    static func counts(in file: String, bracket: Int) -> SimulatedCounts? {
        (try? String(contentsOfFile: Self.file(file, bracket: bracket), encoding: .utf8))
            .flatMap { SimulatedCounts(file: $0) }
    }

    static func file(_ file: String, bracket: Int) -> String { "\(file).\(bracket + 1)" }
}

/// Brackets what this process executes, where it runs under callgrind.
package struct SimulatorMarker: Sendable {
    /// - Throws: that this process does not run under valgrind.
    package init() throws(ExactRefusal) {
        guard clinux_simulator_mark(clinux_simulator_depth, nil) > 0 else {
            throw ExactRefusal("this process does not run under valgrind")
        }
        _ = clinux_simulator_mark(clinux_simulator_start, nil)
    }

    /// Begins a bracket.
    // hot path: no allocation, no lock, no call that can block
    @inline(never)
    package func begin() { _ = clinux_simulator_mark(clinux_simulator_zero, nil) }

    /// Ends the bracket: its counts go to a file, under this name.
    @inline(never)
    package func end(_ name: StaticString) { _ = clinux_simulator_mark(clinux_simulator_dump, name.utf8Start) }
}
