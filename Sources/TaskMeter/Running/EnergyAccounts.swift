import Clocks
import Probes
import Results

/// The energy of a run's trials: of each while it was measured, and of the machine at rest before the first and after the last.
///
/// Where the machine has no energy counter that can be read, it tells of each trial why, and nothing waits.
final class EnergyAccounts {
    private let meter = EnergyMeter()
    private let batteryWattHours: Reading
    private var idleBefore: EnergyUse?
    private var idleAfter: EnergyUse?
    private var trials: [Entry] = []

    private struct Entry {
        var trial: Int
        var benchmark: BenchmarkID
        var use: EnergyUse
        /// Tasks or iterations.
        var count: Int
        /// The number of the trial's next sample.
        var nextSample: Int
    }

    /// - Parameter batteryWattHours: of the battery whose life is to be told; nil for the machine's own.
    init(batteryWattHours: Double?) {
        self.batteryWattHours = batteryWattHours.map { .measured($0) } ?? BatterySource(KernelFiles()).capacity
    }

    /// Whether others share the machine, as far as it shows: then its energy is no measure of one's own work.
    var isShared: Bool { meter.isShared }

    /// Whether there is anything to count.
    var isCounting: Bool { !meter.domains.isEmpty }

    func begin() -> EnergyWindow { meter.begin() }
    func end(_ window: EnergyWindow) -> EnergyUse { meter.end(window) }

    /// Waits for so long with nothing to do, and keeps what the machine took meanwhile.
    ///
    /// - Parameter sleep: waits, shorter when the person wants the end.
    func rest(_ time: Nanoseconds, isLast: Bool, sleep: (Nanoseconds) -> Void) {
        guard isCounting, time > .zero else { return }
        let window = meter.begin()
        sleep(time)
        let use = meter.end(window)
        if isLast { idleAfter = use } else { idleBefore = use }
    }

    /// What a trial took, as samples, and kept for when the machine's rest is known.
    ///
    /// - Parameters:
    ///   - use: of the measured part; nil where it had none.
    ///   - count: tasks or iterations of it.
    func samples(of use: EnergyUse?, count: Int) -> [Sample] {
        guard let use else { return [] }
        let processors = use.processors
        let energy = processors.energy
        var readings: [(Metric, Reading)] = [(.processorEnergy, energy), (.processorPower, processors.power)]
        if energy.value != nil { readings.append((.energyWindow, .measured(Double(processors.lasted.count)))) }
        let perTask = joulesPerTask(energy, tasks: count)
        let delay = Nanoseconds(count > 0 ? processors.lasted.count / Int64(count) : 0)
        readings.append((.energyDelayProduct, energyDelayProduct(perTask, delay: delay)))
        for kind in EnergyDomain.Kind.allCases where kind != .package {
            // A machine without a battery, a graphics card or sensors has none to tell of, trial by trial.
            guard use.domains.contains(where: { $0.domain.kind == kind }) else { continue }
            readings.append((Metric.energy(of: kind), use.total(kind).energy))
        }
        return readings.map { Sample($0, $1, iterations: count) } + battery(use)
    }

    /// Keeps a trial for `net()`.
    func keep(_ use: EnergyUse?, of trial: Trial, count: Int, nextSample: Int) {
        guard let use, isCounting else { return }
        trials.append(
            Entry(trial: trial.number, benchmark: trial.benchmark, use: use, count: count, nextSample: nextSample))
    }

    /// What each trial took beyond rest; asked when both rests are known, or will not be.
    func net() -> [(benchmark: BenchmarkID, trial: Int, sample: Sample)] {
        trials.map { entry in
            let reading: Reading
            if let idleBefore, let idleAfter {
                reading = IdlePower(before: idleBefore, after: idleAfter).net(entry.use, .package)
            } else {
                // What has no number has none beyond rest either, and the same reason.
                let gross = entry.use.processors.energy
                reading =
                    gross.value == nil
                    ? gross : .notCounted(reason: "the machine was not measured at rest before the run and after it")
            }
            var sample = Sample(.netProcessorEnergy, reading, iterations: entry.count)
            sample.number = entry.nextSample
            return (entry.benchmark, entry.trial, sample)
        }
    }

    /// Hours of battery life at the power of the trial, and the level that older logs told: of the whole device where that is
    /// measured, else of its processors alone.
    private func battery(_ use: EnergyUse) -> [Sample] {
        guard batteryWattHours.value != nil else { return [] }
        let kinds: [EnergyDomain.Kind] = [.battery, .psys, .package]
        let power = kinds.map { use.total($0).power }.first { $0.value != nil } ?? use.processors.power
        let hours = hoursOfBattery(wattHours: batteryWattHours, power: power)
        return [
            Sample(.batteryHours, hours, iterations: 1), Sample(.energyLevel, energyLevel(hours: hours), iterations: 1),
        ]
    }
}
