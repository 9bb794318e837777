import Results

/// What is counted under the simulator of caches and branch prediction, as metrics of an iteration.
///
/// Of the process, because the simulator tells what all threads do: the instrument's own sleep while a batch is executed.
package enum SimulatedMetrics {
    /// A metric and the events whose sum it is.
    private struct Entry {
        var metric: Metric
        var events: [SimulatedCounts.Event]

        init(_ name: String, _ events: [SimulatedCounts.Event]) {
            metric = Metric(name, "1", .emulation, .process)
            self.events = events
        }
    }

    private static let entries = [
        Entry("simulated_instructions", [.instructions]),
        Entry("simulated_l1_data_misses", [.firstLevelReadMisses, .firstLevelWriteMisses]),
        Entry("simulated_l1_instruction_misses", [.firstLevelInstructionMisses]),
        Entry(
            "simulated_last_level_misses", [.lastLevelInstructionMisses, .lastLevelReadMisses, .lastLevelWriteMisses]),
        Entry("simulated_branch_misses", [.mispredictedConditionalBranches, .mispredictedIndirectBranches]),
    ]

    package static let metrics = entries.map(\.metric)

    /// What is told of a benchmark that cannot be simulated.
    package static func unsupported(_ reason: String) -> [(Metric, Reading)] {
        metrics.map { ($0, .unsupported(reason: reason)) }
    }

    /// A batch of work and an empty one of as many iterations.
    package struct Repeat: Hashable, Sendable {
        package var iterations: Int
        package var work: SimulatedCounts
        package var empty: SimulatedCounts

        package init(iterations: Int, work: SimulatedCounts, empty: SimulatedCounts) {
            self.iterations = iterations
            self.work = work
            self.empty = empty
        }
    }

    /// What an iteration does: the median over repeats of what a batch did less what an empty one did, by its iterations.
    ///
    /// An event that happened less often in work than in nothing did not happen in the work: what lies around the batches may
    /// miss a cache by chance, once in a batch.
    package static func readings(of repeats: [Repeat]) -> [(Metric, Reading)] {
        entries.map { entry in
            let values = repeats.map { taken in
                let net = taken.work - taken.empty
                let readings = entry.events.map { net.reading($0) }
                let sum = readings.dropFirst().reduce(readings[0]) { $0.combined(with: $1, +) }
                return sum.map { max($0, 0) / Double(taken.iterations) }
            }
            return (entry.metric, ExactResult(values).perIteration)
        }
    }
}
