import TaskMeter

/// A timer of Swift's concurrency: a task that sleeps until each point.
enum TaskTimers {
    /// - Parameter tolerance: by how much later the task may be woken; nil leaves it to the system.
    static func sleep(_ log: FiringLog, tolerance: Duration?) {
        let origin = continuousInstant(log)
        let task = Task {
            for point in 0..<log.grid.count {
                let due = origin + .nanoseconds((log.grid.due(point) - log.grid.origin).count)
                try await Task.sleep(until: due, tolerance: tolerance, clock: .continuous)
                guard log.fired() else { return }
            }
        }
        log.waitForAll()
        task.cancel()
    }

    /// The grid's origin on the clock that tasks sleep by, which goes on while a machine is suspended.
    private static func continuousInstant(_ log: FiringLog) -> ContinuousClock.Instant {
        let pair = pairedReading(log.clock) { ContinuousClock.now }
        return pair.other + .nanoseconds((log.grid.origin - pair.moment).count)
    }
}

/// Reads another clock and the kernel's at one moment: of ten readings the one that another thread interrupted the least. The
/// kernel's is the middle of two readings around the other's.
func pairedReading<Other>(_ clock: MonotonicClock, _ read: () -> Other) -> (moment: Instant, other: Other) {
    func reading() -> (length: Nanoseconds, moment: Instant, other: Other) {
        let before = clock.now()
        let other = read()
        let length = clock.now() - before
        return (length, before + Nanoseconds(length.count / 2), other)
    }
    var best = reading()
    for _ in 0..<9 {
        let next = reading()
        if next.length < best.length { best = next }
    }
    return (best.moment, best.other)
}
