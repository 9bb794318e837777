import Probes

/// Reads what the kernel counts for the measuring thread, as is done around each batch of a sampled benchmark.
///
/// Unchecked Sendable: one thread executes all iterations of a trial, and the probe is made on it.
final class ReadSystemCosts: @unchecked Sendable {
    private var costs: ThreadCosts?

    func iterate() {
        if costs == nil { costs = ThreadCosts() }
        costs?.begin()
        costs?.end()
    }
}
