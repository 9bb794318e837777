import Synchronization
import TaskMeter

/// A chain of operations each of which needs the result of the one before: it takes as long as it has steps.
///
/// It goes on from one iteration to the next: a processor begins with the next while it still ends the one before, when
/// that needs nothing of it, and both together then take less than twice as long as one.
final class Chain: Sendable {
    private let value = Atomic<UInt64>(7)

    func spin(_ steps: Int) {
        value.store(Self.spin(steps, from: value.load(ordering: .relaxed)), ordering: .relaxed)
    }

    @inline(never)
    private static func spin(_ steps: Int, from start: UInt64) -> UInt64 {
        var value = start
        for _ in 0..<steps { value = (value ^ (value >> 29)) &* 0xbf58_476d_1ce4_e5b9 }
        return value
    }

    /// What a step takes, in nanoseconds: the median of 601 chains of 100,000, some 200 µs each and a tenth of a second in all.
    ///
    /// Of each the two readings of the clock are about a ten-thousandth. The median, as the instrument's reading is one: the
    /// least would be that of the machine's best moments, which it does not have all the time. And no longer chains: every
    /// 4 ms the kernel's tick takes tens of microseconds, and most chains must be without one.
    static func stepTime(_ clock: MonotonicClock) -> Double {
        let steps = 100_000
        let times = (0..<601).map { _ in
            let begin = clock.now()
            blackHole(spin(identity(steps), from: identity(7)))
            return Double((clock.now() - begin).count) / Double(steps)
        }
        return times.sorted()[times.count / 2]
    }
}
