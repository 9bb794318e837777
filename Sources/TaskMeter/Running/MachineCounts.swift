import Probes
import Results

/// What the machine as a whole counts that disturbs a trial, read before it and after it.
struct MachineCounts {
    private let stolen: Nanoseconds?
    private let throttled: Int?

    /// Reads them now.
    init(_ files: KernelFiles = KernelFiles()) {
        stolen = stealTime(files)
        throttled = throttleEvents(files)
    }

    /// What was counted from this reading to a later one. What cannot be read gives no sample.
    func samples(until later: MachineCounts) -> [Sample] {
        var values: [(Metric, Double)] = []
        if let before = stolen, let after = later.stolen, after >= before {
            values.append((.stealTime, Double((after - before).count)))
        }
        if let before = throttled, let after = later.throttled, after >= before {
            values.append((.throttled, Double(after - before)))
        }
        return values.map { Sample(number: 0, metric: $0.name, unit: $0.unit, value: $1, iterations: 1) }
    }
}
