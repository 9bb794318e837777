/// Times of a trial's tasks, as metrics of that trial: what an experiment is decided by, and strategies are ranked by.
///
/// They are no samples: whoever has the task records can compute them. A percentile is there when at least ten tasks of the
/// trial lie beyond it (100 tasks for p90, 1,000 for p99, 100,000 for p99.99).
extension Metric {
    /// Which of a task's times.
    public enum TaskTime: String, Sendable, CaseIterable {
        /// From submission to begin.
        case wait
        /// From begin to end.
        case spent
        /// From when it was due to its end.
        case response
        /// From when it was due to its submission.
        case lag
    }

    /// What is told of a time over all tasks of a trial.
    public enum Statistic: String, Sendable, CaseIterable {
        /// Percentiles, exact and of nearest rank: the value that so many of a hundred do not exceed.
        case p50, p90, p99, p999, p9999
        /// The greatest value.
        case max
    }

    /// Such as `wait_p99`: the wait that 99 of 100 tasks of a trial did not exceed, in nanoseconds.
    public static func tasks(_ time: TaskTime, _ statistic: Statistic) -> Metric {
        let words =
            switch statistic {
            case .p50: "median \(time.rawValue)"
            case .max: "longest \(time.rawValue)"
            case .p90, .p99: "\(statistic.rawValue) of \(time.rawValue)"
            case .p999: "p99.9 of \(time.rawValue)"
            case .p9999: "p99.99 of \(time.rawValue)"
            }
        return Metric("\(time.rawValue)_\(statistic.rawValue)", "ns", .clock, .process, .level, title: words)
    }

    /// Which time and statistic a name such as `wait_p99` means; nil for any other.
    package static func taskTime(named name: String) -> (TaskTime, Statistic)? {
        for time in TaskTime.allCases {
            for statistic in Statistic.allCases where name == "\(time.rawValue)_\(statistic.rawValue)" {
                return (time, statistic)
            }
        }
        return nil
    }
}
