import Results
import Synchronization

/// Something that a monitor watches. It is watched for as long as the monitor lives, whether this is kept or not.
///
/// Thread-safe.
public final class Watch: Sendable {
    /// What is watched, and by what means.
    enum Subject: Sendable {
        case runLoop(RunLoopPasses, RunLoopObservers)
        case beats(Heartbeat)
    }

    /// The name that its stalls carry.
    public let name: String
    let subject: Subject
    private let ended = Atomic<Bool>(false)

    init(_ name: String, _ subject: Subject) {
        self.name = name
        self.subject = subject
    }

    /// Whether it is still watched: not after `cancel()`, nor after the monitor's `stop()`, nor when what was watched
    /// let go of a beat without running it, or was an actor that is gone.
    public var isActive: Bool { !ended.load(ordering: .acquiring) }

    /// Stalls that were not kept, for the monitor did not come to look.
    var lost: Int { if case .runLoop(let passes, _) = subject { passes.longPasses.lost } else { 0 } }

    /// Ends this watch. A stall that is in progress stays without an end, and a beat that waits on a queue will still
    /// run there, to no effect. May be called from anywhere, also from what is watched, and more than once.
    public func cancel() {
        guard !ended.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if case .runLoop(_, let observers) = subject { observers.remove() }
    }
}
