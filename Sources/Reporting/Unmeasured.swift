import Results
import Words

/// What a run could not measure, and why: one entry for each reason, whatever it kept from being measured.
struct Unmeasured {
    struct Entry: Hashable {
        var metrics: [String]
        var reading: Reading
        /// Of benchmarks, in which it was so in at least one trial.
        var benchmarks: [BenchmarkID]
    }

    /// The most benchmarks first.
    var entries: [Entry]

    init(_ summaries: [BenchmarkSummary]) {
        struct Found {
            var metrics: [String] = []
            var benchmarks: [BenchmarkID] = []
        }
        var order: [Reading] = []
        var found: [Reading: Found] = [:]
        for summary in summaries {
            for cost in summary.costs ?? [] {
                for gap in cost.gaps {
                    if found[gap.reading] == nil { order.append(gap.reading) }
                    if found[gap.reading]?.metrics.contains(cost.metric) != true {
                        found[gap.reading, default: Found()].metrics.append(cost.metric)
                    }
                    if found[gap.reading]?.benchmarks.last != summary.benchmark {
                        found[gap.reading, default: Found()].benchmarks.append(summary.benchmark)
                    }
                }
            }
        }
        entries = order.map {
            Entry(metrics: found[$0]!.metrics, reading: $0, benchmarks: found[$0]!.benchmarks)
        }
        .enumerated().sorted { ($1.element.benchmarks.count, $0.offset) < ($0.element.benchmarks.count, $1.offset) }
        .map(\.element)
    }

    /// Says how much of what the person asked for has no number for any benchmark; nil where all has. What a run measures without
    /// being asked for it may be missing without a word: the page tells why.
    static func askedFor(_ run: Run, _ summaries: [BenchmarkSummary]) -> String? {
        let modes = Set((run.configuration.counting ?? []).map(\.mode))
        var probes: Set<Metric.Probe> = []
        if modes.contains(.allocations) { probes.insert(.allocations) }
        if modes.contains(.exact) || modes.contains(.simulated) { probes.insert(.emulation) }
        if run.configuration.counters?.isEmpty == false { probes.insert(.counters) }
        let asked = Set(run.metrics.filter { probes.contains($0.probe) }.map(\.name))
        let costs = summaries.flatMap { $0.costs ?? [] }.filter { asked.contains($0.metric) }
        let missing = Set(costs.map(\.metric)).subtracting(costs.filter { $0.estimate != nil }.map(\.metric))
        guard !missing.isEmpty else { return nil }
        return "Not measured: \(PlainNumber.counted(missing.count, "metric")); see taskmeter doctor"
    }

    /// What is told of an entry's benchmarks: all, some with their number, or the one by its name.
    static func benchmarks(_ entry: Entry, of all: Int) -> String {
        if entry.benchmarks.count == all { return "all benchmarks" }
        if entry.benchmarks.count == 1 { return PlainText.oneLine(entry.benchmarks[0].description) }
        return "\(entry.benchmarks.count) of \(all) benchmarks"
    }
}
