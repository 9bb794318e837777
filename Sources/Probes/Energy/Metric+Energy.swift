import Results

extension Metric {
    /// Of parts of the machine that are never added to the processors'.
    package static let energyOfParts: [Metric] = EnergyDomain.Kind.allCases.filter { $0 != .package }.map {
        energy(of: $0)
    }

    package static let memoryEnergy = energy(of: .dram)
    package static let platformEnergy = energy(of: .psys)

    /// The metric of a kind of domain. `cpu_energy` is the processors' sum; the others stand apart and are never added to it.
    package static func energy(of kind: EnergyDomain.Kind) -> Metric {
        let name =
            switch kind {
            case .package: "cpu_energy"
            default: "\(kind.rawValue)_energy"
            }
        return Metric(name, "J", .energy, .machine)
    }
}

extension EnergyUse {
    /// Each kind of which this machine has a domain, and the processors' in any case, with its metric.
    package var readings: [(metric: Metric, total: DomainEnergy)] {
        EnergyDomain.Kind.allCases.filter { kind in
            kind == .package || domains.contains { $0.domain.kind == kind }
        }.map { (.energy(of: $0), total($0)) }
    }
}
