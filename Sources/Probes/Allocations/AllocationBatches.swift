import Results

/// Counts the allocations of the measuring thread, batch by batch. Nothing is subtracted: an empty batch allocates nothing.
package final class AllocationBatches: BatchProbe {
    private let probe: Result<AllocationProbe, AllocationsNotCounted>
    private var opened = AllocationCounts()
    private var pending = AllocationCounts()
    private var sums = BatchSums(work: AllocationCounts(), empty: AllocationCounts())

    package init() {
        probe = Result { () throws(AllocationsNotCounted) in try AllocationProbe() }
    }

    // hot path: no allocation, no lock, no call that can block
    package func begin() {
        if case .success(let probe) = probe { opened = probe.ofThread() ?? AllocationCounts() }
    }

    // hot path: no allocation, no lock, no call that can block
    package func end() {
        if case .success(let probe) = probe { pending = pending + ((probe.ofThread() ?? opened) - opened) }
    }

    package func settle(_ kind: BatchKind, iterations: Int) {
        switch kind {
        case .work:
            sums.work = sums.work + pending
            sums.workIterations += iterations
        case .empty: sums.emptyIterations += iterations
        case .unmeasured: break
        }
        pending = AllocationCounts()
    }

    package var readings: [(Metric, Reading)] {
        let readings =
            switch probe {
            case .success: sums.work.threadReadings
            case .failure(let refusal): refusal.readings(.thread)
            }
        return readings.map { ($0.metric, $0.reading) }
    }
}
