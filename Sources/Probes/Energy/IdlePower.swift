import Results

/// What a machine takes at rest: from a window before the work and one after it, in which nothing was done.
package struct IdlePower: Hashable, Sendable {
    package var before: EnergyUse
    package var after: EnergyUse

    /// Apart by more, the machine was not at rest in one of them, or grew hot in between.
    package static let tolerance = 0.05

    package init(before: EnergyUse, after: EnergyUse) {
        self.before = before
        self.after = after
    }

    /// Watts at rest of a kind of domain: the mean of both windows, unless they differ by more than 5 % of it.
    package func power(_ kind: EnergyDomain.Kind) -> Reading {
        let first = before.total(kind).power
        let last = after.total(kind).power
        let mean = first.combined(with: last) { ($0 + $1) / 2 }
        guard let mid = mean.value, let from = first.value, let to = last.value else { return mean }
        guard first.isComparable(with: last) else {
            return .notCounted(reason: "one idle window was measured and the other estimated")
        }
        let apart = abs(from - to) / mid
        guard apart <= Self.tolerance else {
            func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
            return .notCounted(
                reason: "the idle power was \(rounded(from)) W before and \(rounded(to)) W after: they differ by "
                    + "\((apart * 1000).rounded() / 10) %, more than 5 %")
        }
        return mean
    }

    /// What to think of the idle windows themselves.
    package func doubts(_ kind: EnergyDomain.Kind) -> [EnergyDoubt] {
        [before, after].map { $0.total(kind) }.filter { $0.energy.value != nil && $0.lasted < EnergyDoubt.shortestIdle }
            .map { .shortIdle(lasted: $0.lasted) }
    }

    /// What a window took beyond rest.
    package func net(_ use: EnergyUse, _ kind: EnergyDomain.Kind) -> Reading {
        let total = use.total(kind)
        return netOfIdle(total.energy, over: total.lasted, idle: power(kind))
    }
}
