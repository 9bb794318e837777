import Results

/// Why a reading of energy is to be taken with care.
package enum EnergyDoubt: Hashable, Sendable, CustomStringConvertible {
    /// The window was shorter than what gives 1 %.
    case short(lasted: Nanoseconds, trusted: Nanoseconds)
    /// The counter moved by few of its steps.
    case coarse(steps: Int)
    /// An idle window was shorter than what shows the machine at rest.
    case shortIdle(lasted: Nanoseconds)

    /// 100 steps are 1 % a step.
    package static let fewestSteps = 100.0
    package static let shortestIdle = Nanoseconds.seconds(10)

    package var description: String {
        switch self {
        case .short(let lasted, let trusted):
            "measured for \(inWords(lasted)); \(inWords(trusted)) or more give 1 %"
        case .coarse(let steps):
            "the counter moved by \(steps) of its steps only; 100 or more give 1 %"
        case .shortIdle(let lasted):
            "the idle window lasted \(inWords(lasted)); 10 s or more show a machine at rest"
        }
    }
}

/// What one domain took in a window.
package struct DomainEnergy: Hashable, Sendable {
    package var domain: EnergyDomain
    package var source: String
    /// In joules.
    package var energy: Reading
    /// The window's own length, from this domain's read at its begin to that at its end.
    package var lasted: Nanoseconds
    package var doubts: [EnergyDoubt]

    package init(
        domain: EnergyDomain, source: String, energy: Reading, lasted: Nanoseconds, doubts: [EnergyDoubt] = []
    ) {
        self.domain = domain
        self.source = source
        self.energy = energy
        self.lasted = lasted
        self.doubts = doubts
    }

    /// In watts, over the window's own length.
    package var power: Reading { averagePower(of: energy, over: lasted) }
}

/// What the machine took in a window, by domain.
package struct EnergyUse: Hashable, Sendable {
    package var domains: [DomainEnergy]
    /// Why a kind of domain has no reading at all here.
    package var absences: [EnergyDomain.Kind: Reading]
    /// Whether others share the machine, as far as it shows: then its energy is no measure of this work, and no gate.
    package var isShared: Bool

    package init(domains: [DomainEnergy], absences: [EnergyDomain.Kind: Reading], isShared: Bool) {
        self.domains = domains
        self.absences = absences
        self.isShared = isShared
    }

    /// The sum over the distinct domains of a kind. Where one of them has no reading, the sum has none: it is never a smaller
    /// sum. What is of one kind only is never added to another: memory and platform stand apart, cores are within packages.
    package func total(_ kind: EnergyDomain.Kind) -> DomainEnergy {
        let parts = domains.filter { $0.domain.kind == kind }
        guard var total = parts.first else {
            return DomainEnergy(
                domain: EnergyDomain(kind, label: kind.rawValue), source: "",
                energy: absences[kind] ?? .unsupported(reason: "this machine has no counter of \(kind.rawValue)"),
                lasted: .zero)
        }
        guard kind != .sensor || parts.count == 1 else {
            // Which rail feeds which other only the board's maker knows.
            total.energy = .unsupported(
                reason: "what sensors of boards tell is not added up: one may be within another")
            total.doubts = []
            return total
        }
        for part in parts.dropFirst() {
            total.energy = total.energy.combined(with: part.energy, +)
            total.doubts += part.doubts.filter { !total.doubts.contains($0) }
        }
        if parts.count > 1 {
            total.domain = EnergyDomain(kind, label: parts.map(\.domain.label).joined(separator: ", "))
        }
        return total
    }

    /// Joules of all processors: the sum over distinct packages.
    package var processors: DomainEnergy { total(.package) }
}
