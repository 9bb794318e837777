import Glibc
import Probes
import Results
import Synchronization
import TestSupport

/// A folder laid out as the kernel lays out its energy counters, batteries and sensors.
struct EnergyTree {
    let folder = TemporaryFolder()
    var files: KernelFiles { KernelFiles(root: folder.path) }

    /// A file of a folder under `/sys/class`.
    func set(_ path: String, _ text: String) {
        folder.write("\(text)\n", to: "sys/class/" + path)
    }

    func set(_ path: String, _ files: KeyValuePairs<String, String>) {
        for (name, text) in files { set("\(path)/\(name)", text) }
    }

    /// A zone as the kernel shows it: a folder among the devices, each in that of the zone around it, and a link to it among the
    /// class's. Zone `intel-rapl:0:1` lies in `intel-rapl:0`.
    func zone(
        _ name: String, _ title: String, microjoules: String? = "1000000", range: String? = "262143328850",
        extra: KeyValuePairs<String, String> = [:]
    ) {
        let parts = name.split(separator: ":")
        var place = "sys/devices/virtual/powercap/\(parts[0])"
        for count in 2...parts.count { place += "/" + parts.prefix(count).joined(separator: ":") }
        folder.write(title + "\n", to: place + "/name")
        folder.write("1\n", to: place + "/enabled")
        if let microjoules { folder.write(microjoules + "\n", to: place + "/energy_uj") }
        if let range { folder.write(range + "\n", to: place + "/max_energy_range_uj") }
        for (file, text) in extra { folder.write(text + "\n", to: "\(place)/\(file)") }
        link(name, to: "../../devices" + place.dropFirst("sys/devices".count))
    }

    /// A link among the powercap class's.
    func link(_ name: String, to place: String) {
        folder.write("", to: "sys/class/powercap/.keep")
        _ = symlink(place, "\(folder.path)/sys/class/powercap/\(name)")
    }

    func tick(_ zone: String, _ microjoules: UInt64) { set("powercap/\(zone)/energy_uj", "\(microjoules)") }

    func battery(_ name: String, _ files: KeyValuePairs<String, String>) {
        set("power_supply/\(name)/type", "Battery")
        set("power_supply/\(name)", files)
    }

    /// A processor of AMD, Intel or none, as `/proc/cpuinfo` names its maker.
    func vendor(_ name: String) { folder.write("processor : 0\nvendor_id\t: \(name)\n", to: "proc/cpuinfo") }
}

/// The two clocks of the kernel, moved on by a test.
final class TestClock: Sendable {
    private let moment = Mutex(EnergyMoment(awake: 1_000_000_000, sinceBoot: 5_000_000_000))

    func now() -> EnergyMoment { moment.withLock { $0 } }

    func pass(_ seconds: Double) {
        moment.withLock {
            $0.awake += Nanoseconds.seconds(seconds).count
            $0.sinceBoot += Nanoseconds.seconds(seconds).count
        }
    }

    /// The machine sleeps: only one of the clocks goes on.
    func suspend(_ seconds: Double) { moment.withLock { $0.sinceBoot += Nanoseconds.seconds(seconds).count } }
}

/// A meter of sources that are read when the test says so, by the test's own clock.
struct SteppedMeter {
    let clock = TestClock()
    let meter: EnergyMeter

    init(_ sources: any EnergySource...) {
        meter = EnergyMeter(
            sources.map { $0.find() }, isShared: false, inBackground: false, clock: { [clock] in clock.now() })
    }

    /// What is taken while so much time passes and `change` happens.
    func use(_ seconds: Double, _ change: () -> Void = {}) -> EnergyUse {
        let window = meter.begin()
        clock.pass(seconds)
        change()
        return meter.end(window)
    }
}

extension Reading {
    /// Whether it is a measured number, to nine digits.
    func isMeasured(_ expected: Double) -> Bool {
        guard case .measured(let value) = self else { return false }
        return abs(value - expected) <= 1e-9 * max(abs(expected), 1)
    }

    func isNotCounted(_ words: String) -> Bool {
        guard case .notCounted(let reason) = self else { return false }
        return reason.contains(words)
    }
}

extension EnergyUse {
    var labels: [String] { domains.filter { $0.energy.value != nil }.map(\.domain.label).sorted() }
    func energy(_ label: String) -> Reading? { domains.first { $0.domain.label == label }?.energy }
}
