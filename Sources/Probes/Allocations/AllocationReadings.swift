import Results

/// Why allocations are not counted here.
package struct AllocationsNotCounted: Error, Hashable {
    /// Never a number.
    package var reading: Reading

    init(_ reading: Reading) { self.reading = reading }

    /// Every metric of allocations, each with this same reason.
    package func readings(_ scope: Metric.Scope) -> [AllocationReading] {
        AllocationReading.metrics(scope).map { AllocationReading(metric: $0, reading: reading) }
    }
}

/// One cost in allocations.
package struct AllocationReading: Hashable, Sendable {
    package var metric: Metric
    package var reading: Reading

    package init(metric: Metric, reading: Reading) {
        self.metric = metric
        self.reading = reading
    }

    /// What is told of a thread, or of a process, in this order. Only of a process can be told what it left behind and how
    /// much was live at once: a block may be given back by another thread.
    package static func metrics(_ scope: Metric.Scope) -> [Metric] {
        // A count of a whole process is another metric than that of a thread.
        let prefix = scope == .process ? "process_" : ""
        let shared = ["allocations", "frees", "reallocations"].map { Metric(prefix + $0, "1", .allocations, scope) }
        let bytes = [Metric(prefix + "allocated_bytes", "B", .allocations, scope)]
        guard scope == .process else { return shared + bytes }
        return shared + bytes
            + [
                Metric("peak_live_bytes", "B", .allocations, scope, .level),
                Metric("leaked_blocks", "1", .allocations, scope), Metric("leaked_bytes", "B", .allocations, scope),
            ]
    }
}

extension AllocationCounts {
    /// What a thread spent. Blocks had and bytes asked for are exact; nothing is subtracted.
    package var threadReadings: [AllocationReading] { readings(.thread, more: []) }

    fileprivate func readings(_ scope: Metric.Scope, more: [Reading]) -> [AllocationReading] {
        let readings =
            [allocations, releases, reallocations, requestedBytes].map { Reading.measured(Double($0)) } + more
        return zip(AllocationReading.metrics(scope), readings).map { AllocationReading(metric: $0, reading: $1) }
    }
}

extension ProcessAllocations {
    /// What a process spent between two readings, before the first of which the peak was set back.
    ///
    /// The peak is that of the bytes that became live after the window's begin. What is left behind may be negative: more
    /// of what was there before was given back than was newly left.
    ///
    /// - Parameter knowsSizes: whether the bytes that blocks really have are known; see `AllocationProbe.knowsSizes`.
    package static func readings(
        from begin: ProcessAllocations, to end: ProcessAllocations, knowsSizes: Bool
    ) -> [AllocationReading] {
        let spent = end.counts - begin.counts
        let unknown = Reading.unsupported(
            reason: "another preloaded library answers malloc and does not tell the sizes of its blocks"
                + " (it has no malloc_usable_size)")
        func bytes(_ number: Int) -> Reading { knowsSizes ? .measured(Double(number)) : unknown }
        return spent.readings(
            .process,
            more: [
                bytes(end.peakLiveBytes - begin.liveBytes), .measured(Double(spent.liveBlocks)), bytes(spent.liveBytes),
            ])
    }
}
