import Probes
import Results

/// Which events each trial counts: found out once, before the first trial.
struct CounterAssignments: Sendable {
    private let plan: CounterPlan
    private let isAskedFor: Bool

    /// Counted when nobody says anything else: as many as any processor counts at once.
    private static let usual = ["instructions", "cycles", "branch-misses", "cache-misses"]

    /// - Parameter names: events by name; nil for the usual ones.
    /// - Throws: `RunError` for a name that stands for no event.
    init(_ names: [String]?) throws(RunError) {
        isAskedFor = names != nil
        do throws(CounterNameError) {
            plan = CounterPlan(try CounterEvent.list(names ?? Self.usual))
        } catch { throw .usage("--counters \(error)") }
    }

    /// Events that were asked for have trials of their own, which they may disturb; the usual ones are counted beside times.
    private func counts(in mode: Trial.Mode) -> Bool { mode == (isAskedFor ? .events : .timed) }

    /// Trials that it takes to count each event once.
    var groups: Int { plan.groups.count }

    /// What a suite is told.
    func arguments(block: Int, _ mode: Trial.Mode) -> [String] {
        let events = plan.group(ofTrial: block)
        guard counts(in: mode), !events.isEmpty, let choice = plan.choice else { return [] }
        return events.flatMap { ["--counters", $0.argument] }
            + ["--counters-through", choice.backend.rawValue]
    }

    /// Why the rest is not counted.
    func absences(of benchmark: BenchmarkDescription, _ mode: Trial.Mode) -> [Sample] {
        guard counts(in: mode) else { return [] }
        let ofTasks: Metric.Scope = isAskedFor ? .task : .process
        return plan.unavailable.map {
            Sample($0.event.metric(benchmark.sampling == nil ? ofTasks : .thread), $0.reading, iterations: 1)
        }
    }

    /// Everything that may be told of it.
    var metrics: [Metric] {
        let events = plan.groups.flatMap { $0 } + plan.unavailable.map(\.event)
        let scopes: [Metric.Scope] = [.thread, isAskedFor ? .task : .process]
        return events.flatMap { event in scopes.map { event.metric($0) } }
            + scopes.flatMap { scope in plan.groups.flatMap { CounterReadings.ratioMetrics(of: $0, scope) } }
    }
}

extension CounterEvent {
    private static let userOnly = ":user"

    /// The event as an argument from which `init(argument:)` makes it again.
    var argument: String { name + (lacksKernelPart ? Self.userOnly : "") }

    init(argument: String) throws(CounterNameError) {
        guard argument.hasSuffix(Self.userOnly) else {
            self = try CounterEvent(argument)
            return
        }
        let event = try CounterEvent(String(argument.dropLast(Self.userOnly.count)))
        self = event.inUserModeOnly ?? event
    }
}
