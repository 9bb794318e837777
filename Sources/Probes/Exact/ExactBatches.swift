import Results

/// Counts what a batch executes under the emulator: between the two readings of the clock and what lies right around them, which
/// the empty batches have as well.
package final class ExactBatches: BatchProbe {
    private let marker: ExactMarker
    private var counts: ExactCounts?

    /// - Throws: why nothing counts here.
    package init() throws(ExactRefusal) { marker = try ExactMarker() }

    package func begin() { marker.begin() }

    package func end() {
        let part = marker.end()
        counts = counts.map { $0 + part } ?? part
    }

    /// Nothing: whoever executes a plan takes what each batch took.
    package func settle(_ kind: BatchKind, iterations: Int) {}

    /// What was counted since the last call.
    package func take() -> ExactCounts {
        defer { counts = nil }
        return counts
            ?? ExactCounts(
                thread: ExactCounts.Tally(instructions: 0, branches: nil, calls: [:]),
                process: ExactCounts.Tally(instructions: 0, branches: nil, calls: [:]))
    }

    package var readings: [(Metric, Reading)] { [] }
}
