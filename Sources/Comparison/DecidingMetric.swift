import Results

extension BenchmarkDescription {
    /// The metric by which a benchmark is compared when nobody names one; nil where it declares none to be decided by.
    package var decidingMetric: Metric? {
        // What only trials that count can tell is not told by those that are timed.
        if let declared = experiment?.decides, declared.probe != .emulation, declared.probe != .allocations {
            return declared
        }
        return switch manner {
        case .samples: .iterationTime
        case .observations: nil
        // An open loop's throughput is that of its arrivals, whatever becomes of them.
        case .tasks: isOpenLoop == true ? .tasks(.response, .p50) : .throughput
        }
    }

    /// Why trials of another side's benchmark of the same name say nothing about this one; nil when they do.
    package func difference(to other: BenchmarkDescription) -> String? {
        func differs<Value: Equatable>(_ what: String, _ part: (BenchmarkDescription) -> Value) -> String? {
            part(self) == part(other) ? nil : what
        }
        let differences = [
            differs("what is measured") { $0.manner },
            differs("the number of tasks") { $0.tasks },
            differs("how long it lasts") { $0.lasts },
            differs("the load") { $0.load },
            differs("how it is sampled") { $0.sampling },
            differs("the metric that decides") { $0.decidingMetric },
        ].compactMap { $0 }
        return differences.isEmpty
            ? nil : "the two sides declare it differently: \(differences.joined(separator: ", "))"
    }
}
