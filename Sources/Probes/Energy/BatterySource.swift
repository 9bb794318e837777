import Results

/// Batteries of the machine: what the whole device takes while it lives on them, screen and radio included.
package struct BatterySource: EnergySource {
    package let name = "battery"
    let files: KernelFiles
    static let folder = "/sys/class/power_supply"

    package init(_ files: KernelFiles) { self.files = files }

    /// The folders of the machine's own batteries. Mice and headphones have batteries too: their scope is “Device”.
    package var batteries: [String] {
        files.names(in: Self.folder).filter {
            let facts = PowerSupply($0, files)
            return facts["type"] == "Battery" && facts["scope"] != "Device" && facts["present"] != "0"
        }
    }

    package func find() -> EnergyFinding {
        let names = batteries
        guard !names.isEmpty else {
            return EnergyFinding(
                source: name, domains: [], state: .unsupported(reason: "there is none", remedy: nil))
        }
        let domain = EnergyDomain(.battery, label: names.joined(separator: ", "))
        let now = snapshot
        let tells = now.batteries.contains {
            $0.microwattHours != nil || ($0.microampereHours != nil && $0.microvolts != nil) || $0.power != nil
        }
        let access: FoundDomain.Access =
            tells
            ? .open(BatteryReader(self), .batteries, .battery)
            : .none(
                .unsupported(
                    reason: "\(domain.label) tells neither its energy, nor its charge and voltage, nor its power"))
        return EnergyFinding(
            source: name, domains: [FoundDomain(domain, source: name, access)],
            otherwise: .unsupported(reason: "there is none", remedy: nil))
    }

    /// All batteries and chargers at this moment. Firmware may take milliseconds to answer.
    package var snapshot: DeviceBatteries {
        var batteries: [BatterySnapshot] = []
        var charger: String?
        for name in files.names(in: Self.folder) {
            let facts = PowerSupply(name, files)
            guard let type = facts["type"], facts["scope"] != "Device" else { continue }
            if type != "Battery" {
                // 1 is a charger of fixed voltage, 2 one whose voltage can be asked for.
                if let online = facts["online"], online != "0" { charger = charger ?? "\(name) is online" }
            } else if facts["present"] != "0" {
                batteries.append(BatterySnapshot(name: name) { facts[$0] })
            }
        }
        return DeviceBatteries(batteries, charger: charger)
    }

    /// What all batteries hold when they are full, in Wh: what hours of battery life are told of.
    package var capacity: Reading {
        var total = Joules.zero
        for name in batteries {
            let facts = PowerSupply(name, files)
            func number(_ key: String) -> Double? { facts[key].flatMap { Int64($0) }.map { Double($0) } }
            if let energy = number("energy_full") ?? number("energy_full_design") {
                total += .microwattHours(energy)
            } else if let charge = number("charge_full") ?? number("charge_full_design"),
                let voltage = number("voltage_min_design") ?? number("voltage_max_design") ?? number("voltage_now")
            {
                total += .microampereHours(charge, atMicrovolts: voltage)
            } else {
                return .unsupported(reason: "\(name) does not tell what it holds when it is full")
            }
        }
        return total > .zero ? .measured(total.wattHours) : .unsupported(reason: "there is no battery")
    }
}

/// The attributes of a supply: from its `uevent`, which holds all that can be read at one moment, else from its other files.
struct PowerSupply {
    private let path: String
    private let files: KernelFiles
    private let event: String

    init(_ name: String, _ files: KernelFiles) {
        self.files = files
        path = "\(BatterySource.folder)/\(name)"
        event = files.text(path + "/uevent").value ?? ""
    }

    subscript(attribute: String) -> String? {
        values(of: "POWER_SUPPLY_" + attribute.uppercased(), in: event, separator: "=").first
            ?? files.text("\(path)/\(attribute)").value
    }
}

/// Batteries come and go, so that their folders are listed at each read, and no file is kept open.
final class BatteryReader: EnergyReader {
    private let source: BatterySource
    init(_ source: BatterySource) { self.source = source }
    func read(at moment: EnergyMoment) -> EnergyReadout {
        let now = source.snapshot
        return now.batteries.isEmpty ? .failed("the battery was taken out") : .batteries(now)
    }
}
