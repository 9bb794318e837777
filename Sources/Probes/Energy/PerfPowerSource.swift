import CCounters
import Glibc
import Results

/// The same counters through perf's `power` PMU (perf_event_open(2)), where the kernel itself takes care of their rounds.
///
/// A counter is opened for one processor of each package or die, as the PMU's `cpumask` names them, and for no process.
package struct PerfPowerSource: EnergySource {
    package let name = "perf power PMU"
    let files: KernelFiles
    /// Opens a counter of a PMU's type on a processor: a descriptor, or -errno. In place of the kernel's in tests.
    let open: @Sendable (_ type: UInt32, _ config: UInt64, _ processor: Int32) -> Int32

    static let folder = "/sys/bus/event_source/devices/power"
    /// The events' names and what they count. `energy-gpu` is the graphics inside the package.
    static let events: [(name: String, kind: EnergyDomain.Kind)] = [
        ("energy-pkg", .package), ("energy-ram", .dram), ("energy-psys", .psys), ("energy-cores", .core),
        ("energy-gpu", .uncore),
    ]

    package init(
        _ files: KernelFiles,
        open: @escaping @Sendable (UInt32, UInt64, Int32) -> Int32 = { ccounters_open_machine($0, $1, $2) }
    ) {
        self.files = files
        self.open = open
    }

    package func find() -> EnergyFinding {
        guard let description = PerfPowerDescription(files) else {
            return EnergyFinding(source: name, domains: [], state: absence)
        }
        let found = description.events.flatMap { event in
            // The platform has one counter, whichever processor is asked for it.
            description.processors.prefix(event.kind == .psys ? 1 : Int.max).map { processor in
                let place = Place(processor, among: description.processors, files)
                return FoundDomain(
                    domain(event.kind, at: place), source: name, access(event, at: place, type: description.type))
            }
        }
        return EnergyFinding(
            source: name, domains: found,
            otherwise: .unsupported(reason: "\(Self.folder) has no event that counts joules", remedy: nil))
    }

    /// Where a processor of the `cpumask` is.
    private struct Place {
        var processor: Int
        var socket: Int
        /// The die, where the mask has several processors of this package.
        var die: Int?

        init(_ processor: Int, among all: [Int], _ files: KernelFiles) {
            func number(_ file: String, of processor: Int) -> Int? {
                files.number("/sys/devices/system/cpu/cpu\(processor)/topology/\(file)")
            }
            func socket(of processor: Int) -> Int { number("physical_package_id", of: processor) ?? 0 }
            self.processor = processor
            self.socket = socket(of: processor)
            let neighbours = all.filter { socket(of: $0) == socket(of: processor) }
            if neighbours.count > 1 { die = number("die_id", of: processor) ?? neighbours.firstIndex(of: processor) }
        }

        var label: String { "package-\(socket)" + (die.map { "-die-\($0)" } ?? "") }
    }

    private func domain(_ kind: EnergyDomain.Kind, at place: Place) -> EnergyDomain {
        guard kind != .psys else { return EnergyDomain(.psys, label: "psys") }
        return EnergyDomain(
            kind, socket: place.socket, die: place.die,
            label: kind == .package ? place.label : "\(kind.rawValue) of \(place.label)")
    }

    private func access(_ event: PerfPowerEvent, at place: Place, type: UInt32) -> FoundDomain.Access {
        // Each of perf's counts begins at zero when it is opened: unlike those of powercap they do not tell whether two of them
        // are one register, as on processors whose dies mirror one another.
        if place.die != nil, event.kind != .psys {
            return .none(
                .denied(
                    reason: "perf counts each die of package-\(place.socket), and some dies show one register twice; "
                        + "powercap tells them apart, and may not be read", remedy: PowercapSource.remedy))
        }
        let descriptor = open(type, event.config, Int32(place.processor))
        guard descriptor >= 0 else { return .none(refusal(-descriptor)) }
        let counter = WrappingCounter(unit: event.unit, range: .endless, highestPower: Watts(4000))
        return .open(PerfCounterReader(descriptor, "\(name), \(event.name)"), .counter(counter), .processor)
    }

    /// What a refusal means (perf_event_open(2), “ERRORS”): counters of a whole processor are for the privileged, unless
    /// `kernel.perf_event_paranoid` is 0 or less.
    package func refusal(_ number: Int32) -> Reading {
        guard number == EACCES || number == EPERM else {
            return .unsupported(reason: "perf_event_open refuses the power PMU: \(errnoText(number))")
        }
        if values(of: "Seccomp", in: files.text("/proc/self/status").value ?? "").first == "2" {
            return .denied(
                reason: "a seccomp filter, as containers have, forbids perf_event_open",
                remedy: "start the container with the capability PERFMON (Docker, Podman: --cap-add PERFMON)")
        }
        let level = files.number("/proc/sys/kernel/perf_event_paranoid").map { " is \($0)" } ?? " forbids it"
        return .denied(
            reason: "counters of a whole processor are not for ordinary users (kernel.perf_event_paranoid\(level))",
            remedy: "sudo sysctl kernel.perf_event_paranoid=0, and for good: "
                + "echo kernel.perf_event_paranoid=0 | sudo tee /etc/sysctl.d/60-energy.conf; "
                + "or give the program the capability: sudo setcap cap_perfmon=ep FILE")
    }

    private var absence: EnergyFinding.State {
        let enclosure = Enclosure(files)
        if enclosure.virtualMachine != nil {
            return .unsupported(
                reason: "this virtual machine has no power PMU (no \(Self.folder))",
                remedy: "measure on a machine of one's own")
        }
        return .unsupported(
            reason: "the kernel has no power PMU (no \(Self.folder))", remedy: "on Intel and AMD: sudo modprobe rapl")
    }
}

/// One event of the PMU.
package struct PerfPowerEvent: Hashable, Sendable {
    package var name: String
    package var kind: EnergyDomain.Kind
    package var config: UInt64
    /// One count: 2⁻³² J on x86, as the file `.scale` says.
    package var unit: Joules
}

/// What the kernel says of the PMU in its folder (Documentation/ABI/testing/sysfs-bus-event_source-devices-events).
package struct PerfPowerDescription: Hashable, Sendable {
    package var type: UInt32
    package var processors: [Int]
    package var events: [PerfPowerEvent]

    /// Nil when there is no such PMU, or it lacks what opening needs.
    package init?(_ files: KernelFiles) {
        let folder = PerfPowerSource.folder
        guard let type = files.text(folder + "/type").value.flatMap({ UInt32($0) }),
            let processors = files.text(folder + "/cpumask").value.flatMap(numbersOfList)
        else { return nil }
        self.type = type
        self.processors = processors
        events = PerfPowerSource.events.compactMap { name, kind in
            let path = "\(folder)/events/\(name)"
            guard let text = files.text(path).value, files.text(path + ".unit").value == "Joules",
                let scale = files.text(path + ".scale").value.flatMap({ Double($0) }), scale > 0, scale.isFinite,
                let config = Self.config(of: text, format: { files.text("\(folder)/format/\($0)").value })
            else { return nil }
            return PerfPowerEvent(name: name, kind: kind, config: config, unit: Joules(scale))
        }
    }

    /// The configuration that a text such as `event=0x02` stands for, whose terms are placed where `format` says, such as
    /// `config:0-7`; nil when a term is placed elsewhere or does not fit.
    package static func config(of event: String, format: (String) -> String?) -> UInt64? {
        var config: UInt64 = 0
        for term in event.split(separator: ",") {
            let parts = term.split(separator: "=", maxSplits: 1)
            guard let place = format(String(parts[0])), place.hasPrefix("config:") else { return nil }
            let bits = place.dropFirst("config:".count).split(separator: "-").map { Int($0) }
            guard let low = bits.first ?? nil, let high = bits.last ?? nil, low >= 0, high >= low, high < 64 else {
                return nil
            }
            let digits = parts.count > 1 ? parts[1] : "1"
            let value = digits.hasPrefix("0x") ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
            guard let value, high - low == 63 || value >> UInt64(high - low + 1) == 0 else { return nil }
            config |= value << UInt64(low)
        }
        return config
    }
}

/// An open counter of perf, with the times for which it was wanted and really counted.
final class PerfCounterReader: EnergyReader {
    private let descriptor: Int32
    private let name: String
    private var before: (enabled: UInt64, running: UInt64, moment: EnergyMoment)?

    init(_ descriptor: Int32, _ name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit { close(descriptor) }

    func read(at moment: EnergyMoment) -> EnergyReadout {
        var numbers: (count: UInt64, enabled: UInt64, running: UInt64) = (0, 0, 0)
        let size = MemoryLayout.size(ofValue: numbers)
        let count = withUnsafeMutableBytes(of: &numbers) { Glibc.read(descriptor, $0.baseAddress, size) }
        guard count == size else { return .failed("\(name): \(count < 0 ? errnoText() : "it lost its processor")") }
        defer { before = (numbers.enabled, numbers.running, moment) }
        if let before {
            let wanted = numbers.enabled &- before.enabled
            let counted = numbers.running &- before.running
            let passed = moment.awakeTime(since: before.moment)
            // Where its processor was taken off-line the count stands still, and the time it was wanted for may too.
            if wanted > 2 * counted || (passed > .milliseconds(5) && passed.seconds > 2e-9 * Double(counted)) {
                return .failed(
                    "\(name): it counted for a part of the time only, as when its processor is taken off-line")
            }
        }
        return .count(numbers.count)
    }
}
