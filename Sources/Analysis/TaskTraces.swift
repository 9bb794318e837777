import Results

/// Some tasks of a trial with all that is known of each, to be looked at one by one: a few around the median response, and the slowest.
package struct TaskTraces: Sendable {
    /// A phase, and when the task came to it.
    package struct Mark: Hashable, Sendable {
        /// Its place in `phases`.
        package var phase: Int
        package var at: Int64
    }

    /// Moments are nanoseconds since the run's origin.
    package struct Task: Hashable, Sendable {
        /// The number of its ID.
        package var number: Int
        package var due: Int64
        package var submitted: Int64
        package var begin: Int64
        package var end: Int64
        /// In the order in which they were made, in which time runs forwards.
        package var marks: [Mark] = []

        package var response: Int64 { end - due }
    }

    package var trial: Int
    package var phases: [String]
    /// From the quickest to the slowest.
    package var typical: [Task]
    /// From the quickest to the slowest.
    package var slowest: [Task]

    /// How many of each are kept.
    package static let most = 20

    /// Indices of tasks around the median response and of the slowest, each sorted by response. No task is in both.
    static func chosen(from columns: TaskColumns) -> (typical: [Int], slowest: [Int]) {
        let order = (0..<columns.count).sorted { (columns.response($0), $0) < (columns.response($1), $1) }
        // Half of the tasks at the most are the slowest, so that something is left to be typical.
        let slowest = min(most, columns.count / 2)
        let rest = columns.count - slowest
        let count = min(most, rest)
        let first = min(max((columns.count - 1) / 2 - (count - 1) / 2, 0), rest - count)
        return (Array(order[first..<first + count]), Array(order[rest...]))
    }
}

extension RunData {
    /// The trial whose elapsed time is the median of all (the lower of the two middle ones).
    package func typicalTrial(_ trials: [Trial]) -> Trial? {
        let timed = trials.compactMap { trial -> (Trial, Int64)? in
            guard let columns = tasks[trial.number], let start = columns.submitted.min(),
                let end = columns.end.max()
            else { return nil }
            return (trial, end - start)
        }.sorted { ($0.1, $0.0.number) < ($1.1, $1.0.number) }
        return timed.isEmpty ? nil : timed[(timed.count - 1) / 2].0
    }
}
