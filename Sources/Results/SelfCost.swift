/// What the instrument itself costs on the machine of a run, measured before the run's first trial, in nanoseconds.
///
/// Medians of many repetitions on an otherwise idle thread: what is paid in a busy trial is no less.
package struct SelfCost: Hashable, Sendable, Codable {
    /// One reading of the clock.
    package var clockRead: Double
    /// The smallest step between two readings that differ; nil where all were alike.
    package var clockResolution: Double?
    /// Recording that a task was submitted.
    package var submit: Double
    /// Recording a task's begin and its end, both together.
    package var beginEnd: Double
    /// What the recorded spent time of a task that does nothing reads: the part of `beginEnd` that lies inside every spent time.
    package var insideSpent: Double
    /// Recording one phase of a task.
    package var mark: Double
    /// Taking one sample of a sampled benchmark with the clock alone.
    package var sample: Double

    package init(
        clockRead: Double, clockResolution: Double?, submit: Double, beginEnd: Double, insideSpent: Double,
        mark: Double, sample: Double
    ) {
        self.clockRead = clockRead
        self.clockResolution = clockResolution
        self.submit = submit
        self.beginEnd = beginEnd
        self.insideSpent = insideSpent
        self.mark = mark
        self.sample = sample
    }
}
