/// Which clock a run read, and how well that clock went.
package struct ClockFacts: Hashable, Sendable, Codable {
    /// What was read: `tsc` or `clock_gettime`.
    package var source: String
    /// Why this source, in words.
    package var reason: String
    /// One reading when nothing disturbs it, the least over some batches, in nanoseconds.
    package var readCost: Double
    /// The smallest step seen between two readings that differ, in nanoseconds: no less than what a reading costs, where the clock is
    /// finer; nil where all readings were alike.
    package var resolution: Double?
    /// The largest step backwards, in nanoseconds, seen between readings on different processors: 0 when none was seen, nil when
    /// it could not be tested.
    package var backwardSteps: Double?
    /// How fast the clock went against the kernel's raw hardware clock over the run, in parts per million; nil when unknown.
    package var driftAgainstRaw: Double?
    /// How fast the kernel's monotonic clock was made to go against its raw one over the run (time synchronisation does
    /// that), in parts per million; nil when unknown.
    package var slewOfMonotonic: Double?
    /// How long the machine was suspended during the run: time that the clock did not count.
    package var suspended: Nanoseconds
    /// What the clock did that a clock must not, in sentences; empty when it behaved.
    package var misbehaviour: [String]

    package init(
        source: String, reason: String, readCost: Double, resolution: Double?, backwardSteps: Double? = nil,
        driftAgainstRaw: Double? = nil, slewOfMonotonic: Double? = nil, suspended: Nanoseconds = .zero,
        misbehaviour: [String] = []
    ) {
        self.source = source
        self.reason = reason
        self.readCost = readCost
        self.resolution = resolution
        self.backwardSteps = backwardSteps
        self.driftAgainstRaw = driftAgainstRaw
        self.slewOfMonotonic = slewOfMonotonic
        self.suspended = suspended
        self.misbehaviour = misbehaviour
    }
}
