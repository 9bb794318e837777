import CLinux
import Clocks
import Glibc
import Results
import Statistics

/// Wakes the one who submits the tasks of an open loop when each is due.
package struct ArrivalClock {
    private let offsets: [Int64]
    private let clock: MonotonicClock
    private let begin: Instant

    /// How far ahead the first task is due: until then nothing else is left to do.
    private static let lead = Nanoseconds.milliseconds(2)

    /// By default the kernel lets a sleeping thread oversleep by 50 µs, to wake several at once: not the calling thread any more, nor
    /// those that it starts.
    static func sharpenTimers() { clinux_sharpen_timers() }

    package init(_ schedule: ArrivalSchedule, clock: MonotonicClock) {
        offsets = schedule.offsets
        self.clock = clock
        begin = clock.now() + Self.lead
    }

    /// When a task is due.
    package func due(_ task: Int) -> Instant { begin + Nanoseconds(offsets[task]) }

    /// Sleeps until a task is due, and says when that was; late when the one before took so long. Nil when the limit comes first: at a
    /// slow rate the next task may be due long after it.
    // no allocation, no lock; it blocks only until the task is due
    package func wait(for task: Int, until limit: Instant) -> Instant? {
        let due = due(task)
        while true {
            let now = clock.now()
            guard now < limit else { return nil }
            let left = (min(due, limit) - now).count
            guard left > 0 else { return due }
            var rest = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
            nanosleep(&rest, nil)
        }
    }
}
