import CLinux
import ChildProcesses
import Glibc

/// Shows that the emulator counts right, with work whose instructions are known beforehand.
///
/// Inside the emulated program the work is done between marks and what was counted is said in one line; outside, the line is
/// held against arithmetic.
package struct ExactProof: Hashable, Sendable {
    /// Twice as many rounds of the known loop less once as many, so that what surrounds the loop falls out.
    package var thread: Int
    package var process: Int
    package var branches: Int?
    /// Calls of malloc and free around as many allocations as `allocations` says.
    package var mallocs: Int?
    package var frees: Int?

    package static let rounds: UInt64 = 100_000
    package static let allocations = 37

    /// What must come out.
    package static let expected: ExactProof? = {
        let instructions = Int(clinux_exact_loop_instructions() * rounds)
        guard instructions > 0 else { return nil }
        return ExactProof(
            thread: instructions, process: instructions, branches: Int(rounds), mallocs: allocations,
            frees: allocations)
    }()

    /// The line that an emulated program says.
    package var line: String {
        let numbers = [thread, process, branches, mallocs, frees].map { $0.map(String.init) ?? "-" }
        return "exact-proof " + numbers.joined(separator: " ")
    }
}

extension ExactProof {
    /// Does the known work in this process, which runs under the emulator, and counts it.
    package init(countedBy marker: ExactMarker) {
        // Not inlined: the code around the loop must be the same both times.
        @inline(never)
        func loop(_ rounds: UInt64) -> ExactCounts {
            marker.begin()
            clinux_exact_loop(rounds)
            return marker.end()
        }
        let difference = loop(2 * Self.rounds) - loop(Self.rounds)
        marker.begin()
        for size in 1...Self.allocations { free(identity(malloc(size))) }
        let allocations = marker.end()
        thread = difference.thread.instructions
        process = difference.process.instructions
        branches = difference.thread.branches
        mallocs = allocations.thread.calls[.malloc]
        frees = allocations.thread.calls[.free]
    }

    /// Reads such a line; nil when it is none.
    package init?(line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard words.count == 6, words[0] == "exact-proof", let thread = Int(words[1]), let process = Int(words[2])
        else { return nil }
        self.thread = thread
        self.process = process
        branches = Int(words[3])
        mallocs = Int(words[4])
        frees = Int(words[5])
    }
}

extension Emulator {
    /// Starts a program under the emulator that makes an `ExactProof` and says its line, and checks what it says.
    ///
    /// - Parameters:
    ///   - path: such a program, such as a suite.
    ///   - arguments: what makes it do that.
    package func prove(by path: String, _ arguments: [String], threads: Threads) throws(ExactRefusal) {
        let command = command(for: path, arguments, threads: threads)
        let output: ChildProcess.Output
        do { output = try ChildProcess.run(command.program, command.arguments, seconds: 60) } catch {
            throw ExactRefusal("the emulator could not be started: \(error.description)")
        }
        guard output.status == .exited(0),
            let proof = output.text.split(whereSeparator: \.isNewline).compactMap(ExactProof.init(line:)).first
        else {
            let said = (output.errors + output.text).split(whereSeparator: \.isNewline).last.map { ": “\($0)”" } ?? ""
            throw ExactRefusal("a known program did not run under the emulator (\(output.status))\(said)")
        }
        guard let expected = ExactProof.expected, proof == expected else {
            throw ExactRefusal(
                "the emulator miscounts a known program: it counted “\(proof.line)” where “\(ExactProof.expected?.line ?? "")” is right"
            )
        }
    }
}

/// The same address, of which the optimiser knows nothing: it removes no allocation around it.
@inline(never)
private func identity(_ address: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let address { clinux_touch(address) }
    return address
}
