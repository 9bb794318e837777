import CLinux
import ChildProcesses

/// Shows that the simulator runs programs of this kind here, and counts right, with work whose instructions are known.
extension SimulatorMarker {
    /// Executes the known loop in two brackets: of so many rounds, and of twice as many.
    package func markKnownLoop() {
        // Not inlined: the code around the loop must be the same both times.
        @inline(never)
        func loop(_ rounds: UInt64) {
            begin()
            clinux_exact_loop(rounds)
            end("proof")
        }
        loop(ExactProof.rounds)
        loop(2 * ExactProof.rounds)
    }
}

extension Simulator {
    /// Starts a program under the simulator that marks the known loop, and checks what was counted.
    ///
    /// - Parameters:
    ///   - path: such a program, such as a copy of a suite.
    ///   - arguments: what makes it do that.
    ///   - file: where counts may go meanwhile.
    package func prove(by path: String, _ arguments: [String], countsTo file: String) throws(ExactRefusal) {
        let command = command(for: path, arguments, countsTo: file)
        let output: ChildProcess.Output
        do { output = try ChildProcess.run(command.program, command.arguments, seconds: 120) } catch {
            throw ExactRefusal("valgrind could not be started: \(error.description)")
        }
        let counts = Simulator.counts(in: file)
        guard output.status == .exited(0), counts.count == 2 else {
            let said = (output.errors + output.text).split(whereSeparator: \.isNewline).last.map { ": “\($0)”" } ?? ""
            throw ExactRefusal("a known program did not run under valgrind (\(output.status))\(said)")
        }
        let counted = (counts[1] - counts[0]).reading(.instructions)
        guard let expected = ExactProof.expected?.thread, counted == .measured(Double(expected)) else {
            throw ExactRefusal(
                "valgrind miscounts a known program: it counted \(counted) instructions where "
                    + "\(ExactProof.expected?.thread ?? 0) are right")
        }
    }

    /// As valgrind names itself: “valgrind-3.19.0”.
    package func version() throws(ExactRefusal) -> String {
        do {
            let text = try ChildProcess.run(program, ["--version"], seconds: 10).text
            return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "valgrind"
        } catch { throw ExactRefusal("valgrind could not be started: \(error.description)") }
    }
}
