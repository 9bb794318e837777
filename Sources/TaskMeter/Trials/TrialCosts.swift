import Probes
import Results

/// What a trial asks of its whole process over the measured part, by what the trial is made for.
///
/// What is dear to read is read first at the begin and last at the end, so that its cost is in no cheaper one's part.
struct TrialCosts: Sendable {
    private let mode: Trial.Mode
    private var system = ProcessCosts()
    private let counters: ProcessCounters?
    private let allocations: Result<AllocationProbe, AllocationsNotCounted>?
    private var countersBegan: ProcessCounters.Snapshot?
    private var countersEnded: ProcessCounters.Snapshot?
    private var allocationsBegan: ProcessAllocations?
    private var allocationsEnded: ProcessAllocations?

    /// - Parameter counters: opened before the process had a second thread; nil when no events are asked for.
    init(_ mode: Trial.Mode, _ counters: ProcessCounters?) {
        self.mode = mode
        self.counters = mode == .timed ? counters : nil
        allocations =
            mode == .allocations
            ? Result { () throws(AllocationsNotCounted) in try AllocationProbe() } : nil
    }

    /// Just before the first task or sample.
    mutating func begin() {
        switch mode {
        case .timed:
            system.begin()
            countersBegan = counters?.snapshot()
        case .allocations:
            guard let probe = try? allocations?.get() else { return }
            probe.resetPeak()
            allocationsBegan = probe.ofProcess()
        case .events, .exact, .simulated: break
        }
    }

    /// Just after the last.
    mutating func end() {
        switch mode {
        case .timed:
            countersEnded = counters?.snapshot()
            system.end()
        case .allocations: allocationsEnded = (try? allocations?.get())?.ofProcess()
        case .events, .exact, .simulated: break
        }
    }

    var readings: [(Metric, Reading)] {
        switch mode {
        case .timed: system.readings + counterReadings
        case .allocations: allocationReadings.map { ($0.metric, $0.reading) }
        case .events, .exact, .simulated: []
        }
    }

    private var counterReadings: [(Metric, Reading)] {
        guard let counters else { return [] }
        guard let countersBegan, let countersEnded else {
            return counters.events.map {
                ($0.metric(.process), .notCounted(reason: "measuring did not come to its end"))
            }
        }
        let group = counters.readings(from: countersBegan, to: countersEnded, .current())
        return zip(group.events, group.readings).map { ($0.metric(.process), $1) }
            + group.ratios(.process).map { ($0.metric, $0.reading) }
    }

    private var allocationReadings: [AllocationReading] {
        switch allocations {
        case nil: return []
        case .failure(let refusal): return refusal.readings(.process)
        case .success(let probe):
            guard let allocationsBegan, let allocationsEnded else {
                return AllocationReading.metrics(.process).map {
                    AllocationReading(
                        metric: $0, reading: .notCounted(reason: "measuring did not come to its end"))
                }
            }
            return ProcessAllocations.readings(
                from: allocationsBegan, to: allocationsEnded, knowsSizes: probe.knowsSizes)
        }
    }
}
