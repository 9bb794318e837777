import Glibc
import Results

/// A moment on both clocks of the kernel that no administrator can set: one stands still while the machine is suspended, the
/// other does not (clock_gettime(2)). Where their distance grew, the machine slept in between.
package struct EnergyMoment: Hashable, Sendable {
    /// `CLOCK_MONOTONIC`, in nanoseconds.
    package var awake: Int64
    /// `CLOCK_BOOTTIME`, in nanoseconds.
    package var sinceBoot: Int64

    package init(awake: Int64, sinceBoot: Int64) {
        self.awake = awake
        self.sinceBoot = sinceBoot
    }

    /// Far more than the reads of both clocks lie apart, far less than any machine needs to fall asleep and wake.
    package static let shortestSuspension = Nanoseconds.milliseconds(5)

    /// Now. The clocks are read again when this thread was stopped between their reads, so that no pause is taken for sleep.
    package static func now() -> EnergyMoment {
        var best = (apart: Int64.max, moment: EnergyMoment(awake: 0, sinceBoot: 0))
        for _ in 0..<8 {
            let before = reading(CLOCK_MONOTONIC)
            let sinceBoot = reading(CLOCK_BOOTTIME)
            let after = reading(CLOCK_MONOTONIC)
            if after - before < best.apart {
                best = (after - before, EnergyMoment(awake: before, sinceBoot: sinceBoot))
            }
            if best.apart < 100_000 { break }
        }
        return best.moment
    }

    private static func reading(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The time that the machine was awake since another moment.
    package func awakeTime(since earlier: EnergyMoment) -> Nanoseconds { Nanoseconds(awake - earlier.awake) }

    /// How long the machine slept since another moment; nil when it did not.
    package func suspension(since earlier: EnergyMoment) -> Nanoseconds? {
        let slept = Nanoseconds((sinceBoot - awake) - (earlier.sinceBoot - earlier.awake))
        return slept > Self.shortestSuspension ? slept : nil
    }
}
