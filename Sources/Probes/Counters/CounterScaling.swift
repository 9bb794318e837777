import Results

/// For how many nanoseconds a counter was wanted, and for how many of them it counted.
package struct CountedTime: Hashable, Sendable {
    package var enabled: UInt64
    package var running: UInt64

    package init(enabled: UInt64, running: UInt64) {
        self.enabled = enabled
        self.running = running
    }
}

/// What one counter counted between two readings.
package struct CountedPart: Hashable, Sendable {
    package var count: UInt64
    /// Nil from a source that does not tell it.
    package var time: CountedTime?

    package init(count: UInt64, time: CountedTime?) {
        self.count = count
        self.time = time
    }
}

/// What the parts of a count make together (perf_event_open(2), “PERF_FORMAT_TOTAL_TIME_RUNNING”).
///
/// A counter that shares the processor's counters with others counts in turns only: its count is scaled up, and says so.
/// One that never had its turn counted nothing, which is not zero.
///
/// On a processor with two kinds of cores each kind has a counter of its own, which counts while the thread is there. So
/// parts are added as they are, and the times for which they counted too; none is scaled by its own. They are read one
/// after the other, a few microseconds apart: the shortest of the times for which they were wanted is what they share, and
/// a thousandth of it may be missing before the sum is called an estimate.
package func scaledReading(of parts: [CountedPart]) -> Reading {
    guard !parts.isEmpty else { return .notCounted(reason: "no counter was opened for it") }
    // A difference of counters that only grow; what looks like more than half of all numbers went backwards.
    guard parts.allSatisfy({ $0.count <= UInt64(Int64.max) }) else {
        return .notCounted(reason: "its counter went backwards")
    }
    let count = parts.reduce(UInt64(0)) { $0 &+ $1.count }
    let times = parts.compactMap(\.time)
    guard let enabled = times.map(\.enabled).min() else { return .measured(Double(count)) }
    let running = times.reduce(UInt64(0)) { $0 &+ $1.running }
    guard running > 0 else {
        return .notCounted(
            reason: enabled > 0
                ? "its counter had no turn: more events were asked for than the processor can count at once"
                : "its counter was not wanted at any time in this interval")
    }
    let missing = enabled > running ? enabled - running : 0
    if missing == 0 || (parts.count > 1 && missing <= enabled / 1000) { return .measured(Double(count)) }
    return .estimated(scaled(count, by: enabled, over: running), share: Double(running) / Double(enabled))
}

/// count × enabled ÷ running, exact in 128 bits where the result fits into 64, rounded half up.
private func scaled(_ count: UInt64, by enabled: UInt64, over running: UInt64) -> Double {
    let product = count.multipliedFullWidth(by: enabled)
    guard product.high < running else { return Double(count) * (Double(enabled) / Double(running)) }
    let (quotient, remainder) = running.dividingFullWidth(product)
    return Double(quotient) + (remainder >= running - remainder ? 1 : 0)
}
