import Dispatch
import TaskMeter

/// Timers of Dispatch, whose handlers run on a serial queue: a thread of its own waits for the kernel's timer, and hands the
/// handler to the queue's.
enum QueueTimers {
    /// A timer that repeats. How often it was due since its last call, `data`, tells of merged calls.
    static func source(_ log: FiringLog, leeway: DispatchTimeInterval) {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
        // That the handler holds its source ends when it is cancelled.
        source.setEventHandler { log.fired(points: Int(source.data)) }
        source.schedule(
            deadline: due(log, 0), repeating: .nanoseconds(Int(log.grid.period.count)), leeway: leeway)
        source.activate()
        log.waitForAll()
        source.cancel()
    }

    /// Each call asks for the next one at the moment when that is due, so that no lateness is handed on.
    static func asyncAfter(_ log: FiringLog) {
        let queue = DispatchQueue(label: "timer")
        @Sendable func wait(for point: Int) {
            queue.asyncAfter(deadline: due(log, point)) {
                if log.fired() { wait(for: point + 1) }
            }
        }
        wait(for: 0)
        log.waitForAll()
    }

    /// Dispatch's own time counts `CLOCK_MONOTONIC` on Linux.
    private static func due(_ log: FiringLog, _ point: Int) -> DispatchTime {
        DispatchTime(uptimeNanoseconds: UInt64(log.kernelDue(point)))
    }
}
