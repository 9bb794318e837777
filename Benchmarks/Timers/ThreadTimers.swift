import CLinux
import Glibc
import TaskMeter

/// Timers of a thread that sleeps: the thread itself is the handler, so nothing is handed to another one.
enum ThreadTimers {
    /// Sleeps for a period again and again. The first sleep ends at the first point; each later one begins when the one before
    /// has ended, and its lateness stays.
    static func nanosleep(_ log: FiringLog) {
        var length = log.kernelDue(0) - now(log)
        repeat {
            var (asked, rest) = (time(max(length, 0)), timespec())
            // A signal ends a sleep early, and the kernel then says how much is left.
            while Glibc.nanosleep(&asked, &rest) != 0, errno == EINTR { asked = rest }
            length = log.grid.period.count
        } while log.fired() && log.isOpen
    }

    /// Sleeps until each point.
    static func clockNanosleep(_ log: FiringLog) {
        atEachPoint(log) { sleep(until: $0) }
    }

    /// The same, having told the kernel that nothing may be gained by waking the thread with others: by default it may be woken
    /// 50 µs later, prctl(2) `PR_SET_TIMERSLACK`.
    static func clockNanosleepWithoutSlack(_ log: FiringLog) {
        clinux_sharpen_timers()
        atEachPoint(log) { sleep(until: $0) }
    }

    /// Sleeps until 200 µs before each point, and reads the clock until it has come: what is possible, at the price of a processor.
    static func sleepThenSpin(_ log: FiringLog) {
        atEachPoint(log) { due in
            sleep(until: due - 200_000)
            while now(log) < due {}
        }
    }

    /// A timer that the kernel repeats, read by a thread that waits for it.
    static func descriptor(_ log: FiringLog) throws {
        let descriptor = clinux_open_timer(log.kernelDue(0), log.grid.period.count)
        guard descriptor >= 0 else { throw TimerError(call: "timerfd_create or timerfd_settime", number: -descriptor) }
        defer { close(descriptor) }
        var expirations: UInt64 = 0
        repeat {
            while read(descriptor, &expirations, MemoryLayout<UInt64>.size) != MemoryLayout<UInt64>.size {
                guard errno == EINTR else { throw TimerError(call: "read of a timer", number: errno) }
            }
        } while log.fired(points: Int(expirations))
    }

    /// Ends by itself, whatever time has come: sleeps until moments that are past return at once.
    private static func atEachPoint(_ log: FiringLog, _ wait: (Int64) -> Void) {
        var point = 0
        repeat {
            wait(log.kernelDue(point))
            point += 1
        } while log.fired()
    }

    /// - Parameter moment: nanoseconds of `CLOCK_MONOTONIC`.
    private static func sleep(until moment: Int64) {
        var due = time(moment)
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nil) == EINTR {}
    }

    private static func now(_ log: FiringLog) -> Int64 { log.clock.origin + log.clock.now().sinceOrigin }

    private static func time(_ nanoseconds: Int64) -> timespec {
        timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}

/// Why there is no timer.
struct TimerError: Error, CustomStringConvertible {
    var call: String
    var number: Int32
    var description: String { "\(call) failed: \(String(cString: strerror(number)))" }
}
