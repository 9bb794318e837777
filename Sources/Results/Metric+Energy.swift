/// Energy over the measured part of a trial: of the whole machine, whatever ran on it. Of a sampled benchmark what lies between
/// batches, and the empty ones, are among it.
extension Metric {
    /// Joules of the processors: the sum over their packages, each counted once; memory, graphics and the rest of the machine apart.
    package static let processorEnergy = Metric("cpu_energy", "J", .energy, .machine)
    /// The same less what the machine takes at rest for as long.
    package static let netProcessorEnergy = Metric("net_cpu_energy", "J", .energy, .machine)
    /// Joules of the processors by the seconds of the measured part.
    package static let processorPower = Metric("cpu_power", "W", .energy, .machine, .level)
    /// For how long they were measured. Their counters move about once a millisecond: of less than 300 ms the ends may make more
    /// than 1 %.
    package static let energyWindow = Metric("energy_window", "ns", .energy, .machine, .level)
    /// Joules of a task times the seconds by tasks: low for what is fast and frugal.
    package static let energyDelayProduct = Metric("energy_delay_product", "J·s", .energy, .machine, .level)
    /// Hours for which a battery would last at the power of a trial.
    package static let batteryHours = Metric("battery_hours", "h", .energy, .machine, .level, .higherIsBetter)
    /// The same as a level from 0 to 20, as older energy logs told it: 20 divided by the hours.
    package static let energyLevel = Metric("energy_level", "1", .energy, .machine, .level)

    package static let ofEnergy: [Metric] = [
        .processorEnergy, .netProcessorEnergy, .processorPower, .energyWindow, .energyDelayProduct, .batteryHours,
        .energyLevel,
    ]
}
