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

    /// What a step takes, in nanoseconds: the least of 150 chains of a millisecond and more.
    ///
    /// A thousandth of that is far more than what the two readings of the clock add. The least: a chain that was
    /// interrupted, by the kernel's tick or by other work on a busy machine, took longer than its steps.
    static func stepTime(_ clock: MonotonicClock) -> Double {
        let steps = 1_000_000
        let times = (0..<150).map { _ in
            let begin = clock.now()
            blackHole(spin(identity(steps), from: identity(7)))
            return Double((clock.now() - begin).count) / Double(steps)
        }
        return times.min()!
    }
}
