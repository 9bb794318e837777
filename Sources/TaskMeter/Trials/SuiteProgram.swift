import Clocks
import CommandOptions
import Glibc
import Probes
import Recording
import Results

/// A suite as a process that a runner started: it describes itself, or executes one trial.
struct SuiteProgram {
    var suite: Suite

    /// The hidden options by which a runner speaks to a suite; see `SuiteMessage`.
    static let describeOption = "--taskmeter-describe"
    static let trialOption = "--taskmeter-trial"
    static let kernelClock = "kernel"
    /// Under the emulator: does known work, and says what was counted of it.
    static let proofOption = "--taskmeter-exact-proof"

    /// The same under the simulator, which tells what it counted by itself.
    static let simulatorProofOption = "--taskmeter-simulator-proof"

    /// Those with which a runner begins.
    static let firstOptions = [describeOption, trialOption, proofOption, simulatorProofOption]

    static let syntax = CommandSyntax(
        command: "suite", about: "Started by a runner.",
        options: [
            CommandOption("taskmeter-describe", "Describe the benchmarks."),
            CommandOption("taskmeter-trial", argument: "IDENTITY", "Execute one trial."),
            CommandOption("records", argument: "FILE", "Where the log of tasks or samples goes."),
            CommandOption("sampling-limit", argument: "NS", "How long a sampled benchmark may measure."),
            CommandOption("scratch", argument: "DIR", "An empty folder for the trial."),
            CommandOption("simulator-counts", argument: "FILE", "Where the simulator of caches writes counts."),
            CommandOption("trial", argument: "N", "Number of the trial."),
            CommandOption("block", argument: "N", "Number of its block."),
            CommandOption("clock", argument: "SCALE", "What ticks of the time-stamp counter mean, or “kernel”."),
            CommandOption("origin", argument: "NS", "The run's origin on CLOCK_MONOTONIC."),
            CommandOption("deadline", argument: "NS", "When to stop waiting, since the origin."),
            CommandOption("seed", argument: "N", "The run's seed."),
            CommandOption("quick", "Fewer tasks."),
            CommandOption("full", "Values of axes that take long, too."),
            CommandOption("mode", argument: "MODE", "What the trial is made for; timed when nothing is said."),
            CommandOption("counters", argument: "EVENT", "An event to count; may be repeated."),
            CommandOption("counters-through", argument: "PAPI|perf_event_open", "What counts them for a thread."),
        ])

    /// Does what the runner asked for and ends the process.
    func run(_ arguments: [String]) -> Never {
        if arguments.first == Self.proofOption { prove() }
        if arguments.first == Self.simulatorProofOption { proveSimulator() }
        guard SuiteMessageWriter.hasReader else {
            complain("the options --taskmeter-… are for taskmeter, which listens on descriptor 3; see --help")
        }
        let writer = SuiteMessageWriter()
        // Nothing below a runner's suites may die of a reader that went away before its end was noticed.
        signal(SIGPIPE, SIG_IGN)
        do {
            let command = try ParsedCommand(arguments, syntax: Self.syntax)
            let cases = try suite.cases(full: command.has("full") || command.has("taskmeter-trial"))
            writer.send(
                .hello(
                    SuiteMessage.Hello(
                        protocol: SuiteMessage.currentProtocol, suite: suite.name, optimised: isOptimisedBuild,
                        runsByDefault: suite.runsByDefault)))
            if let identity = command.last("taskmeter-trial") {
                try execute(identity, among: cases, command, writer)
            } else {
                for testCase in cases { writer.send(.benchmark(testCase.description(quick: command.has("quick")))) }
            }
        } catch {
            fail(error, writer)
        }
        leave(0)
    }

    private func prove() -> Never {
        do throws(ExactRefusal) {
            Console.write(ExactProof(countedBy: try ExactMarker()).line + "\n")
        } catch { complain(error.reason) }
        exit(0)
    }

    private func proveSimulator() -> Never {
        do throws(ExactRefusal) { try SimulatorMarker().markKnownLoop() } catch { complain(error.reason) }
        exit(0)
    }

    private func fail(_ error: any Error, _ writer: SuiteMessageWriter) -> Never {
        writer.send(.failed((error as? TrialFailure)?.sentence ?? "\(error)"))
        leave(1)
    }

    private func execute(
        _ identity: String, among cases: [BenchmarkCase], _ command: ParsedCommand, _ writer: SuiteMessageWriter
    ) throws {
        guard let testCase = cases.first(where: { $0.id.description == identity }) else {
            throw UsageError("the suite has no benchmark \(identity)")
        }
        guard let records = command.last("records"), let trial = command.last("trial").flatMap(Int.init),
            let origin = command.last("origin").flatMap(Int64.init),
            let deadline = command.last("deadline").flatMap(Int64.init),
            let seed = command.last("seed").flatMap(UInt64.init), let scratch = command.last("scratch"),
            let clock = command.last("clock"), clock == Self.kernelClock || TickScale(clock) != nil,
            let mode = Trial.Mode(rawValue: command.last("mode") ?? Trial.Mode.timed.rawValue)
        else { throw UsageError("the runner did not say all that a trial needs") }
        let counters = try command.last("counters-through").flatMap(CounterChoice.Backend.init).map { backend in
            CounterRequest(
                events: try command.all("counters").map { try CounterEvent(argument: $0) }, backend: backend)
        }
        // First of all, while this is the process's only thread: what is opened later misses those that are there.
        // Of a sampled benchmark the measuring thread alone counts: both together may be more than the processor can count at once.
        let countsProcess = mode == .timed && testCase.isCountedAsProcess
        let processCounters = countsProcess ? counters.map { ProcessCounters($0.events) } : nil
        let assignment = TrialAssignment(
            testCase: testCase, quick: command.has("quick"), mode: mode, counters: counters, trial: trial,
            block: command.last("block").flatMap(Int.init) ?? 0, seed: seed,
            clock: MonotonicClock(origin: origin, ticks: TickScale(clock)), deadline: Instant(sinceOrigin: deadline),
            recordsPath: records,
            samplingLimit: command.last("sampling-limit").flatMap(Int64.init).map(Nanoseconds.init),
            scratchFolder: scratch, countsFile: command.last("simulator-counts"), writer: writer)
        switch testCase.benchmark.manner {
        case .tasks(let tasks):
            guard let strategy = testCase.strategy else { throw UsageError("\(testCase.id) has no strategy") }
            try TrialExecution(
                assignment: assignment, benchmark: tasks, choice: strategy,
                costs: TrialCosts(assignment.mode, processCounters)
            ).run()
        case .samples(let samples):
            try SampledTrialExecution(
                assignment: assignment, benchmark: samples, costs: TrialCosts(assignment.mode, processCounters)
            ).run { failure in
                if let failure { fail(failure, writer) }
                leave(0)
            }
        case .observations(let observations):
            try ObservationExecution(
                assignment: assignment, benchmark: observations, costs: TrialCosts(assignment.mode, processCounters)
            ).run()
        }
    }

    /// Ends the process without waiting for threads that a hanging task may hold.
    private func leave(_ code: Int32) -> Never {
        fflush(nil)
        _exit(code)
    }

    private func complain(_ sentence: String) -> Never {
        Console.write("\(suite.name): \(sentence)\n", to: .error)
        exit(2)
    }
}

/// Whether this code was compiled with optimisation. Suites are built together with TaskMeter, in one configuration.
var isOptimisedBuild: Bool {
    #if DEBUG
        false
    #else
        true
    #endif
}
