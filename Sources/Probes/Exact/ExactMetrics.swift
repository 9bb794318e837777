import Results

/// What is counted under the emulator, as metrics: of iterations, or of the bodies of tasks, on whatever thread they run; or, with
/// `process_` before their names, of all that the process did meanwhile.
package enum ExactMetrics {
    /// A metric and the events whose sum it is.
    private struct Entry {
        var name: String
        var events: [ExactCounts.Event]
    }

    private static let entries = [
        Entry(name: "emulated_instructions", events: [.instructions]),
        Entry(name: "emulated_branches", events: [.branches]),
        // Each call of a function that retains several times at once counts once.
        Entry(
            name: "emulated_retains",
            events: [.swiftRetain, .swiftRetainSeveral, .swiftBridgeObjectRetain].map { .calls($0) }),
        Entry(
            name: "emulated_releases",
            events: [.swiftRelease, .swiftReleaseSeveral, .swiftBridgeObjectRelease].map { .calls($0) }),
        Entry(name: "emulated_objects", events: [.calls(.swiftAllocateObject)]),
        Entry(
            name: "emulated_allocations",
            events: [.malloc, .calloc, .realloc, .alignedAllocate, .alignedAllocateForPOSIX].map { .calls($0) }),
        Entry(name: "emulated_frees", events: [.calls(.free)]),
    ]

    package static func metrics(_ scope: ExactCounts.Scope) -> [Metric] {
        entries.map { metric($0, scope) }
    }

    private static func metric(_ entry: Entry, _ scope: ExactCounts.Scope) -> Metric {
        Metric(
            (scope == .process ? "process_" : "") + entry.name, "1", .emulation,
            scope == .process ? .process : .thread)
    }

    /// How far the repeats of a sampled trial lie apart in instructions, as a share of their median.
    package static let spread = Metric("emulated_spread", "1", .emulation, .process, .level)

    /// What was executed over the measured part of a trial of tasks.
    package static func readings(of counts: ExactCounts, _ scope: ExactCounts.Scope) -> [(Metric, Reading)] {
        entries.map { entry in (metric(entry, scope), sum(entry.events.map { counts.reading($0, of: scope) })) }
    }

    /// What an iteration of a sampled benchmark executed.
    package static func readings(of plan: ExactPlan, _ scope: ExactCounts.Scope) -> [(Metric, Reading)] {
        let spread = plan.result(.instructions, of: scope).spread
        return entries.map { entry in
            (metric(entry, scope), sum(entry.events.map { plan.result($0, of: scope).perIteration }))
        } + [
            (
                Self.spread,
                spread.map { .measured($0) } ?? .notCounted(reason: "no two repeats were counted of more than nothing")
            )
        ]
    }

    /// Events that a program has no function for did not happen.
    private static func sum(_ readings: [Reading]) -> Reading {
        let known = readings.filter { $0.status != .unsupported }
        guard let first = known.first else { return readings.first ?? .notCounted(reason: "nothing was counted") }
        let sum = known.dropFirst().reduce(first) { $0.combined(with: $1, +) }
        guard let value = sum.value, value < 0 else { return sum }
        return .notCounted(reason: "it is less than what an empty body, which is not quite the same code, executes")
    }
}
