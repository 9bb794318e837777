/// What a sample measures: a name, a unit, which way is better, what it is scoped to, and the probe that measures it.
///
/// A suite's author makes metrics of what a benchmark observes (`init(_:_:_:better:)`), and names those that an experiment is
/// decided by.
public struct Metric: Hashable, Sendable {
    /// Which of two values is the better one.
    public enum Direction: String, Sendable, Codable {
        case lowerIsBetter
        case higherIsBetter
    }

    package enum Scope: String, Sendable, Codable {
        /// Of each task by itself.
        case task
        /// Of the thread that measures.
        case thread
        /// Of the suite's process: the instrument's own threads are among it, and do next to nothing meanwhile.
        case process
        /// Of the machine: of whatever else runs on it, too.
        case machine
    }

    package enum Kind: String, Sendable, Codable {
        /// It adds up: a trial's value divided by its tasks or iterations is what one of them costs.
        case amount
        /// It does not: a peak, a rate, a quality.
        case level
    }

    package var name: String
    package var unit: String
    package var direction: Direction
    package var scope: Scope
    package var kind: Kind
    package var probe: Probe
    /// What it is, as a report names it; nil where the name says it.
    package var title: String?

    package init(
        _ name: String, _ unit: String, _ probe: Probe, _ scope: Scope, _ kind: Kind = .amount,
        _ direction: Direction = .lowerIsBetter, title: String? = nil
    ) {
        self.title = title
        self.name = name
        self.unit = unit
        self.direction = direction
        self.scope = scope
        self.kind = kind
        self.probe = probe
    }

    /// A source of metrics.
    package struct Probe: Hashable, Sendable, RawRepresentable, Codable {
        package var rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let clock = Probe(rawValue: "clock")
        /// What the kernel counts for processes and threads.
        package static let operatingSystem = Probe(rawValue: "operating system")
        /// What the kernel counts for the machine.
        package static let machine = Probe(rawValue: "machine")
        /// Events that the processor or the kernel counts: PAPI and perf_event_open.
        package static let counters = Probe(rawValue: "counters")
        /// The interposer over the allocator.
        package static let allocations = Probe(rawValue: "allocations")
        /// Counts by emulation.
        package static let emulation = Probe(rawValue: "emulation")
        package static let energy = Probe(rawValue: "energy")
        /// What the instrument tells of itself.
        package static let instrument = Probe(rawValue: "instrument")
        /// What a suite's own benchmark observes.
        package static let suite = Probe(rawValue: "suite")
    }
}

/// Metrics of runs from before probes were told lack `kind` and `probe`; they are amounts of the operating system.
extension Metric: Codable {
    private enum Key: String, CodingKey { case name, unit, direction, scope, kind, probe, title }

    /// Reads what `encode(to:)` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            try container.decode(String.self, forKey: .name), try container.decode(String.self, forKey: .unit),
            try container.decodeIfPresent(Probe.self, forKey: .probe) ?? .operatingSystem,
            try container.decode(Scope.self, forKey: .scope),
            try container.decodeIfPresent(Kind.self, forKey: .kind) ?? .amount,
            try container.decode(Direction.self, forKey: .direction),
            title: try container.decodeIfPresent(String.self, forKey: .title))
    }

    /// Writes an object with one member for each part.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(unit, forKey: .unit)
        try container.encode(direction, forKey: .direction)
        try container.encode(scope, forKey: .scope)
        try container.encode(kind, forKey: .kind)
        try container.encode(probe, forKey: .probe)
        try container.encodeIfPresent(title, forKey: .title)
    }
}

extension Metric {
    /// Tasks that ended well per second of a trial, from its first submission to its last end.
    public static let throughput = Metric("throughput", "1/s", .clock, .process, .level, .higherIsBetter)
    /// First submission to last end of a trial.
    public static let elapsed = Metric("elapsed", "ns", .clock, .process, .level)

    /// A batch of iterations of a sampled benchmark, from before its first to after its last: what was read, with
    /// nothing subtracted.
    public static let iterationTime = Metric("time", "ns", .clock, .thread)
    /// The same of as many iterations that do nothing: what the loop and the clock cost.
    package static let emptyTime = Metric("empty_time", "ns", .clock, .thread)

    /// What a read of the clock cost when a sampled trial began.
    package static let clockCost = Metric("clock_cost", "ns", .instrument, .machine, .level)
    /// The smallest difference that the clock told apart then.
    package static let clockResolution = Metric("clock_resolution", "ns", .instrument, .machine, .level)
    /// 1 when a sampled trial's warm-up ended because times had become steady; 0 when it ended at its limit.
    package static let warmUpSteady = Metric(
        "warmup_steady", "1", .instrument, .process, .level, .higherIsBetter)
    /// Parts of the record log that a measured thread had to make ready itself, because tasks came faster than the log's own
    /// thread could; told where there are any.
    package static let lateLogParts = Metric("late_log_parts", "1", .instrument, .thread, .level)

    /// Every metric whose name is known before a run: events that a person asks for and zones of energy come beside them.
    package static let standard: [Metric] =
        [.throughput, .elapsed, .iterationTime, .emptyTime, .clockCost, .clockResolution, .warmUpSteady, .lateLogParts]
        + ofProcess + ofThread + ofMachine + ofEnergy
}
