import CStacks
import Clocks
import Recording
import Results
import Synchronization
import Threading

/// What a monitor shares with its thread, which lives on when the monitor is gone until it notices.
final class StallWatcher: Sendable {
    struct Settings: Sendable {
        var threshold: Nanoseconds
        var sampling: Nanoseconds
        var beating: Nanoseconds
        /// Why no stacks can be captured; nil where a signal was taken for it.
        var stackRefusal: String?
        var clock: MonotonicClock
        var recorder: TaskRecorder?
        var onStall: (@Sendable (Stall) -> Void)?
    }

    struct State: Sendable {
        var watches: [Watch] = []
        /// Counts how often a watch was added.
        var revision = 0
        var isStopping = false
        var hasEnded = false
        var book = StallBook()
        /// What rings of watches that are over had lost.
        private var lostBefore = 0

        /// What rings of all watches lost.
        var lost: Int { watches.reduce(lostBefore) { $0 + $1.lost } }

        mutating func removeWatches(where isOver: (Watch) -> Bool) {
            lostBefore += watches.reduce(0) { isOver($1) ? $0 + $1.lost : $0 }
            watches.removeAll(where: isOver)
        }
    }

    let settings: Settings
    let state = Monitor(State())
    private let threadNumber = Atomic<Int32>(0)

    init(_ settings: Settings) { self.settings = settings }

    /// Adds a watch, and has it watched from the next look on. After the stop it ends at once.
    func add(_ watch: Watch) -> Watch {
        let isLate = state.withLock { state in
            guard !state.isStopping else { return true }
            state.watches.append(watch)
            state.revision += 1
            return false
        }
        if isLate { watch.cancel() }
        return watch
    }

    /// Starts the thread; the errno of a refusal, or 0.
    func start() -> Int32 {
        let start = settings.clock.now()
        let refusal = startThread(named: "tm-stalls") { [self] in
            threadNumber.store(cstacks_own_thread(), ordering: .relaxed)
            var look = StallLook(self, start: start)
            look.repeatUntilStopped()
            endWatches()
            state.withLock { $0.hasEnded = true }
            state.wakeAll()
        }
        if refusal != 0 {
            StackCapture(refusal: settings.stackRefusal).giveBack()
            state.withLock { $0.hasEnded = true }
        }
        return refusal
    }

    /// Has the thread look for a last time and end, and waits for that, but for so long at most.
    func stop(within limit: Nanoseconds) {
        state.withLock { $0.isStopping = true }
        state.wakeAll()
        // A handler of stalls may stop the monitor on whose thread it runs.
        guard threadNumber.load(ordering: .relaxed) != cstacks_own_thread() else { return }
        _ = state.wait(within: limit) { $0.hasEnded }
        endWatches()
    }

    private func endWatches() {
        let watches = state.withLock { state in
            defer { state.removeWatches { _ in true } }
            return state.watches
        }
        for watch in watches { watch.cancel() }
    }
}
