import Results

/// What a battery shows at a moment, in the units of the kernel (Documentation/power/power_supply_class.rst). Any of it may be
/// missing: a driver tells energy or charge, and power or current, or nothing.
package struct BatterySnapshot: Hashable, Sendable {
    package var name: String
    package var status: String
    package var microwattHours: Double?
    package var microampereHours: Double?
    package var microvolts: Double?
    /// Negative in some drivers while it leaves the battery.
    package var microamperes: Double?
    package var microwatts: Double?

    package init(
        name: String, status: String, microwattHours: Double? = nil, microampereHours: Double? = nil,
        microvolts: Double? = nil, microamperes: Double? = nil, microwatts: Double? = nil
    ) {
        self.name = name
        self.status = status
        self.microwattHours = microwattHours
        self.microampereHours = microampereHours
        self.microvolts = microvolts
        self.microamperes = microamperes
        self.microwatts = microwatts
    }

    /// - Parameter attribute: the value of a file of the battery's folder, such as `energy_now`.
    package init(name: String, attribute: (String) -> String?) {
        func number(_ name: String) -> Double? { attribute(name).flatMap { Int64($0) }.map { Double($0) } }
        self.init(
            name: name, status: attribute("status") ?? "Unknown", microwattHours: number("energy_now"),
            microampereHours: number("charge_now"),
            // The voltage by design stands in where the present one is not told.
            microvolts: number("voltage_now") ?? number("voltage_min_design") ?? number("voltage_max_design"),
            microamperes: number("current_now"), microwatts: number("power_now"))
    }

    /// What leaves the battery at this moment: `power_now`, else current times voltage.
    package var power: Watts? {
        if let microwatts { return .microwatts(abs(microwatts)) }
        guard let microamperes, let microvolts else { return nil }
        return .microamperes(microamperes, atMicrovolts: microvolts)
    }
}

/// All batteries of the device and whether it lives on them.
package struct DeviceBatteries: Hashable, Sendable {
    package var batteries: [BatterySnapshot]
    /// The name of a charger that is connected.
    package var charger: String?

    package init(_ batteries: [BatterySnapshot], charger: String? = nil) {
        self.batteries = batteries
        self.charger = charger
    }

    /// What the device took between two looks.
    package enum Step: Hashable, Sendable {
        case counted(Joules)
        /// From the power at both ends: no battery's energy or charge is told.
        case estimated(Joules)
        case lost(String)
    }

    /// The least step of the kernel's numbers that is common: 10 mWh.
    package static let quantum = Joules.microwattHours(10_000)

    package func step(to later: DeviceBatteries, over time: Nanoseconds) -> Step {
        for moment in [self, later] { if let reason = moment.obstacle { return .lost(reason) } }
        guard batteries.map(\.name) == later.batteries.map(\.name) else {
            return .lost("a battery was taken out or put in")
        }
        var taken = Joules.zero
        var isEstimated = false
        // One battery is emptied after the other, and the one at rest says “Unknown”, “Not charging” or “Full”.
        for (before, after) in zip(batteries, later.batteries) {
            let drop: Joules
            if let from = before.microwattHours, let to = after.microwattHours {
                drop = .microwattHours(from - to)
            } else if let from = before.microampereHours, let to = after.microampereHours,
                let first = before.microvolts, let last = after.microvolts
            {
                drop = .microampereHours(from - to, atMicrovolts: (first + last) / 2)
            } else if let first = before.power, let last = after.power {
                let isAtRest = before.status != "Discharging" && after.status != "Discharging"
                drop = isAtRest ? .zero : Watts((first.count + last.count) / 2) * time
                isEstimated = true
            } else if before.status == "Discharging" || after.status == "Discharging" {
                return .lost("\(before.name) tells neither its energy, nor its charge and voltage, nor its power")
            } else {
                drop = .zero
            }
            guard drop >= .zero else { return .lost("what is left in \(before.name) rose") }
            taken += drop
        }
        return isEstimated ? .estimated(taken) : .counted(taken)
    }

    /// Why the device does not live on its batteries at this moment, or not on them alone; nil when it does.
    package var obstacle: String? {
        if let charger { return "a charger is connected (\(charger))" }
        if let battery = batteries.first(where: { $0.status == "Charging" }) { return "\(battery.name) is charging" }
        if batteries.contains(where: { $0.status == "Discharging" }) { return nil }
        let states = batteries.map { "\($0.name): \($0.status.lowercased())" }.joined(separator: ", ")
        return "no battery is discharging (\(states))"
    }
}
