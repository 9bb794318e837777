import Glibc
import Results

/// A moment on the monotonic clock until which something may take, for waits in several steps.
package struct Deadline: Sendable {
    /// The moment on that clock; the greatest number where it lies beyond.
    package let nanoseconds: Int64

    package init(after limit: Nanoseconds) {
        let (sum, overflows) = Self.now.addingReportingOverflow(max(limit.count, 0))
        nanoseconds = overflows ? .max : sum
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// What is left until then; zero when it has passed.
    package var left: Nanoseconds { Nanoseconds(max(nanoseconds - Self.now, 0)) }
}
