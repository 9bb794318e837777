/// What the person asked for, as far as it shapes the numbers.
public struct RunConfiguration: Hashable, Sendable, Codable {
    /// The command as it was typed, for repeating it.
    public var command: [String]
    /// Trials of each benchmark, one in each block.
    public var trials: Int
    /// Fixes the order of the trials, and what suites draw from it.
    public var seed: UInt64
    /// Whether benchmarks ran with their smaller number of tasks.
    public var quick: Bool
    /// How long a trial may take before it is ended.
    public var timeLimit: Nanoseconds
    /// Whether a build without optimisation was accepted.
    public var allowDebug: Bool

    public init(
        command: [String], trials: Int, seed: UInt64, quick: Bool, timeLimit: Nanoseconds, allowDebug: Bool
    ) {
        self.command = command
        self.trials = trials
        self.seed = seed
        self.quick = quick
        self.timeLimit = timeLimit
        self.allowDebug = allowDebug
    }
}

/// What a suite says of one of its benchmarks.
public struct BenchmarkDescription: Hashable, Sendable, Codable {
    public var id: BenchmarkID
    /// One sentence: what a task of this benchmark does.
    public var about: String
    /// Tasks that one trial submits, after its warm-up.
    public var tasks: Int
    /// Tasks that run before, and are not recorded.
    public var warmupTasks: Int
    /// How tasks arrive, in words.
    public var load: String
    /// What the strategy is and does with work that blocks, in a sentence.
    public var strategyNote: String
    /// `File.swift:12`, where the benchmark is declared.
    public var declaredAt: String

    public init(
        id: BenchmarkID, about: String, tasks: Int, warmupTasks: Int, load: String, strategyNote: String,
        declaredAt: String
    ) {
        self.id = id
        self.about = about
        self.tasks = tasks
        self.warmupTasks = warmupTasks
        self.load = load
        self.strategyNote = strategyNote
        self.declaredAt = declaredAt
    }
}

/// The size of one of a run's files when the run had ended, by which a truncated copy is recognised.
public struct FileSize: Hashable, Sendable, Codable {
    public var name: String
    public var bytes: Int64

    public init(name: String, bytes: Int64) {
        self.name = name
        self.bytes = bytes
    }
}

/// The content of `run.json`: all of a run but its rows.
public struct Run: Sendable, Codable {
    /// The newest schema that this code reads and the one it writes.
    public static let currentSchema = 1

    public enum State: String, Sendable, Codable {
        /// Written at the start: a folder that still says so belongs to a run that goes on, or was killed.
        case running
        case complete
        /// The person stopped it; what was measured is there.
        case interrupted
    }

    public var schema: Int
    public var state: State
    /// A random UUID.
    public var id: String
    /// The origin of all moments, in UTC by ISO 8601: the one time that a wall clock was read.
    public var originUTC: String
    /// From the origin to the run's end; nil while it is running.
    public var duration: Nanoseconds?
    public var revision: Revision
    public var environment: Environment
    public var configuration: RunConfiguration
    public var benchmarks: [BenchmarkDescription]
    public var metrics: [Metric]
    /// Empty while the run is running.
    public var summaries: [BenchmarkSummary]
    public var warnings: [String]
    /// Empty while the run is running.
    public var files: [FileSize]

    public init(
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
    public var plannedTrials: Int { benchmarks.count * configuration.trials }
}
