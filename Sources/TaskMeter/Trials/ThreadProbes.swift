import Probes
import Results

/// Which probes count for the thread that measures, and why they are none where there are none.
struct ThreadProbes: Sendable {
    var mode: Trial.Mode
    var counters: CounterRequest?

    /// Makes them, on the thread that will measure.
    func maker(_ iteration: Iteration) -> @Sendable () -> [any BatchProbe] {
        guard reasonAgainst(iteration) == nil else { return { [] } }
        switch mode {
        case .timed:
            let counters = counters
            return { [ThreadCosts()] + (counters.map { [CounterBatches($0.events, $0.backend)] } ?? []) }
        case .events:
            let counters = counters
            return { counters.map { [CounterBatches($0.events, $0.backend)] } ?? [] }
        case .allocations: return { [AllocationBatches()] }
        case .exact, .simulated: return { [] }
        }
    }

    /// What is told of a benchmark for which they cannot count.
    func absences(_ iteration: Iteration) -> [(Metric, Reading)] {
        guard let reason = reasonAgainst(iteration) else { return [] }
        let metrics: [Metric] =
            switch mode {
            case .timed: Metric.ofThread + (counters?.events ?? []).map { $0.metric(.thread) }
            case .events: (counters?.events ?? []).map { $0.metric(.thread) }
            case .allocations: AllocationReading.metrics(.thread)
            case .exact, .simulated: []
            }
        return metrics.map { ($0, .unsupported(reason: reason)) }
    }

    /// Why what is counted for a thread says nothing of these iterations; nil when it does.
    private func reasonAgainst(_ iteration: Iteration) -> String? {
        if iteration.maySuspend { return "its iterations may suspend and go on on another thread" }
        // Counting allocations takes some nanoseconds, and its trial tells of no times.
        return iteration.measuresWindows && (mode == .timed || mode == .events)
            ? "its iterations measure windows of their own, which may be shorter than reading this takes" : nil
    }
}
