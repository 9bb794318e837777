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
    /// Whether benchmarks are measured with the values of their axes that take long, too.
    package var full: Bool
    /// Nil for as many as the largest workload needs to rank its strategies, ten at least.
    package var trials: Int?
    package var seed: UInt64
    package var timeLimit: Nanoseconds
    /// How long the whole run may take; nil for as long as it takes.
    package var maxTime: Nanoseconds?
    package var allowDebug: Bool
    package var clock: ClockChoice
    /// What further trials of each benchmark are to count.
    package var counting: Set<Trial.Mode>
    /// Whether it is no error that nothing is selected.
    package var mayBeNothing = false
    /// Whether trials that count are made of benchmarks which are declared to be counted.
    package var countsDeclared = true
    /// Events to count, by name; nil for the usual ones, as far as this machine counts them.
    package var counters: [String]?
    /// How long the machine is measured at rest, before and after, where it counts energy.
    package var idle: Nanoseconds
    /// Capacity of a battery whose life is to be told; nil for the machine's own.
    package var batteryWattHours: Double?
    /// The folder in which the run's folder is made.
    package var output: String
    package var command: [String]

    package init(
        suites: [SuiteExecutable], suitesWereNamed: Bool, filters: [String] = [], skips: [String] = [],
        axes: [String: Set<String>] = [:], quick: Bool = false, full: Bool = false, trials: Int?, seed: UInt64,
        timeLimit: Nanoseconds,
        maxTime: Nanoseconds? = nil, allowDebug: Bool = false, clock: ClockChoice = .automatic,
        counting: Set<Trial.Mode> = [], counters: [String]? = nil, idle: Nanoseconds = .zero,
        batteryWattHours: Double? = nil, output: String, command: [String]
    ) {
        self.suites = suites
        self.suitesWereNamed = suitesWereNamed
        self.filters = filters
        self.skips = skips
        self.axes = axes
        self.quick = quick
        self.full = full
        self.trials = trials
        self.seed = seed
        self.timeLimit = timeLimit
        self.maxTime = maxTime
        self.allowDebug = allowDebug
        self.clock = clock
        self.counting = counting
        self.counters = counters
        self.idle = idle
        self.batteryWattHours = batteryWattHours
        self.output = output
        self.command = command
    }
}

extension RunRequest {
    /// Asks the suites, and selects among what they describe.
    package func select() throws(RunError) -> Selection {
        var described: [SuiteExecutable.Description] = []
        for executable in suites {
            let suite = try executable.describe(quick: quick, full: full)
            guard suite.runsByDefault || suitesWereNamed else { continue }
            guard suite.isOptimised || allowDebug else {
                throw .environment(
                    "suite \(suite.suite) was built without optimisation, and its times would mean nothing; "
                        + "build it with `swift build -c release`, or pass --allow-debug")
            }
            described.append(suite)
        }
        var selection = try Selection(self, among: described)
        if trials != nil {
            for index in selection.members.indices { selection.members[index].description.trials = nil }
        }
        return selection
    }

    /// The trials of each benchmark: as many as were asked for, or as the selection needs.
    func trials(for selection: Selection) -> Int {
        if let trials { return trials }
        if quick { return RunOptions.quickTrials }
        let ranked = selection.members.map(\.description).filter { $0.manner == .tasks && $0.trials == nil }
        let contenders = Dictionary(grouping: ranked, by: \.id.workload).values.map(\.count).max() ?? 1
        return max(RunOptions.defaultTrials, Ranking.blocksNeeded(contenders: contenders))
    }

    /// The trials of each benchmark that count, beside those that are timed.
    ///
    /// - Parameter eventGroups: how many trials it takes to count each of the events once.
    func countingTrials(eventGroups: Int) -> [RunConfiguration.CountingTrials] {
        Trial.Mode.allCases.filter { $0 != .timed && counting.contains($0) }.map { mode in
            // Two, because what only one process counted may be that process's own; a simulator takes too long for that.
            let trials =
                switch mode {
                case .simulated: 1
                case .events: max(2, eventGroups)
                case .timed, .allocations, .exact: 2
                }
            return RunConfiguration.CountingTrials(mode: mode, trials: trials)
        }
    }

    /// The benchmarks that a run of this request would measure.
    package func selectedBenchmarks() throws(RunError) -> [BenchmarkDescription] {
        try select().members.map(\.description)
    }
}
