import CoreFoundation
// Its library is what the functions above are in.
import Foundation

/// The run loop of a resident thread: made, run and ended on that thread.
final class ResidentRunLoop {
    let bell: RunLoopBell
    private let rounds: ResidentCore.Rounds
    private let caller = Caller()
    private var isOver = false

    /// What the source's callback reaches.
    private final class Caller {
        var call: () -> Void = {}
    }

    init(_ rounds: ResidentCore.Rounds) {
        self.rounds = rounds
        var context = CFRunLoopSourceContext()
        context.info = Unmanaged.passUnretained(caller).toOpaque()
        context.perform = { Unmanaged<Caller>.fromOpaque($0!).takeUnretainedValue().call() }
        bell = RunLoopBell(loop: CFRunLoopGetCurrent(), source: CFRunLoopSourceCreate(nil, 0, &context))
        bell.add()
    }

    /// Runs the loop until the thread shall end.
    func run(inSlices: Bool) {
        // What was submitted before the loop could be woken.
        bell.ring()
        if inSlices {
            while !isOver {
                CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.25, true)
                takeBlocks()
            }
        } else {
            caller.call = { [unowned self] in takeBlocks() }
            // Again, when a block stopped the loop that it runs in: that is not its to end.
            while !isOver { CFRunLoopRun() }
        }
    }

    private func takeBlocks() {
        // A block may run the loop by itself. What is submitted then has its turn after that block, as it must.
        guard !rounds.isRunning else { return }
        switch rounds.look() {
        case .nothing: return
        case .blocks:
            rounds.run()
            // In the loop's next turn, so that timers and sources of others have theirs.
            bell.signal()
        case .end:
            isOver = true
            // From within the loop: before it runs, or after, a stop is lost.
            CFRunLoopStop(CFRunLoopGetCurrent())
            // A callback may run the loop by itself, and only that run is stopped: the one around it looks again.
            bell.signal()
        }
    }

    /// After this nothing reaches the caller any more, nor this object.
    func end() {
        bell.invalidate()
        caller.call = {}
    }
}

/// Wakes a run loop from any thread.
///
/// Unchecked Sendable: it only calls functions of CoreFoundation that are documented as thread-safe, on objects that it
/// keeps alive, also after the thread of the loop has ended.
final class RunLoopBell: @unchecked Sendable {
    private let loop: CFRunLoop
    private let source: CFRunLoopSource

    init(loop: CFRunLoop, source: CFRunLoopSource) {
        self.loop = loop
        self.source = source
    }

    func add() { CFRunLoopAddSource(loop, source, kCFRunLoopDefaultMode) }

    /// Marks the source, which is all that is needed on the loop's own thread.
    func signal() { CFRunLoopSourceSignal(source) }

    /// A signal alone does not wake a loop that sleeps, and a wake-up alone calls nobody.
    func ring() {
        CFRunLoopSourceSignal(source)
        CFRunLoopWakeUp(loop)
    }

    func invalidate() { CFRunLoopSourceInvalidate(source) }
}
