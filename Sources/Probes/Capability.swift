/// One thing that a machine can, or cannot, give to measurements.
package struct Capability: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case available(_ detail: String)
        /// There, but less than one would wish for.
        case limited(_ detail: String, remedy: String?)
        case unavailable(reason: String, remedy: String?)
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

/// What this machine can and cannot measure, each tried out just now. Takes less than a second.
///
/// The one list of all capabilities: a new one is a new function and a line here.
package func capabilities() -> [Capability] {
    let files = KernelFiles()
    return [
        monotonicClock(files), timeStampCounter(), processorTime(), hardwareCounters(files), countersLibrary(),
        energyCounters(files),
        battery(files), processors(files), governor(files), virtualMachine(files), load(files), openFiles(),
        threads(files), curl(), program("gnuplot", for: "the plots of reports", version: ["--version"]),
        program("nginx", for: "the server of the suite Requests", version: ["-v"]),
        program("git", for: "the revision of a run", version: ["--version"]),
        program(
            "valgrind", for: "exact instruction counts where there are no counters", version: ["--version"],
            note: "this version of TaskMeter does not use it yet"),
    ]
}
