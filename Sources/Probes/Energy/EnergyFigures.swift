import Results

// What is told of energy beyond joules. Each figure has the doubt of what it was made of: without one of the numbers there is
// none, and the reason is the same.

/// Joules of one task, from those of a window in which so many tasks ended well, one after another or side by side.
package func joulesPerTask(_ energy: Reading, tasks: Int) -> Reading {
    guard energy.value != nil, tasks <= 0 else { return energy.map { $0 / Double(tasks) } }
    return .notCounted(reason: "no task ended well")
}

/// Watts, from joules and the time in which they were taken.
package func averagePower(of energy: Reading, over time: Nanoseconds) -> Reading {
    guard energy.value != nil, time <= .zero else { return energy.map { $0 / time.seconds } }
    return .notCounted(reason: "no time passed")
}

/// Energy times time, in J·s: what is both frugal and quick is small (Horowitz, Indermaur & Gonzalez, “Low-power digital design”,
/// 1994). Of tasks: joules of one times the time of one.
package func energyDelayProduct(_ energy: Reading, delay: Nanoseconds) -> Reading {
    guard energy.value != nil, delay <= .zero else { return energy.map { $0 * delay.seconds } }
    return .notCounted(reason: "no time passed")
}

/// What a window took beyond what the machine takes at rest. Where the work takes next to nothing it may come out below zero by
/// what both measurements vary; that is told as it is, for leaving such windows out would make the others' mean too high.
package func netOfIdle(_ energy: Reading, over time: Nanoseconds, idle: Reading) -> Reading {
    energy.combined(with: idle) { $0 - $1 * time.seconds }
}

/// For how many hours a battery of so many Wh lasts at so many watts.
package func hoursOfBattery(wattHours: Reading, power: Reading) -> Reading {
    let hours = wattHours.combined(with: power) { $1 > 0 ? $0 / $1 : .nan }
    guard let value = hours.value, !value.isFinite else { return hours }
    return .notCounted(reason: "at no power a battery lasts for ever")
}

/// The level from 0 to 20 of older energy logs: 20 ÷ hours of battery life. 1 lasts for 20 hours, 20 for one; what empties a
/// battery sooner is at the scale's end too.
package func energyLevel(hours: Reading) -> Reading {
    guard let value = hours.value, value <= 0 else { return hours.map { min(20 / $0, 20) } }
    return .notCounted(reason: "a battery's hours are more than none")
}
