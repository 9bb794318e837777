import Results

/// What one set of counters read of the same work. Ratios are made of these alone: the count of one trial over the count of
/// another, or of one core's time over another's, is a number without a meaning.
package struct CounterReadings: Hashable, Sendable {
    package let events: [CounterEvent]
    package let readings: [Reading]

    package init(_ events: [CounterEvent], _ readings: [Reading]) {
        self.events = events
        self.readings = readings
    }

    package subscript(_ name: String) -> Reading? {
        events.firstIndex { $0.name == name }.map { readings[$0] }
    }

    /// The same less what each of some brackets counts of itself. Of the kernel's events nothing is taken off but time: a switch or a
    /// fault in a bracket around nothing is chance.
    func less(_ floor: [Double?], times brackets: Int) -> CounterReadings {
        CounterReadings(
            events,
            events.indices.map { index in
                guard !events[index].isSoftware || events[index].isClock, let own = floor[index] else {
                    return readings[index]
                }
                return readings[index].map { $0 - own * Double(brackets) }
            })
    }

    package struct Ratio: Hashable, Sendable {
        package var metric: Metric
        package var reading: Reading
    }

    /// The metrics of the ratios that can be made of these events.
    package static func ratioMetrics(of events: [CounterEvent], _ scope: Metric.Scope) -> [Metric] {
        CounterReadings(events, events.map { _ in .measured(1) }).ratios(scope).map(\.metric)
    }

    /// The ratios whose both sides are in the group.
    package func ratios(_ scope: Metric.Scope) -> [Ratio] {
        [
            ratio("instructions_per_cycle", "instructions", over: "cycles", .higherIsBetter, scope),
            ratio("branch_miss_rate", "branch-misses", over: "branches", .lowerIsBetter, scope),
            ratio("cache_miss_rate", "cache-misses", over: "cache-references", .lowerIsBetter, scope),
        ].compactMap { $0 }
    }

    private func ratio(
        _ name: String, _ above: String, over below: String, _ direction: Metric.Direction, _ scope: Metric.Scope
    ) -> Ratio? {
        guard let above = self[above], let below = self[below] else { return nil }
        let metric = Metric(scope.counterPrefix + name, "1", .counters, scope, .level, direction)
        let reading =
            below.value == 0
            ? .notCounted(reason: "there is no rate of what did not happen") : above.combined(with: below, /)
        return Ratio(metric: metric, reading: reading)
    }
}
