/// One thing that a machine can, or cannot, give to measurements.
package struct Capability: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case available(_ detail: String)
        /// There, but less than one would wish for.
        case limited(_ detail: String, remedy: String?)
        case unavailable(reason: String, remedy: String?)

        /// As programs name it.
        package var name: String {
            switch self {
            case .available: "available"
            case .limited: "limited"
            case .unavailable: "unavailable"
            }
        }

        /// What was found, or the reason for which there is nothing.
        package var detail: String {
            switch self {
            case .available(let detail), .limited(let detail, _): detail
            case .unavailable(let reason, _): reason
            }
        }

        /// What to do about it, where something can be done.
        package var remedy: String? {
            switch self {
            case .available: nil
            case .limited(_, let remedy), .unavailable(_, let remedy): remedy
            }
        }
    }

    package var name: String
    /// What it is for, in a few words.
    package var purpose: String
    package var state: State

    package init(_ name: String, for purpose: String, _ state: State) {
        self.name = name
        self.purpose = purpose
        self.state = state
    }
}

/// Capabilities of a kind.
package struct CapabilityGroup: Sendable {
    package var title: String
    package var capabilities: [Capability]
}

/// What this machine can and cannot measure, and what disturbs measuring on it, each tried out just now. Takes about a second.
///
/// The one list of all capabilities: a new one is a new function and a line here.
package func capabilities(_ files: KernelFiles = KernelFiles()) -> [CapabilityGroup] {
    [
        CapabilityGroup(
            title: "Probes",
            capabilities: [
                monotonicClock(files), timeStampCounter(), processorTime(), operatingSystemCosts(),
                hardwareCounters(files), countersLibrary(), softwareEvents(), allocations(), exactInstructions(),
                program("valgrind", for: "simulated misses of caches", version: ["--version"]),
            ] + energyCapabilities(files)),
        CapabilityGroup(
            title: "What disturbs measuring",
            capabilities: [
                virtualMachine(files), stolenTime(files), load(files), governor(files), turbo(files),
                multithreading(files), temperature(files), swap(files), addressRandomisation(files),
            ]),
        CapabilityGroup(
            title: "Limits", capabilities: [processors(files), openFiles(), threads(files)]),
        CapabilityGroup(
            title: "Programs and libraries",
            capabilities: [
                curl(), program("gnuplot", for: "the plots of reports", version: ["--version"]),
                program("nginx", for: "the server of the suite Requests", version: ["-v"]),
                program("git", for: "the revision of a run", version: ["--version"]),
            ]),
    ]
}
