/// What a sample measures: a name, a unit and which way is better.
package struct Metric: Hashable, Sendable, Codable {
    package enum Direction: String, Sendable, Codable {
        case lowerIsBetter
        case higherIsBetter
    }

    package enum Scope: String, Sendable, Codable {
        case task
        case thread
        case process
        case machine
    }

    package var name: String
    package var unit: String
    package var direction: Direction
    package var scope: Scope

    package init(name: String, unit: String, direction: Direction, scope: Scope) {
        self.name = name
        self.unit = unit
        self.direction = direction
        self.scope = scope
    }

    /// Tasks that ended well per second of a trial, from its first submission to its last end.
    package static let throughput = Metric(name: "throughput", unit: "1/s", direction: .higherIsBetter, scope: .process)
    /// First submission to last end of a trial.
    package static let elapsed = Metric(name: "elapsed", unit: "ns", direction: .lowerIsBetter, scope: .process)
    /// Processor time of the whole suite process (all threads, user and system) during the measured part of a trial.
    package static let processorTime = Metric(
        name: "cpu_time", unit: "ns", direction: .lowerIsBetter, scope: .process)
    /// Highest resident memory that the suite process ever had (`VmHWM` of `/proc/self/status`, see proc(5)), the part of the
    /// instrument's own logs that was mapped then among it.
    package static let peakResidentMemory = Metric(
        name: "peak_resident", unit: "B", direction: .lowerIsBetter, scope: .process)

    /// A batch of iterations of a sampled benchmark, from before its first to after its last: what was read, with
    /// nothing subtracted.
    package static let iterationTime = Metric(name: "time", unit: "ns", direction: .lowerIsBetter, scope: .thread)
    /// The same of as many iterations that do nothing: what the loop and the clock cost.
    package static let emptyTime = Metric(name: "empty_time", unit: "ns", direction: .lowerIsBetter, scope: .thread)

    /// What a read of the clock cost when a sampled trial began.
    package static let clockCost = Metric(name: "clock_cost", unit: "ns", direction: .lowerIsBetter, scope: .machine)
    /// The smallest difference that the clock told apart then.
    package static let clockResolution = Metric(
        name: "clock_resolution", unit: "ns", direction: .lowerIsBetter, scope: .machine)
    /// 1 when a sampled trial's warm-up ended because times had become steady; 0 when it ended at its limit.
    package static let warmUpSteady = Metric(
        name: "warmup_steady", unit: "1", direction: .higherIsBetter, scope: .process)

    /// How often a thread of the suite was stopped while a sampled trial measured, though it could have gone on.
    package static let involuntarySwitches = Metric(
        name: "involuntary_switches", unit: "1", direction: .lowerIsBetter, scope: .process)
    /// How often a thread of the suite was moved to another processor while a sampled trial measured.
    package static let migrations = Metric(
        name: "migrations", unit: "1", direction: .lowerIsBetter, scope: .process)
    /// Time that the host gave to others while a trial ran, over all processors.
    package static let stealTime = Metric(name: "steal_time", unit: "ns", direction: .lowerIsBetter, scope: .machine)
    /// How often processors were slowed down, by heat or by a quota, while a trial ran.
    package static let throttled = Metric(name: "throttled", unit: "1", direction: .lowerIsBetter, scope: .machine)
    /// Parts of the record log that a measured thread had to make ready itself, because tasks came faster than the log's own
    /// thread could; told where there are any.
    package static let lateLogParts = Metric(
        name: "late_log_parts", unit: "1", direction: .lowerIsBetter, scope: .thread)

    /// Every metric that the runner records by itself.
    package static let standard: [Metric] = [
        .throughput, .elapsed, .processorTime, .peakResidentMemory, .iterationTime, .emptyTime, .clockCost,
        .clockResolution, .warmUpSteady, .involuntarySwitches, .migrations, .stealTime, .throttled,
        .lateLogParts,
    ]
}

/// One measured value of one metric.
package struct Sample: Hashable, Sendable, Codable {
    /// Its place in the order in which its trial took samples.
    package var number: Int
    package var metric: String
    package var unit: String
    /// Always finite: what could not be measured gives no sample.
    package var value: Double
    /// How many iterations (tasks) the value speaks of: it is their sum, not their mean.
    package var iterations: Int
    /// When it began to be taken; nil for a sample of a whole trial.
    package var at: Instant?

    package init(number: Int, metric: String, unit: String, value: Double, iterations: Int, at: Instant? = nil) {
        self.number = number
        self.metric = metric
        self.unit = unit
        self.value = value
        self.iterations = iterations
        self.at = at
    }
}
