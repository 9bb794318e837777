import Results

/// An amount of energy. The units of the kernel and of drivers enter here, and nowhere else: their factors are where other
/// meters went wrong by a thousand or by four.
package struct Joules: Hashable, Comparable, Sendable {
    package var count: Double

    package init(_ count: Double) { self.count = count }

    package static let zero = Joules(0)

    /// `energy_uj` of powercap zones, `energyN_input` of hwmon.
    package static func microjoules(_ value: Double) -> Joules { Joules(value / 1e6) }
    /// `nvmlDeviceGetTotalEnergyConsumption`.
    package static func millijoules(_ value: Double) -> Joules { Joules(value / 1e3) }
    /// `energy_now` and `energy_full` of a battery (Documentation/power/power_supply_class.rst): 1 µWh is 3.6 mJ.
    package static func microwattHours(_ value: Double) -> Joules { Joules(value * 3.6e-3) }
    /// `charge_now` and `charge_full` of a battery, which speak of charge: energy only together with a voltage.
    package static func microampereHours(_ value: Double, atMicrovolts microvolts: Double) -> Joules {
        Joules(value * 3.6e-3 * (microvolts * 1e-6))
    }
    package static func wattHours(_ value: Double) -> Joules { Joules(value * 3600) }

    package var wattHours: Double { count / 3600 }

    package static func < (left: Joules, right: Joules) -> Bool { left.count < right.count }
    package static func + (left: Joules, right: Joules) -> Joules { Joules(left.count + right.count) }
    package static func - (left: Joules, right: Joules) -> Joules { Joules(left.count - right.count) }
    package static func += (left: inout Joules, right: Joules) { left.count += right.count }
    package static func / (energy: Joules, time: Nanoseconds) -> Watts { Watts(energy.count / time.seconds) }
}

/// Energy per time.
package struct Watts: Hashable, Comparable, Sendable {
    package var count: Double

    package init(_ count: Double) { self.count = count }

    /// `powerN_input` and `powerN_average` of hwmon, `power_now` of a battery, `constraint_N_max_power_uw` of powercap zones.
    package static func microwatts(_ value: Double) -> Watts { Watts(value / 1e6) }
    /// `nvmlDeviceGetPowerUsage`.
    package static func milliwatts(_ value: Double) -> Watts { Watts(value / 1e3) }
    /// `current_now` times `voltage_now` of a battery; some drivers tell a current that leaves it as negative.
    package static func microamperes(_ current: Double, atMicrovolts voltage: Double) -> Watts {
        Watts(abs(current) * voltage * 1e-12)
    }

    package static func < (left: Watts, right: Watts) -> Bool { left.count < right.count }
    package static func + (left: Watts, right: Watts) -> Watts { Watts(left.count + right.count) }
    package static func * (power: Watts, time: Nanoseconds) -> Joules { Joules(power.count * time.seconds) }
}
