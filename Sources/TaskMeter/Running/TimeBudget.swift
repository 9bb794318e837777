import Results

/// Shares the time of `--max-time` out among the trials of a run.
///
/// A value that knows no clock. The time counts from the start of the command, and an allowance for what follows the last
/// trial (reading the run back, drawing a plot or more for each benchmark) is kept free. Trials of tasks take what they take; sampled ones get
/// equal shares of what is left to measure in, if that is less than they were declared with. A trial that cannot be
/// expected to end in time is not begun.
package struct TimeBudget: Sendable {
    /// When the last trial must have ended.
    package let end: Instant
    private let benchmarks: [BenchmarkDescription]
    /// What a trial of each benchmark took when it last ran: in all for tasks, beside its measuring for a sampled one.
    private var known: [Int: Nanoseconds] = [:]

    /// What a process takes to start and a suite to prepare, while no trial has told.
    private static let usualStart = Nanoseconds.seconds(0.15)
    /// Less time to measure in than this is not worth a process.
    private static let shortest = Nanoseconds.milliseconds(1)

    /// - Parameter limit: all the time, from `begin` on.
    package init(_ limit: Nanoseconds, from begin: Instant, _ benchmarks: [BenchmarkDescription]) {
        let needed = Nanoseconds.seconds(0.5 + 0.05 * limit.seconds + 0.05 * Double(benchmarks.count))
        let allowance = min(needed.count, limit.count / 2)
        end = begin + (limit - Nanoseconds(allowance))
        self.benchmarks = benchmarks
    }

    /// What a trial may do.
    package struct Share: Hashable, Sendable {
        /// How long it may take before it is ended.
        package var timeLimit: Nanoseconds
        /// How long a sampled one may measure; nil for as long as it was declared with.
        package var samplingLimit: Nanoseconds?
        /// When it is ended at the latest, without the grace that trials have beyond their time limit; nil for never.
        package var end: Instant?
    }

    /// The share of the next trial; nil when the time is over for it.
    ///
    /// - Parameters:
    ///   - rest: the benchmarks of all trials that are still to be made, that of the next first.
    ///   - timeLimit: how long a trial may take at most, however much is left.
    package func share(of rest: ArraySlice<Int>, at now: Instant, timeLimit: Nanoseconds) -> Share? {
        let left = end - now
        guard let next = rest.first, left > .zero else { return nil }
        let limit = min(timeLimit, left)
        guard isSampled(next) else {
            if let expected = known[next], expected > left { return nil }
            return Share(timeLimit: limit, end: end)
        }
        var free = left.count
        var sharers: Int64 = 0
        for benchmark in rest {
            if isSampled(benchmark) {
                free -= (known[benchmark] ?? Self.usualStart).count
                sharers += 1
            } else if let expected = known[benchmark] {
                free -= expected.count
            } else {
                sharers += 1
            }
        }
        let beside = known[next] ?? Self.usualStart
        guard beside + Self.shortest <= left else { return nil }
        // Its warm-up takes up to a fifth of the time for measuring in addition.
        let share = Nanoseconds(free / sharers * 5 / 6)
        return Share(timeLimit: limit, samplingLimit: max(share, Self.shortest), end: end)
    }

    /// Learns what a trial took.
    ///
    /// - Parameter measuring: how long it measured, of all that it took.
    package mutating func learn(_ benchmark: Int, took: Nanoseconds, measuring: Nanoseconds) {
        known[benchmark] = isSampled(benchmark) ? max(took - measuring, .zero) : took
    }

    private func isSampled(_ benchmark: Int) -> Bool { benchmarks[benchmark].sampling != nil }
}
