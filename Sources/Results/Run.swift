/// What the person asked for, as far as it shapes the numbers.
package struct RunConfiguration: Hashable, Sendable, Codable {
    /// The command as it was typed, for repeating it.
    package var command: [String]
    /// Timed trials of each benchmark, one in each block.
    package var trials: Int
    /// Fixes the order of the trials, and what suites draw from it.
    package var seed: UInt64
    /// Whether benchmarks ran with their smaller number of tasks.
    package var quick: Bool
    /// How long a trial may take before it is ended.
    package var timeLimit: Nanoseconds
    /// How long the whole run might take; nil when there was no limit.
    package var maxTime: Nanoseconds?
    /// Whether benchmarks ran with the values of their axes that take long, too; nil in runs from before there were any.
    package var full: Bool?
    /// Whether a build without optimisation was accepted.
    package var allowDebug: Bool
    /// What trials beside the timed ones were made for, of each benchmark; nil for nothing.
    package var counting: [CountingTrials]?
    /// Events that were asked for by name; nil for those that are counted when nothing is said.
    package var counters: [String]?

    /// Trials that count what would disturb times.
    package struct CountingTrials: Hashable, Sendable, Codable {
        package var mode: Trial.Mode
        /// Of each benchmark.
        package var trials: Int
        /// Whether they were made of those benchmarks alone that are declared to be counted so, and not asked for; nil for no.
        package var onlyDeclared: Bool?

        package init(mode: Trial.Mode, trials: Int, onlyDeclared: Bool? = nil) {
            self.mode = mode
            self.trials = trials
            self.onlyDeclared = onlyDeclared
        }

        /// Whether they are made of a benchmark. What observes is not counted: its trials do different things each time.
        package func concern(_ benchmark: BenchmarkDescription) -> Bool {
            benchmark.manner != .observations && (onlyDeclared != true || benchmark.countedExactly == true)
        }
    }

    package init(
        command: [String], trials: Int, seed: UInt64, quick: Bool, timeLimit: Nanoseconds,
        maxTime: Nanoseconds? = nil, allowDebug: Bool, counting: [CountingTrials]? = nil, counters: [String]? = nil,
        full: Bool? = nil
    ) {
        self.full = full
        self.counting = counting
        self.counters = counters
        self.command = command
        self.trials = trials
        self.seed = seed
        self.quick = quick
        self.timeLimit = timeLimit
        self.maxTime = maxTime
        self.allowDebug = allowDebug
    }
}

/// What a suite says of one of its benchmarks.
package struct BenchmarkDescription: Hashable, Sendable, Codable {
    package var id: BenchmarkID
    /// One sentence: what a task of this benchmark does.
    package var about: String
    /// Tasks that one trial submits, after its warm-up; 0 where it lasts for a time.
    package var tasks: Int
    /// For how long a trial submits tasks; nil where it submits so many.
    package var lasts: Nanoseconds?
    /// Whether each of its tasks waits for the end of another; nil for no.
    package var isClosedLoop: Bool?
    /// Whether its tasks come by a schedule, whatever becomes of others; nil for no.
    package var isOpenLoop: Bool?
    /// Tasks that run before, and are not recorded.
    package var warmupTasks: Int
    /// How tasks arrive, in words.
    package var load: String
    /// What the strategy is and does with work that blocks, in a sentence.
    package var strategyNote: String
    /// `File.swift:12`, where the benchmark is declared.
    package var declaredAt: String
    /// How a sampled benchmark is timed, in words; nil for a benchmark of tasks. A sampled one has no tasks and no strategy.
    package var sampling: String?
    /// What a benchmark that observes tells of each trial; nil for one of tasks or iterations.
    package var observes: [Metric]?
    /// The question that it answers together with the others of its name.
    package var experiment: ExperimentDescription?
    /// Timed trials, where they are fewer than the run's.
    package var trials: Int?
    /// Whether it has trials under the emulator in every run; nil for no.
    package var countedExactly: Bool?
    /// What kind of work it is, as a part of a sentence: “blocking work of 20 ms”.
    package var workClass: String?

    /// What is measured of it.
    package enum Manner: Sendable { case tasks, samples, observations }

    package var manner: Manner { observes != nil ? .observations : sampling != nil ? .samples : .tasks }

    package init(
        id: BenchmarkID, about: String, tasks: Int, warmupTasks: Int, load: String, strategyNote: String,
        declaredAt: String, sampling: String? = nil, observes: [Metric]? = nil,
        experiment: ExperimentDescription? = nil, trials: Int? = nil, countedExactly: Bool? = nil,
        workClass: String? = nil
    ) {
        self.countedExactly = countedExactly
        self.observes = observes
        self.experiment = experiment
        self.trials = trials
        self.workClass = workClass
        self.id = id
        self.about = about
        self.tasks = tasks
        self.warmupTasks = warmupTasks
        self.load = load
        self.strategyNote = strategyNote
        self.declaredAt = declaredAt
        self.sampling = sampling
    }
}

/// The size of one of a run's files when the run had ended, by which a truncated copy is recognised.
package struct FileSize: Hashable, Sendable, Codable {
    package var name: String
    package var bytes: Int64

    package init(name: String, bytes: Int64) {
        self.name = name
        self.bytes = bytes
    }
}

/// The content of `run.json`: all of a run but its rows.
package struct Run: Sendable, Codable {
    /// The newest schema that this code reads and the one it writes.
    package static let currentSchema = 1

    package enum State: String, Sendable, Codable {
        /// Written at the start: a folder that still says so belongs to a run that goes on, or was killed.
        case running
        case complete
        /// It was stopped before all trials were made, by the person or by the time that it was given; what was measured
        /// is there.
        case interrupted
    }

    package var schema: Int
    package var state: State
    /// Why it is interrupted, in words, when it was not the person who stopped it.
    package var stopReason: String?
    /// A random UUID.
    package var id: String
    /// The origin of all moments, in UTC by ISO 8601: the one time that a wall clock was read.
    package var originUTC: String
    /// From the origin to the run's end; nil while it is running.
    package var duration: Nanoseconds?
    package var revision: Revision
    package var environment: Environment
    package var configuration: RunConfiguration
    package var benchmarks: [BenchmarkDescription]
    package var metrics: [Metric]
    /// Empty while the run is running.
    package var summaries: [BenchmarkSummary]
    package var warnings: [String]
    /// Empty while the run is running.
    package var files: [FileSize]
    /// What the instrument costs here; nil in runs of a taskmeter that did not measure it.
    package var selfCost: SelfCost?
    /// How the run's clock went; nil likewise.
    package var clock: ClockFacts?
    /// What emulated the trials that counted instructions, in words: counts of different ones are not compared. Nil where
    /// there were none.
    package var emulator: String?
    /// Whether others share the machine, as far as it shows, so that its energy is no measure of the run's work alone. Nil where no
    /// energy was counted.
    package var energyIsShared: Bool?
    /// What simulated caches and branch prediction, in words: counts of different ones are not compared. Nil where nothing did.
    package var simulator: String?

    package init(
        id: String, originUTC: String, revision: Revision, environment: Environment, configuration: RunConfiguration,
        benchmarks: [BenchmarkDescription], metrics: [Metric]
    ) {
        schema = Self.currentSchema
        state = .running
        self.id = id
        self.originUTC = originUTC
        self.revision = revision
        self.environment = environment
        self.configuration = configuration
        self.benchmarks = benchmarks
        self.metrics = metrics
        summaries = []
        warnings = []
        files = []
    }

    /// The trials that the run set out to make.
    package var plannedTrials: Int {
        benchmarks.reduce(0) { sum, benchmark in
            let counting = (configuration.counting ?? []).filter { $0.concern(benchmark) }
            return sum + timedTrials(of: benchmark) + counting.reduce(0) { $0 + $1.trials }
        }
    }

    /// Whether the run set out to make trials of a kind of a benchmark.
    package func plans(_ mode: Trial.Mode, of benchmark: BenchmarkDescription) -> Bool {
        mode == .timed
            ? timedTrials(of: benchmark) > 0
            : (configuration.counting ?? []).contains { $0.mode == mode && $0.trials > 0 && $0.concern(benchmark) }
    }

    /// The timed trials that the run set out to make of a benchmark.
    package func timedTrials(of benchmark: BenchmarkDescription) -> Int {
        min(configuration.trials, benchmark.trials ?? configuration.trials)
    }
}
