import Results

/// What the machine as a whole counts that disturbs a trial, read before it and after it.
package struct MachineCounts: Sendable {
    private let use: ProcessorUse?
    private let throttled: Int?

    /// Reads them now.
    package init(_ files: KernelFiles = KernelFiles()) {
        use = ProcessorUse(files)
        throttled = throttleEvents(files)
    }

    /// Time that the host took away from this reading to a later one.
    package func steal(until later: MachineCounts) -> Reading {
        guard let before = use, let after = later.use else { return Self.noProcessorUse }
        // Some hosts set the count back when a machine moves to another.
        return after.stolen >= before.stolen
            ? .measured(Double((after.stolen - before.stolen).count))
            : .notCounted(reason: "the host set the count back meanwhile")
    }

    /// What everything else used in between.
    ///
    /// - Parameter own: processor time of the suite's process; nil when it is not known.
    package func others(until later: MachineCounts, own: Double?) -> Reading {
        guard let before = use, let after = later.use else { return Self.noProcessorUse }
        guard let own else { return .notCounted(reason: "the suite did not tell its own processor time") }
        // The kernel counts in ticks what the process counts in nanoseconds: less than nothing is nothing.
        return .measured(max(Double((after.busy - before.busy).count) - own, 0))
    }

    /// How often processors were slowed down in between.
    package func throttling(until later: MachineCounts) -> Reading {
        guard let before = throttled, let after = later.throttled else {
            return .unsupported(reason: "the kernel counts no throttling here: no thermal_throttle, no quota")
        }
        return after >= before
            ? .measured(Double(after - before)) : .notCounted(reason: "the count was set back meanwhile")
    }

    private static let noProcessorUse = Reading.unsupported(reason: "/proc/stat does not tell it")
}
