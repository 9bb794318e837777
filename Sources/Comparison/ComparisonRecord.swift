import Results

/// One of the two sides of a comparison, as it was measured.
package struct ComparedSide: Hashable, Sendable, Codable {
    /// As the person named it.
    package var name: String
    /// Of the checkout in which its executables lie; whether they were built of it, nobody knows.
    package var revision: Revision
    /// Its run's folder, in the comparison's own.
    package var folder: String
    /// Its executables by suite.
    package var suites: [String: String]

    package init(name: String, revision: Revision, folder: String, suites: [String: String]) {
        self.name = name
        self.revision = revision
        self.folder = folder
        self.suites = suites
    }
}

/// A comparison of two sides, as it is written to `comparison.json`.
package struct ComparisonRecord: Hashable, Sendable, Codable {
    package static let currentSchema = 1

    package var schema = currentSchema
    package var state: Run.State
    /// Why it was stopped before all was decided; nil when it was not.
    package var stopReason: String?
    package var base: ComparedSide
    package var head: ComparedSide
    package var judge: Judge
    package var seed: UInt64
    package var judgements: [Judgement]
    package var duration: Nanoseconds
    /// What makes the whole doubtful, in sentences.
    package var warnings: [String]

    package init(state: Run.State, base: ComparedSide, head: ComparedSide, judge: Judge, seed: UInt64) {
        self.state = state
        self.base = base
        self.head = head
        self.judge = judge
        self.seed = seed
        judgements = []
        duration = .zero
        warnings = []
    }

    package func count(_ verdict: Verdict) -> Int { judgements.count { $0.verdict == verdict } }

    /// Pairs of trials that were made, each once however many metrics were judged by it.
    package var pairs: Int { perBenchmark { $0.pairs + $0.gaps } }
    /// How many of them were disturbed.
    package var disturbedPairs: Int { perBenchmark(\.disturbed) }

    private func perBenchmark(_ count: (Judgement) -> Int) -> Int {
        Dictionary(grouping: judgements, by: \.benchmark).values.reduce(0) { $0 + ($1.map(count).max() ?? 0) }
    }
}
