import Clocks
import Recording
import Results
import Statistics

/// What a trial of a benchmark that observes does: anything that ends, and tells of itself by metrics.
public struct Observing: Sendable {
    let body: @Sendable (Observer) throws -> Void

    /// What is done, and observed, once in a trial.
    ///
    /// - Parameter body: called once, on a thread of its own. What it throws fails the trial. It must end by itself, whatever it tries:
    ///   what may never come is waited for within a limit, and told as unavailable. What it leaves behind ends with the trial's process.
    public init(_ body: @escaping @Sendable (Observer) throws -> Void) { self.body = body }
}

/// How an observation tells what it saw. Thread-safe.
public struct Observer: Sendable {
    /// The clock of the run.
    public let clock: MonotonicClock
    /// Keeps tasks of the observation: each is a row of `tasks.csv`, with when it was due, submitted, begun and ended.
    public let tasks: TaskRecorder
    /// When the trial is ended, whatever it does.
    public let deadline: Instant
    let send: @Sendable (Metric, Reading) -> Void

    /// Tells a number. One that is not finite is told as not counted.
    public func tell(_ metric: Metric, _ value: Double) {
        send(metric, Reading(finite: value, orNotCounted: "it is no finite number"))
    }

    /// Tells a time.
    public func tell(_ metric: Metric, _ time: Nanoseconds) { tell(metric, Double(time.count)) }

    /// Tells how many.
    public func tell(_ metric: Metric, _ count: Int) { tell(metric, Double(count)) }

    /// Tells a percentile of times, exact and of nearest rank, if ten of them lie beyond it; else that they are too few.
    ///
    /// - Parameter percentile: above 0 and below 1, such as 0.99.
    public func tell(_ metric: Metric, percentile: Double, of times: [Nanoseconds]) {
        let needed = valuesNeeded(forPercentile: percentile)
        guard times.count >= needed else {
            return tell(metric, unavailable: "it needs \(needed) values, there are \(times.count)")
        }
        tell(metric, Double(nearestRank(percentile, ofSorted: times.map(\.count).sorted())))
    }

    /// Tells that a number could not be had, and why: part of a sentence, such as “3 of 8 tasks had not ended after 2 s”.
    public func tell(_ metric: Metric, unavailable reason: String) { send(metric, .notCounted(reason: reason)) }
}
