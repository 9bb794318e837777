import Clocks
import Recording
import Results

/// The part of an iteration that is measured: from a start to the next stop, as often as the body likes.
///
/// Misuse is kept and fails the trial at the end of the iteration; see `Iteration`. One owner at a time.
public struct MeasuredWindow: Sendable {
    private let meter: BatchMeter
    private var opened = Instant(sinceOrigin: 0)
    private var isOpen = false
    private var windowsBefore = 0
    private var misuse: MeasuredWindowMisuse?
    /// What all windows so far took together.
    private(set) var total = Nanoseconds.zero
    private(set) var windows = 0
    /// How many windows an iteration that does nothing else opens, so that it costs what the body's windows cost.
    @usableFromInline let emptyWindows: Int

    init(_ meter: BatchMeter, emptyWindows: Int) {
        self.meter = meter
        self.emptyWindows = emptyWindows
    }

    /// From here on time is measured.
    // hot path: no allocation, no lock, no call that can block
    public mutating func start() {
        if isOpen { return note(.startedTwice) }
        isOpen = true
        meter.open()
        opened = meter.clock.now()
    }

    /// From here on time is not measured any more.
    // hot path: no allocation, no lock, no call that can block
    public mutating func stop() {
        let now = meter.clock.now()
        guard isOpen else { return note(.stoppedWithoutStart) }
        meter.close()
        isOpen = false
        windows += 1
        total += now - opened
    }

    private mutating func note(_ what: MeasuredWindowMisuse) { misuse = misuse ?? what }

    /// Checks what an iteration did with its window.
    mutating func endIteration() throws(MeasuredWindowMisuse) {
        if let misuse { throw misuse }
        if isOpen { throw .stillOpen }
        if windows == windowsBefore { throw .neverStarted }
        windowsBefore = windows
    }
}

/// What a body did with its window that it must not, in a sentence with the way out.
package enum MeasuredWindowMisuse: Error, Hashable, CustomStringConvertible {
    case startedTwice
    case stoppedWithoutStart
    case neverStarted
    case stillOpen

    package var description: String {
        switch self {
        case .startedTwice:
            "its measured window was started twice (startedTwice): stop it before it is started again"
        case .stoppedWithoutStart:
            "its measured window was stopped without a start (stoppedWithoutStart): each stop needs a start before it"
        case .neverStarted:
            "its measured window was never started (neverStarted): start and stop it in every iteration, or leave it out"
        case .stillOpen:
            "its measured window was still open when the iteration ended (stillOpen): stop it on every way out of the body"
        }
    }
}
