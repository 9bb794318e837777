import Probes
import Results

/// What a run needs for simulating caches and branch prediction: the simulator, and copies of the suites that it can read.
struct Simulations: Sendable {
    let version: String
    private let simulator: Simulator
    /// Holds the copies and the simulator's files as long as the run takes.
    private let folder: PrivateFolder
    /// By the suite's file.
    private var copies: [String: String] = [:]

    /// - Throws: `RunError` with what is missing, and how to get it.
    init(_ suites: [SuiteExecutable]) throws(RunError) {
        do {
            simulator = try Simulator.find()
            version = try simulator.version()
            folder = try PrivateFolder(prefix: "taskmeter-scratch-")
            for (number, suite) in suites.enumerated() where copies[suite.path] == nil {
                guard let place = folder.makeFolder("suite-\(number)") else {
                    throw ExactRefusal("no folder can be made in \(folder.path)")
                }
                copies[suite.path] = try Simulator.copy(of: suite.path, in: place)
            }
            if let copy = copies.values.sorted().first {
                try simulator.prove(
                    by: copy, [SuiteProgram.simulatorProofOption], countsTo: folder.path + "/proof")
            }
        } catch {
            throw .environment("--caches: \((error as? ExactRefusal)?.reason ?? "\(error)")")
        }
    }

    func countsFile(trial: Int) -> String { "\(folder.path)/counts-\(trial)" }

    /// How a suite is started; nil for one of which there is no copy.
    func launch(_ suite: SuiteExecutable, _ arguments: [String], trial: Int) -> SuiteLaunch? {
        copies[suite.path].map { copy in
            let command = simulator.command(for: copy, arguments, countsTo: countsFile(trial: trial))
            return SuiteLaunch(
                program: command.program, arguments: command.arguments,
                // Tables lie in the same places each time, and functions are looked up at the start, as under the emulator.
                environment: Dictionary(uniqueKeysWithValues: Emulator.environment.map { ($0.name, $0.value) }))
        }
    }
}

extension TrialProcess.Outcome {
    /// What is told of benchmarks of tasks without starting any.
    static var tasksAreNotSimulated: Self {
        let reason =
            "the simulator executes one thread at a time, so that ways of executing tasks cannot be compared under it"
        return Self(
            status: .completed, reason: "",
            samples: SimulatedMetrics.unsupported(reason).map { Sample($0, $1, iterations: 0) }, tasksMeant: 0,
            allEnded: true)
    }
}
