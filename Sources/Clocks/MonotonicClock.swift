import CLinux
import Glibc
import Results

/// The clock of all moments: one that never steps, in whole nanoseconds since an origin.
///
/// It reads `CLOCK_MONOTONIC`; in a process that TaskMeter started, the processor's time-stamp counter instead where that is
/// sound (see `ClockSelection`), which costs less. Both count from the same origin.
public struct MonotonicClock: Sendable {
    /// The reading of `CLOCK_MONOTONIC` that counts as zero. Processes of one run share it.
    public let origin: Int64

    /// What the counter's ticks mean; the kernel's clock is read where there is none.
    package let ticks: TickScale?

    // The same once more, flat: `now` must not unwrap anything.
    @usableFromInline let referenceTicks: UInt64
    @usableFromInline let referenceNanoseconds: Int64
    /// Zero where the kernel's clock is read.
    @usableFromInline let multiplier: Int64

    /// A clock that counts from now.
    public init() { self.init(origin: Self.kernelReading()) }

    /// A clock that counts from an origin that another process took on this machine since its last boot.
    public init(origin: Int64) { self.init(origin: origin, ticks: nil) }

    package init(origin: Int64, ticks: TickScale?) {
        self.origin = origin
        self.ticks = ticks
        referenceTicks = ticks?.referenceTicks ?? 0
        referenceNanoseconds = (ticks?.referenceNanoseconds ?? 0) - origin
        multiplier = ticks?.multiplier ?? 0
    }

    /// What it reads, for a log's header: `clock_gettime`, or `tsc` and its scale.
    package var sourceText: String { ticks.map { "tsc \($0.text)" } ?? "clock_gettime" }

    /// This moment. Thread-safe; does not enter the kernel where it offers the time without (vDSO).
    // hot path: no allocation, no lock, no call that can block
    @inlinable @inline(__always)
    public func now() -> Instant {
        guard multiplier != 0 else { return Instant(sinceOrigin: Self.kernelReading() - origin) }
        let passed = Int64(bitPattern: clinux_ticks() &- referenceTicks)
        return Instant(
            sinceOrigin: referenceNanoseconds &+ TickScale.nanoseconds(ticks: passed, multiplier: multiplier))
    }

    @inlinable @inline(__always)
    static func kernelReading() -> Int64 { reading(CLOCK_MONOTONIC) }

    /// A clock of the kernel, in nanoseconds.
    @inlinable @inline(__always)
    static func reading(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
