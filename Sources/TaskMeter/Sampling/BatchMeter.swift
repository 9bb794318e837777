import Clocks
import Probes
import Results

/// What the batches of a trial are measured with: the clock, and around it the probes that are read for each batch.
///
/// Unchecked, because one owner at a time uses it: batches come one after the other, and each is executed to its end where
/// the trial's iterations belong. It is made there too, for probes may count for the thread that made them.
package final class BatchMeter: @unchecked Sendable {
    let clock: MonotonicClock
    private let probes: [any BatchProbe]
    private let hasProbes: Bool

    init(_ clock: MonotonicClock, _ probes: [any BatchProbe] = []) {
        self.clock = clock
        self.probes = probes
        hasProbes = !probes.isEmpty
    }

    /// Has the probes count. Read the clock next.
    // hot path: no allocation, no lock, no call that can block
    func open() { if hasProbes { openProbes() } }

    /// Has the probes stop, once the clock was read.
    // hot path: no allocation, no lock, no call that can block
    func close() { if hasProbes { closeProbes() } }

    /// Says what the batch was that was measured since the last call.
    // hot path: no allocation, no lock, no call that can block
    func settle(_ kind: BatchKind, iterations: Int) {
        for probe in probes { probe.settle(kind, iterations: iterations) }
    }

    @inline(never)
    private func openProbes() { for probe in probes { probe.begin() } }

    @inline(never)
    private func closeProbes() { for probe in probes.reversed() { probe.end() } }

    /// What the probes counted in all batches of work.
    var readings: [(Metric, Reading)] { probes.flatMap(\.readings) }
}
