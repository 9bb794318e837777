import Clocks
import CommandOptions
import Results
import Statistics

/// What a person asked to be run.
package struct RunRequest: Sendable {
    /// Suites by executable.
    package var suites: [SuiteExecutable]
    /// Suites that were named run even when they do not by default.
    package var suitesWereNamed: Bool
    /// Regular expressions of which an identity must match one, when there are any.
    package var filters: [String]
    /// Regular expressions of which an identity must match none.
    package var skips: [String]
    /// Values allowed on an axis; an axis that is not here may have any.
    package var axes: [String: Set<String>]
    package var quick: Bool
    /// Nil for as many as the largest workload needs to rank its strategies, ten at least.
    package var trials: Int?
    package var seed: UInt64
    package var timeLimit: Nanoseconds
    /// How long the whole run may take; nil for as long as it takes.
    package var maxTime: Nanoseconds?
    package var allowDebug: Bool
    package var clock: ClockChoice
    /// The folder in which the run's folder is made.
    package var output: String
    package var command: [String]

    package init(
        suites: [SuiteExecutable], suitesWereNamed: Bool, filters: [String] = [], skips: [String] = [],
        axes: [String: Set<String>] = [:], quick: Bool = false, trials: Int?, seed: UInt64, timeLimit: Nanoseconds,
        maxTime: Nanoseconds? = nil, allowDebug: Bool = false, clock: ClockChoice = .automatic, output: String,
        command: [String]
    ) {
        self.suites = suites
        self.suitesWereNamed = suitesWereNamed
        self.filters = filters
        self.skips = skips
        self.axes = axes
        self.quick = quick
        self.trials = trials
        self.seed = seed
        self.timeLimit = timeLimit
        self.maxTime = maxTime
        self.allowDebug = allowDebug
        self.clock = clock
        self.output = output
        self.command = command
    }
}

extension RunRequest {
    /// Asks the suites, and selects among what they describe.
    func select() throws(RunError) -> Selection {
        var described: [SuiteExecutable.Description] = []
        for executable in suites {
            let suite = try executable.describe(quick: quick)
            guard suite.runsByDefault || suitesWereNamed else { continue }
            guard suite.isOptimised || allowDebug else {
                throw .environment(
                    "suite \(suite.suite) was built without optimisation, and its times would mean nothing; "
                        + "build it with `swift build -c release`, or pass --allow-debug")
            }
            described.append(suite)
        }
        return try Selection(self, among: described)
    }

    /// The trials of each benchmark: as many as were asked for, or as the selection needs.
    func trials(for selection: Selection) -> Int {
        if let trials { return trials }
        if quick { return RunOptions.quickTrials }
        let workloads = Dictionary(grouping: selection.members, by: \.description.id.workload)
        let contenders = workloads.values.map(\.count).max() ?? 1
        return max(RunOptions.defaultTrials, Ranking.blocksNeeded(contenders: contenders))
    }

    /// The benchmarks that a run of this request would measure.
    package func selectedBenchmarks() throws(RunError) -> [BenchmarkDescription] {
        try select().members.map(\.description)
    }
}
