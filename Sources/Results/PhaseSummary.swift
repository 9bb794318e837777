import Statistics

/// What a run says of the phases of a benchmark's tasks: into which segments they cut what a task spends.
///
/// A segment runs from what was before it, a phase or the task's begin, to a phase; the last one, the rest, from the last phase to the
/// end, or through the whole of a task without phases. So the segments of a task add up to what it spent, exactly.
package struct PhaseSummary: Hashable, Sendable, Codable {
    package struct Segment: Hashable, Sendable, Codable {
        /// The phase at which it ends; `end` for the rest.
        package var name: String
        /// Whether it is what is left after the last phase.
        package var isRest: Bool
        /// Over the tasks that came to the phase. Where it came several times in a task, its segments are added up.
        package var times: Distribution
        /// Of all that tasks spent, from 0 to 1.
        package var share: Double
        /// Over all tasks, in nanoseconds, where those that never came to the phase count as nothing: of all segments these add up
        /// to the mean of what tasks spent, which medians do not.
        package var meanOfAllTasks: Double

        package init(name: String, isRest: Bool, times: Distribution, share: Double, meanOfAllTasks: Double) {
            self.name = name
            self.isRest = isRest
            self.times = times
            self.share = share
            self.meanOfAllTasks = meanOfAllTasks
        }
    }

    /// In the order in which tasks come to them, the rest last.
    package var segments: [Segment]
    /// Ended tasks of completed trials that are in the segments.
    package var tasks: Int
    /// Those that are not, for their phases are out of order.
    package var tasksOutOfOrder: Int
    /// Marks that are earlier than the one before them or than their task's begin, or later than its end.
    package var marksOutOfOrder: Int

    package init(segments: [Segment], tasks: Int, tasksOutOfOrder: Int, marksOutOfOrder: Int) {
        self.segments = segments
        self.tasks = tasks
        self.tasksOutOfOrder = tasksOutOfOrder
        self.marksOutOfOrder = marksOutOfOrder
    }

    /// What a task of the segments spent on average, in nanoseconds.
    package var meanSpent: Double { segments.reduce(0) { $0 + $1.meanOfAllTasks } }

    /// The segment that ends at a phase; nil where no task came to it.
    package func segment(_ phase: String) -> Segment? { segments.first { !$0.isRest && $0.name == phase } }

    package var rest: Segment? { segments.first(where: \.isRest) }
}
