import Recording
import Results

/// What the monitor's thread does, once in a sampling step: it looks at all watches, judges what it finds, and sends
/// beats.
///
/// **Why lateness is no stall.** All that this thread knows of a time between two of its looks is that it asked to
/// sleep for a step of it. When it wakes late, the process may have been stopped for all of the time between. So that
/// time is noted as a gap, and what is left of a delay without its gaps must still be longer than the threshold. The
/// delays are collected before they are judged, with the clock read before and after: a gap may also lie within a
/// look.
///
/// Belongs to that thread.
struct StallLook {
    private let watcher: StallWatcher
    private let settings: StallWatcher.Settings
    private let capture: StackCapture
    private var tracked: [TrackedWatch] = []
    private var revision = 0
    /// When this thread is known to have run, and to have known all that it judges by.
    private var lastSeen: Instant

    /// - Parameter start: when the thread was started, from when on it is expected to run.
    init(_ watcher: StallWatcher, start: Instant) {
        self.watcher = watcher
        settings = watcher.settings
        capture = StackCapture(refusal: settings.stackRefusal)
        lastSeen = start
    }

    mutating func repeatUntilStopped() {
        var due = lastSeen + settings.sampling
        while true {
            let isStopping = watcher.state.wait(within: due - settings.clock.now()) { $0.isStopping }
            let now = settings.clock.now()
            note(gapFrom: lastSeen, to: now, late: now - due)
            look(at: now, isLast: isStopping)
            if isStopping { break }
            due = now + settings.sampling
        }
        capture.giveBack()
    }

    private mutating func look(at now: Instant, isLast: Bool) {
        takeNewWatches()
        let found = tracked.map { ($0, $0.delays(at: now)) }
        let collected = settings.clock.now()
        note(gapFrom: now, to: collected, late: collected - now)
        for (tracked, delays) in found { for delay in delays { judge(delay, of: tracked, at: now) } }
        letGoOfEndedWatches()
        if !isLast { for tracked in tracked { tracked.beat(at: now, settings) } }
        // Not the end of this look: a stop since the delays were collected lies within the next gap then.
        lastSeen = collected
    }

    /// Notes that this thread did not run when it should have. Who sleeps for a step and is late by less than
    /// `tolerance` was stopped for no longer than the threshold, where the step is shorter than that.
    private func note(gapFrom begin: Instant, to end: Instant, late: Nanoseconds) {
        let (step, threshold) = (settings.sampling.count, settings.threshold.count)
        let tolerance = min(step / 2, max(threshold - step, step / 8))
        guard late.count > tolerance else { return }
        watcher.state.withLock { $0.book.append(MonitorGap(begin: begin, end: end, late: late)) }
    }

    private func judge(_ delay: Delay, of tracked: TrackedWatch, at now: Instant) {
        if let open = tracked.open, open.begin == delay.begin {
            if let end = delay.end { close(open, of: tracked, at: end) }
            return
        }
        let last = delay.end ?? now
        let unobserved = watcher.state.withLock { $0.book.unobserved(from: delay.begin, to: last) }
        guard last - delay.begin - unobserved > settings.threshold else {
            if delay.end != nil { watcher.state.withLock { $0.book.doubtful += 1 } }
            return
        }
        open(delay, of: tracked, unobserved: unobserved)
    }

    private func open(_ delay: Delay, of tracked: TrackedWatch, unobserved: Nanoseconds) {
        let thread = tracked.thread
        let stack: StalledStack =
            switch thread {
            case .failure(let unknown): .unavailable(reason: unknown.reason)
            case .success where delay.end != nil: .unavailable(reason: "the stall was over when it was noticed")
            case .success(let number): capture.capture(number)
            }
        let stall = watcher.state.withLock {
            $0.book.append(
                Stall(
                    number: 0, watched: tracked.watch.name, begin: delay.begin, end: delay.end,
                    uncertainty: delay.uncertainty, unobserved: unobserved, thread: try? thread.get(), stack: stack))
        }
        let task = settings.recorder.map { recorder in
            let task = recorder.submit(due: delay.begin, at: delay.begin)
            recorder.begin(task, at: delay.begin)
            recorder.mark(task, Phase("stalled: \(stall.watched)"), at: delay.begin)
            if let end = delay.end { recorder.end(task, .ok, at: end) }
            return task
        }
        if delay.end == nil {
            tracked.open = TrackedWatch.OpenStall(number: stall.number, begin: delay.begin, task: task)
        }
        settings.onStall?(stall)
    }

    private func close(_ open: TrackedWatch.OpenStall, of tracked: TrackedWatch, at end: Instant) {
        tracked.open = nil
        if let task = open.task { settings.recorder?.end(task, .ok, at: end) }
        let stall = watcher.state.withLock { state in
            let unobserved = state.book.unobserved(from: open.begin, to: end)
            return state.book.end(open.number, at: end, unobserved: unobserved)
        }
        if let stall { settings.onStall?(stall) }
    }

    private mutating func takeNewWatches() {
        let known = revision
        let (watches, newest) = watcher.state.withLock {
            ($0.revision == known ? nil : $0.watches, $0.revision)
        }
        guard let watches else { return }
        revision = newest
        for watch in watches where !tracked.contains(where: { $0.watch === watch }) {
            tracked.append(TrackedWatch(watch, threshold: settings.threshold))
        }
    }

    private mutating func letGoOfEndedWatches() {
        guard tracked.contains(where: { !$0.watch.isActive }) else { return }
        tracked.removeAll { !$0.watch.isActive }
        watcher.state.withLock { $0.removeWatches { !$0.isActive } }
    }
}
