import Results
import Statistics

/// What tasks and iterations cost: from the readings of trials to what the run says.
extension RunData {
    /// The costs of a benchmark, in the order of the run's metrics; metrics that no trial told of are left out.
    ///
    /// Trials that count disturb times, and tell of nothing but what they were made to count.
    func costs(of benchmark: BenchmarkID) -> [CostSummary] {
        let trials = trials.filter { $0.benchmark == benchmark && $0.status == .completed }
        var told: [String: [Sample]] = [:]
        for trial in trials {
            for sample in samples[trial.number] ?? [] { told[sample.metric, default: []].append(sample) }
        }
        let description = run.benchmarks.first { $0.id == benchmark }
        let unit: CostSummary.Divisor =
            switch description?.manner {
            case .samples: .iteration
            case .observations: .trial
            case .tasks, nil: .task
            }
        return run.metrics.compactMap { metric in
            guard !metric.probe.isOfInstrument, let samples = told[metric.name] else { return nil }
            return CostSummary(of: samples, metric, per: metric.kind == .amount ? unit : .trial)
        }
    }
}

extension Metric.Probe {
    /// Whether what it measures is no cost: the times by which a benchmark is judged, and what the instrument tells of itself.
    fileprivate var isOfInstrument: Bool { self == .clock || self == .instrument }
}

extension CostSummary {
    /// What the readings of a metric, one of each trial, say together.
    package init(of samples: [Sample], _ metric: Metric, per divisor: Divisor) {
        let readings = samples.map { sample in
            guard divisor != .trial else { return sample.reading }
            guard sample.iterations > 0 else {
                return sample.value == nil
                    ? sample.reading : .notCounted(reason: "the trial measured no \(divisor.rawValue)")
            }
            return sample.reading.map { $0 / Double(sample.iterations) }
        }
        // What was measured and what was estimated make no common median.
        let measured = readings.filter { $0.status == .measured }
        let chosen = measured.isEmpty ? readings.filter { $0.status == .estimated } : measured
        let others = readings.filter { reading in chosen.first?.status != reading.status }
        var gaps: [Gap] = []
        for reading in others {
            if let index = gaps.firstIndex(where: { $0.reading == reading }) {
                gaps[index].trials += 1
            } else {
                gaps.append(Gap(reading: reading, trials: 1))
            }
        }
        let numbers = chosen.compactMap(\.value)
        let estimate = MedianEstimate(of: numbers)
        self.init(
            metric: metric.name, unit: metric.unit, per: divisor, estimate: estimate,
            spread: estimate.flatMap { Self.spread(numbers, around: $0.median) },
            isEstimated: measured.isEmpty && !chosen.isEmpty,
            gaps: gaps.enumerated().sorted { ($1.element.trials, $0.offset) < ($0.element.trials, $1.offset) }
                .map(\.element))
    }

    private static func spread(_ numbers: [Double], around median: Double) -> Double? {
        guard numbers.count > 1, let least = numbers.min(), let most = numbers.max() else { return nil }
        return most == least ? 0 : median == 0 ? nil : (most - least) / abs(median)
    }
}
