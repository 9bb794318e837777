import CLinux
import Clocks
import Glibc
import Results
import Statistics

/// Wakes the one who submits the tasks of an open loop when each is due.
struct ArrivalClock {
    private let offsets: [Int64]
    private let clock: MonotonicClock
    private let begin: Instant

    /// How far ahead the first task is due: until then nothing else is left to do.
    private static let lead = Nanoseconds.milliseconds(2)

    /// By default the kernel lets a sleeping thread oversleep by 50 µs, to wake several at once: not the calling thread any more, nor
    /// those that it starts.
    static func sharpenTimers() { clinux_sharpen_timers() }

    init(_ schedule: ArrivalSchedule, clock: MonotonicClock) {
        offsets = schedule.offsets
        self.clock = clock
        begin = clock.now() + Self.lead
    }

    /// When a task is due.
    func due(_ task: Int) -> Instant { begin + Nanoseconds(offsets[task]) }

    /// Sleeps until a task is due, and says when that was; late when the one before took so long.
    // no allocation, no lock; it blocks only until the task is due
    func wait(for task: Int) -> Instant {
        let due = due(task)
        while true {
            let left = (due - clock.now()).count
            guard left > 0 else { return due }
            var rest = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
            nanosleep(&rest, nil)
        }
    }
}
