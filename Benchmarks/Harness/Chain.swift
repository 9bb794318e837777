import Glibc
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

    /// What a step takes, in nanoseconds: the least of 15 chains of 10 ms and more, by the thread's own processor time.
    ///
    /// The least: on a machine that does other work too, a chain of that length is interrupted, and what interrupts it is in
    /// that time in part. A sample of some microseconds is seldom interrupted.
    static func stepTime() -> Double {
        let steps = 10_000_000
        let times = (0..<15).map { _ in
            let begin = threadTime()
            blackHole(spin(identity(steps), from: identity(7)))
            return Double(threadTime() - begin) / Double(steps)
        }
        return times.min()!
    }

    private static func threadTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
