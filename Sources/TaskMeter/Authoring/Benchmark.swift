import Results
import Strategies

/// A named piece of work, and the axes along which it is measured.
///
/// ```swift
/// Benchmark("nap", "Sleeps for one millisecond.", tasks: 1_000) { _ in usleep(1_000) }
/// ```
/// Each combination of a strategy and of a value of each axis is a benchmark with an identity of its own, such as
/// `Naps/nap[strategy=pool-8]`, and runs in a process of its own.
///
/// A benchmark without `tasks` is a sampled one: code that is timed in batches of iterations, because it may be too short
/// to be timed once. It has no strategy, and so none in its identity.
public struct Benchmark: Sendable {
    let name: String
    let about: String
    let axes: [any AnyAxis]
    let declaredAt: String
    let manner: Manner
    var experiment: Experiment?
    var mostTrials: Int?
    var isCountedExactly = false
    var workClass: String?

    /// What is measured of a benchmark.
    enum Manner: Sendable {
        /// Each of its tasks, under a strategy.
        case tasks(Tasks)
        /// Its iterations, in samples.
        case samples(Samples)
        /// Whatever it tells of each trial.
        case observations(Observations)
    }

    struct Observations: Sendable {
        let metrics: [Metric]
        let prepare: @Sendable (Parameters) throws -> Observing
    }

    struct Tasks: Sendable {
        let strategies: [StrategyChoice]
        let count: TaskCount
        let quickCount: TaskCount?
        /// Nil for the usual number.
        let warmupCount: @Sendable (Parameters) -> Int?
        let load: @Sendable (Parameters) -> Load
        let prepare: @Sendable (Parameters) throws -> Work
    }

    struct Samples: Sendable {
        let sampling: Sampling
        let prepare: @Sendable (Parameters) throws -> Iteration
    }

    init(_ name: String, _ about: String, axes: [any AnyAxis], _ manner: Manner, declaredAt: String) {
        self.name = name
        self.about = about
        self.axes = axes
        self.manner = manner
        self.declaredAt = declaredAt
    }

    /// Declares a benchmark whose work must be prepared first: a server, a file, an array to sort.
    ///
    /// - Parameters:
    ///   - name: unique in its suite. Part of identities that must last: do not change what a name means.
    ///   - about: one sentence that says what a task does.
    ///   - strategies: the ways of executing the tasks to compare.
    ///   - axes: further parameters, in the order in which they stand in identities.
    ///   - tasks: how many tasks a trial submits. A percentile is shown when ten tasks, of all trials together, lie
    ///     beyond it: 1,000 for p99, 10,000 for p99.9.
    ///   - quickTasks: the same for `--quick`; a tenth of `tasks` when nil.
    ///   - warmupTasks: tasks that run before those, and are not recorded; a tenth of the tasks, at most 200, when nil.
    ///   - load: how tasks arrive.
    ///   - prepare: called once in each trial, on the main thread, before the warm-up; its time is not measured.
    public init(
        _ name: String, _ about: String, strategies: [StrategyChoice] = StrategyChoice.usual(workers: 8),
        axes: [any AnyAxis] = [], tasks: TaskCount, quickTasks: TaskCount? = nil, warmupTasks: Int? = nil,
        load: Load = .burst,
        file: String = #fileID, line: Int = #line, prepare: @escaping @Sendable (Parameters) throws -> Work
    ) {
        self.init(
            name, about, strategies: strategies, axes: axes, tasks: tasks, quickTasks: quickTasks,
            warmupBy: { _ in warmupTasks }, loadBy: { _ in load }, file: file, line: line, prepare: prepare)
    }

    /// Declares a benchmark whose load depends on its parameters: on an axis of rates, or of numbers in flight.
    ///
    /// - Parameters:
    ///   - warmupBy: how many tasks run before those that are recorded, with these parameters: what is right at one rate takes long at
    ///     another. A tenth of the tasks, at most 200, when nil.
    ///   - loadBy: how tasks arrive with these parameters.
    public init(
        _ name: String, _ about: String, strategies: [StrategyChoice] = StrategyChoice.usual(workers: 8),
        axes: [any AnyAxis], tasks: TaskCount, quickTasks: TaskCount? = nil,
        warmupBy warmup: @escaping @Sendable (Parameters) -> Int? = { _ in nil },
        loadBy load: @escaping @Sendable (Parameters) -> Load,
        file: String = #fileID, line: Int = #line, prepare: @escaping @Sendable (Parameters) throws -> Work
    ) {
        self.init(
            name, about, axes: axes,
            .tasks(
                Tasks(
                    strategies: strategies, count: tasks, quickCount: quickTasks, warmupCount: warmup, load: load,
                    prepare: prepare)),
            declaredAt: "\(file):\(line)")
    }

    /// Declares a benchmark whose work needs no preparation.
    ///
    /// - Parameter task: one task. What it throws is the reason for which the task failed; a `CancellationError` makes
    ///   it cancelled.
    public init(
        _ name: String, _ about: String, strategies: [StrategyChoice] = StrategyChoice.usual(workers: 8),
        tasks: TaskCount, quickTasks: TaskCount? = nil, warmupTasks: Int? = nil, load: Load = .burst,
        file: String = #fileID,
        line: Int = #line, task: @escaping @Sendable (TaskContext) throws -> Void
    ) {
        self.init(
            name, about, strategies: strategies, tasks: tasks, quickTasks: quickTasks, warmupTasks: warmupTasks,
            load: load, file: file, line: line
        ) { _ in Work(task: task) }
    }
}

extension Benchmark.Tasks {
    /// When a trial with these parameters submits no more tasks.
    func length(for parameters: Parameters, quick: Bool) -> TrialLength {
        guard quick else { return count(parameters) }
        return quickCount?(parameters) ?? count(parameters).quick
    }

    /// How many run before, and are not recorded, in a trial of this length.
    func warmupCount(for parameters: Parameters, of length: TrialLength) -> Int {
        warmupCount(parameters) ?? min(max((length.count ?? Int.max) / 10, 1), Self.mostWarmupTasks)
    }

    private static let mostWarmupTasks = 200
}
