import Glibc
import Results

/// The clock of all moments: `CLOCK_MONOTONIC`, which never steps, in whole nanoseconds since an origin.
public struct MonotonicClock: Sendable {
    /// The reading of `CLOCK_MONOTONIC` that counts as zero. Processes of one run share it.
    public let origin: Int64

    /// A clock that counts from now.
    public init() { origin = Self.reading() }

    /// A clock that counts from an origin that another process took on this machine since its last boot.
    public init(origin: Int64) { self.origin = origin }

    /// This moment. Thread-safe; does not enter the kernel where it offers the time without (vDSO).
    @inline(__always)
    public func now() -> Instant { Instant(sinceOrigin: Self.reading() - origin) }

    @inline(__always)
    private static func reading() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
