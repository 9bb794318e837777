import CStacks
import Recording
import Results

/// A time for which something took no work, as the monitor's thread found it.
struct Delay {
    var begin: Instant
    /// Nil while it goes on.
    var end: Instant?
    var uncertainty: Nanoseconds?
}

/// A watch as the monitor's thread sees it from look to look. Belongs to that thread.
final class TrackedWatch {
    /// A stall that has no end yet.
    struct OpenStall {
        var number: Int
        var begin: Instant
        var task: TaskID?
    }

    let watch: Watch
    var open: OpenStall?
    private let threshold: Nanoseconds
    /// When the beat was handed over that has not been seen to run.
    private var sent: Instant?
    private var lastSent: Instant?
    private var lastRan: Instant?

    init(_ watch: Watch, threshold: Nanoseconds) {
        self.watch = watch
        self.threshold = threshold
    }

    /// What took longer than the threshold since the last look, oldest first; a delay that goes on comes last.
    func delays(at now: Instant) -> [Delay] {
        switch watch.subject {
        case .runLoop(let passes, _): delays(of: passes, at: now)
        case .beats(let heartbeat): delays(of: heartbeat, at: now)
        }
    }

    private func delays(of passes: RunLoopPasses, at now: Instant) -> [Delay] {
        // Before the ring, so that a pass that ends just now is found in one of both.
        let current = passes.current
        var delays: [Delay] = []
        passes.longPasses.drain { begin, end in
            delays.append(
                Delay(begin: Instant(sinceOrigin: begin), end: Instant(sinceOrigin: end), uncertainty: .zero))
        }
        // Any of them: since then more than one pass may have ended.
        if let current, now - current > threshold, !delays.contains(where: { $0.begin == current }) {
            // A loop whose thread ended within a pass takes no work any more, and is not stalled either.
            let isOver = passes.thread.map { cstacks_has_ended($0) != 0 } ?? false
            if isOver { watch.cancel() }
            if !isOver || open != nil {
                delays.append(Delay(begin: current, end: isOver ? now : nil, uncertainty: .zero))
            }
        }
        return delays
    }

    private func delays(of heartbeat: Heartbeat, at now: Instant) -> [Delay] {
        guard let sent else {
            if heartbeat.isOver { watch.cancel() }
            return []
        }
        let uncertainty = lastRan.map { sent - $0 }
        if let ran = heartbeat.ran {
            self.sent = nil
            lastRan = ran
            return ran - sent > threshold ? [Delay(begin: sent, end: ran, uncertainty: uncertainty)] : []
        }
        if heartbeat.isOver {
            watch.cancel()
            return open != nil ? [Delay(begin: sent, end: now, uncertainty: uncertainty)] : []
        }
        return now - sent > threshold ? [Delay(begin: sent, end: nil, uncertainty: uncertainty)] : []
    }

    /// Sends the next beat where beats are what it is watched by, none is out, and one is due or nearly so.
    func beat(at now: Instant, _ settings: StallWatcher.Settings) {
        guard case .beats(let heartbeat) = watch.subject, sent == nil, watch.isActive else { return }
        if let lastSent, now - lastSent + Nanoseconds(settings.sampling.count / 2) < settings.beating { return }
        lastSent = now
        sent = heartbeat.send()
    }

    /// The thread that is stalled, or why it is not known.
    var thread: Result<Int32, Heartbeat.Unknown> {
        switch watch.subject {
        case .runLoop(let passes, _):
            passes.thread.map { .success($0) } ?? .failure(Heartbeat.Unknown(reason: "the loop has not run yet"))
        case .beats(let heartbeat): heartbeat.onlyThread
        }
    }
}
