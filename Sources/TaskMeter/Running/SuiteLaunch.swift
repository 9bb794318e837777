import ChildProcesses
import Probes
import Results

/// How a suite's process is started for one kind of trial.
struct SuiteLaunch: Sendable {
    var program: String
    /// What stands before the suite's own arguments.
    var arguments: [String] = []
    /// Variables beside this process's own.
    var environment: [String: String] = [:]
}

/// The ways in which a run starts its suites: each found and proved before the first trial, so that what cannot be is told
/// before anybody waits for it.
struct SuiteLaunches: Sendable {
    /// By the suite's file.
    private var allocations: [String: [String: String]] = [:]
    private var emulator: Emulator?
    private var simulations: Simulations?

    /// What emulates, in words: counts of different ones are not compared.
    var emulatorText: String? {
        emulator.map { "\($0.program.split(separator: "/").last ?? "") \($0.version), processor \($0.processorModel)" }
    }

    /// What simulates caches, in words.
    var simulatorText: String? { simulations?.version }

    /// Where the counts of a simulated trial go.
    func simulatorCounts(trial: Int) -> String? { simulations?.countsFile(trial: trial) }

    /// - Throws: `RunError` with what is missing, and how to get it.
    init(_ modes: Set<Trial.Mode>, _ suites: [SuiteExecutable]) throws(RunError) {
        if modes.contains(.allocations) {
            for suite in suites {
                do throws(AllocationsNotCounted) {
                    allocations[suite.path] = try AllocationLibrary.environment(forSuite: suite.path)
                } catch { throw .environment("--allocations: \(error.reading.reason ?? "not possible here")") }
            }
        }
        if modes.contains(.exact), let first = suites.first { try findEmulator(first) }
        if modes.contains(.simulated) { simulations = try Simulations(suites) }
    }

    /// Finds the emulator, and proves that it counts what a suite does.
    mutating func findEmulator(_ suite: SuiteExecutable) throws(RunError) {
        do throws(ExactRefusal) {
            let found = try Emulator.find(pluginIn: OwnProgram.folder)
            for threads in Emulator.Threads.allCases {
                try found.prove(by: suite.path, [SuiteProgram.proofOption], threads: threads)
            }
            emulator = found
        } catch { throw .environment("--exact: \(error.reason)") }
    }

    /// - Parameter threadsRunAtOnce: whether threads of the suite do while they are counted.
    func launch(
        _ suite: SuiteExecutable, _ arguments: [String], for entry: RunPlan.Entry, threadsRunAtOnce: Bool
    ) -> SuiteLaunch {
        switch entry.mode {
        case .timed, .events: break
        case .allocations:
            return SuiteLaunch(
                program: suite.path, arguments: arguments, environment: allocations[suite.path] ?? [:])
        case .exact:
            if let command = emulator?.command(for: suite.path, arguments, threads: threadsRunAtOnce ? .many : .one) {
                return SuiteLaunch(program: command.program, arguments: command.arguments)
            }
        case .simulated:
            if let launch = simulations?.launch(suite, arguments, trial: entry.trial) { return launch }
        }
        return SuiteLaunch(program: suite.path, arguments: arguments)
    }
}
