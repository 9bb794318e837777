import Results

/// The energy counters of processors, from whichever source shows them.
package func energyCounters(_ files: KernelFiles) -> Capability {
    let sources: [any EnergySource] = [PowercapSource(files), PerfPowerSource(files)]
    return Capability("energy counters", for: "joules of processors and memory", state(of: sources.map { $0.find() }))
}

/// Batteries, whose charge is the coarsest of energy meters.
package func battery(_ files: KernelFiles) -> Capability {
    let source = BatterySource(files)
    let finding = source.find()
    var state = state(of: [finding])
    if case .found = finding.state {
        let now = source.snapshot
        let texts = now.batteries.map { battery in
            let charge = PowerSupply(battery.name, files)["capacity"].map { ", \($0) %" } ?? ""
            return "\(battery.name): \(battery.status.lowercased())\(charge)"
        }
        let detail = texts.joined(separator: "; ")
        state =
            now.obstacle.map {
                .limited("\(detail); \($0)", remedy: "to measure the whole machine, let it run on its battery")
            } ?? .available(detail)
    }
    return Capability("battery", for: "energy of the whole machine while it runs on it", state)
}

/// Every source of energy and its state: what `doctor` tells in full.
package func energySourceStates(
    _ files: KernelFiles = KernelFiles()
) -> [(source: String, state: EnergyFinding.State)] {
    energySources(files).map { source in (source.name, source.find().state) }
}

/// What findings of the same thing say together: what can be read, else what somebody can grant, else why there is none.
private func state(of findings: [EnergyFinding]) -> Capability.State {
    let found = findings.compactMap { finding -> String? in
        guard case .found(let text) = finding.state else { return nil }
        return "\(text) (\(finding.source))"
    }
    if !found.isEmpty { return .available(found.joined(separator: "; ")) }
    for case .denied(let reason, let remedy) in findings.map(\.state) {
        return .unavailable(reason: reason, remedy: remedy)
    }
    guard case .unsupported(let reason, let remedy)? = findings.first?.state else {
        return .unavailable(reason: "there is none", remedy: nil)
    }
    return .unavailable(reason: reason, remedy: remedy)
}
