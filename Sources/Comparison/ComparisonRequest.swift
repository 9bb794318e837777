import Results
import TaskMeter

/// What a person asked to be compared.
package struct ComparisonRequest: Sendable {
    /// A side as it is asked for: what of it runs, and what it was built of.
    package struct Side: Sendable {
        package var name: String
        package var revision: Revision
        package var run: RunRequest

        package init(name: String, revision: Revision, run: RunRequest) {
            self.name = name
            self.revision = revision
            self.run = run
        }
    }

    package var base: Side
    package var head: Side
    package var judge: Judge
    /// Metrics by name that are judged; none for the one that decides each benchmark.
    package var metrics: [String]
    /// How long a benchmark's pairs may take before it is left undecided.
    package var timePerBenchmark: Nanoseconds
    /// How long all pairs may take; nil for as long as their benchmarks may.
    package var maxTime: Nanoseconds?
    /// The most pairs of a benchmark; nil for as many as its time lets.
    package var maxPairs: Int?
    package var seed: UInt64
    /// Where the comparison's folder is made.
    package var output: String

    package init(
        base: Side, head: Side, judge: Judge, metrics: [String], timePerBenchmark: Nanoseconds, maxTime: Nanoseconds?,
        maxPairs: Int?, seed: UInt64, output: String
    ) {
        self.base = base
        self.head = head
        self.judge = judge
        self.metrics = metrics
        self.timePerBenchmark = timePerBenchmark
        self.maxTime = maxTime
        self.maxPairs = maxPairs
        self.seed = seed
        self.output = output
    }
}
