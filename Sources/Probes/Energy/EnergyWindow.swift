import Results

/// A stretch of time whose energy is told: from `EnergyMeter.begin()` to `EnergyMeter.end(_:)`.
package struct EnergyWindow: Hashable, Sendable {
    /// One for each of the meter's domains.
    let starts: [Start]

    struct Start: Hashable, Sendable {
        var moment: EnergyMoment
        var total: EnergyTotal
        var isCounting: Bool
    }
}

extension DomainTrack {
    /// What it took since a window's begin, once it was sampled at its end.
    func energy(since start: EnergyWindow.Start, at end: EnergyMoment) -> DomainEnergy {
        let lasted = end.awakeTime(since: start.moment)
        let taken = energy(from: start.total, to: total)
        let steps = total.steps - start.total.steps
        var result = DomainEnergy(domain: domain, source: source, energy: .measured(taken.count), lasted: lasted)
        if !start.isCounting || total.losses != start.total.losses {
            result.energy = .notCounted(reason: total.lastLoss)
        } else if lasted < limits.shortest {
            result.energy = .notCounted(
                reason: "\(inWords(lasted)) are too short for the energy of \(domain.label): "
                    + "it takes \(inWords(limits.shortest)) at least")
        } else if taken <= .zero {
            result.energy = .notCounted(reason: "the counter of \(domain.label) did not move in \(inWords(lasted))")
        } else {
            if let sensed = total.sensed {
                let share = (sensed - (start.total.sensed ?? .zero)).seconds / lasted.seconds
                result.energy = .estimated(taken.count, share: min(max(share, 1e-6), 0.999))
            }
            if lasted < limits.trusted { result.doubts.append(.short(lasted: lasted, trusted: limits.trusted)) }
            if total.sensed == nil, steps < EnergyDoubt.fewestSteps {
                result.doubts.append(.coarse(steps: Int(steps.rounded())))
            }
        }
        return result
    }
}
