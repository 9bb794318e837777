import Dispatch
import Synchronization
import TaskMeter

/// Keeps when a timer fired, and each point of its grid as a task: due at its point, begun and ended when the firing came that
/// serves it. A point that was merged into the firing of a later one has a phase of that name.
///
/// Thread-safe. It closes when all points are served, or when it is told to: what comes then is left out.
final class FiringLog: Sendable {
    /// Points that warm up: threads are made, pages touched, functions looked up. They are neither told nor tasks.
    static let warmUp = 2

    private static let merged = Phase("merged")

    private struct State {
        var firings: [Firing] = []
        var served = 0
        var isClosed = false
    }

    let grid: TimerGrid
    /// Timers are due by the kernel's clock, so it alone can say whether they are early. The run's own clock may read the
    /// processor's counter, which in some minutes comes apart from it by microseconds.
    let clock: MonotonicClock
    /// When it is closed, whatever came: a second after the last point is due.
    let limit: Instant
    private let observer: Observer
    private let state = Mutex(State())
    private let closed = DispatchSemaphore(value: 0)

    /// The grid's origin lies so far ahead of now that any timer can be made ready.
    init(_ observer: Observer, period: Nanoseconds, count: Int, lead: Nanoseconds = .milliseconds(5)) {
        self.observer = observer
        clock = MonotonicClock(origin: observer.clock.origin)
        grid = TimerGrid(origin: clock.now() + lead, period: period, count: count + Self.warmUp)
        limit = grid.end + .seconds(1)
        state.withLock { $0.firings.reserveCapacity(grid.count) }
    }

    /// When a point is due, in nanoseconds of `CLOCK_MONOTONIC`.
    func kernelDue(_ point: Int) -> Int64 { clock.origin + grid.due(point).sinceOrigin }

    /// Whether firings are still wanted.
    var isOpen: Bool { clock.now() < limit && !state.withLock { $0.isClosed } }

    /// Called by a timer's handler, first of all.
    ///
    /// - Parameter points: for how many points this firing stands, where the timer tells; nil for all that are due and not served.
    /// - Returns: whether more firings are wanted.
    @discardableResult
    func fired(points: Int? = 1) -> Bool {
        let moment = clock.now()
        return state.withLock { state in
            guard !state.isClosed else { return false }
            let stoodFor = max(points ?? grid.pointsDue(by: moment) - state.served, 1)
            state.firings.append(Firing(moment: moment, points: stoodFor))
            let end = min(state.served + stoodFor, grid.count)
            for point in state.served..<end where point >= Self.warmUp {
                record(lateness: moment - grid.due(point), isMerged: point < end - 1)
            }
            state.served = end
            if end == grid.count { close(&state) }
            return !state.isClosed
        }
    }

    /// Waits until all points are served, or until the limit, and closes.
    func waitForAll() {
        let left = max((limit - clock.now()).count, 0)
        _ = closed.wait(timeout: .now() + .nanoseconds(Int(left)))
        state.withLock { close(&$0) }
    }

    /// What came of it. To be asked when nothing more is wanted.
    func course() -> TimerCourse {
        TimerCourse(state.withLock { $0.firings }, of: grid, warmUp: Self.warmUp)
    }

    private func close(_ state: inout State) {
        guard !state.isClosed else { return }
        state.isClosed = true
        closed.signal()
    }

    private func record(lateness: Nanoseconds, isMerged: Bool) {
        // The same distance on the recorder's own clock.
        let task = observer.tasks.submit(due: observer.clock.now() + (.zero - lateness))
        observer.tasks.begin(task)
        if isMerged { observer.tasks.mark(task, Self.merged) }
        observer.tasks.end(task)
    }
}
