import Results
import Threading

/// Places for tasks in flight: a closed loop submits a task when it has taken one, and each task's end gives one back.
///
/// A counting semaphore that may be let go while places are taken, unlike a `DispatchSemaphore`, which then ends the
/// process. Thread-safe.
final class Slots: Sendable {
    private let free: Monitor<Int>

    init(_ count: Int) { free = Monitor(count) }

    /// Takes a place, waiting for one until the limit is over; whether one was had.
    func take(within limit: Nanoseconds) -> Bool {
        free.wait(within: limit) { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    func giveBack() {
        free.withLock { $0 += 1 }
        free.wakeOne()
    }
}
