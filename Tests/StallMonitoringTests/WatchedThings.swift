import Clocks
import CoreFoundation
import Dispatch
import Foundation
import Glibc
import Recording
import Results
import StallMonitoring
import Synchronization
import TestSupport
import Testing
import Threading

/// All tests of stalls, one at a time: they would stall each other.
@Suite(.serialized) struct StallsTests {
    static let threshold = Nanoseconds.milliseconds(5)

    static func monitor(_ recorder: TaskRecorder? = nil) throws -> StallMonitor {
        try StallMonitor(
            threshold: threshold, sampling: .milliseconds(2), beating: .milliseconds(2), recorder: recorder,
            clock: MonotonicClock())
    }
}

/// A thread that does nothing but run a run loop, until it is told to end.
final class LoopThread: @unchecked Sendable {
    // Written by the thread before `isReady` opens, and never after.
    nonisolated(unsafe) private(set) var loop: CFRunLoop!
    private(set) var isOver = Monitor(false)

    init() {
        let isReady = Gate()
        TestSupport.startThread { [self] in
            loop = CFRunLoopGetCurrent()
            // A loop without a source or a timer is left at once.
            RunLoop.current.add(Timer(fire: .distantFuture, interval: 1e6, repeats: true) { _ in }, forMode: .common)
            let isOver = isOver
            CFRunLoopPerformBlock(loop, kCFRunLoopDefaultMode) { isReady.open() }
            CFRunLoopRun()
            isOver.withLock { $0 = true }
            isOver.wakeAll()
        }
        isReady.pass()
    }

    func perform(in mode: CFRunLoopMode = kCFRunLoopCommonModes, _ block: @escaping @Sendable () -> Void) {
        CFRunLoopPerformBlock(loop, mode, block)
        CFRunLoopWakeUp(loop)
    }

    /// Lets the loop end when it has run what it was given before, and waits for that.
    func end() {
        perform { CFRunLoopStop(CFRunLoopGetCurrent()) }
        isOver.wait { $0 ? () : nil }
    }

    func waitUntilIdle() { wait { CFRunLoopIsWaiting(self.loop) } }
}

/// A thread that runs blocks in their order.
final class BlockThread: Sendable {
    private struct State: Sendable {
        var blocks: [@Sendable () -> Void] = []
        var isEnding = false
    }

    private let state = Monitor(State())

    init() {
        TestSupport.startThread { [state] in
            while let block = state.wait({ state -> (@Sendable () -> Void)?? in
                if state.isEnding { return .some(nil) }
                if state.blocks.isEmpty { return nil }
                return .some(state.blocks.removeFirst())
            }) { block() }
        }
    }

    func submit(_ block: @escaping @Sendable () -> Void) {
        state.withLock { state in if !state.isEnding { state.blocks.append(block) } }
        state.wakeOne()
    }

    /// Has the thread end, and lets go of the blocks that it has not run.
    func end() {
        let dropped = state.withLock { state in
            state.isEnding = true
            defer { state.blocks = [] }
            return state.blocks
        }
        state.wakeOne()
        _ = dropped
    }
}

/// An actor that does what it is told.
actor Doer {
    func run(_ block: @Sendable () -> Void) { block() }
}

/// One of each kind of thing that can be watched.
enum Kind: String, CaseIterable, Sendable {
    case runLoop, queue, actor, executor

    /// Something of this kind: how a monitor watches it, and how it is given work.
    func make() -> WatchedThing {
        switch self {
        case .runLoop:
            let thread = LoopThread()
            return WatchedThing(
                watching: { $0.watch(runLoop: thread.loop, named: rawValue) }, submit: { thread.perform($0) },
                end: { thread.end() })
        case .queue:
            let queue = DispatchQueue(label: "watched")
            return WatchedThing(
                watching: { $0.watch(queue: queue, named: rawValue) }, submit: { queue.async(execute: $0) }, end: {})
        case .actor:
            let actor = Doer()
            return WatchedThing(
                watching: { $0.watch(actor: actor, named: rawValue) },
                submit: { block in Task.detached { await actor.run(block) } }, end: {})
        case .executor:
            let thread = BlockThread()
            return WatchedThing(
                watching: { $0.watch(named: rawValue) { thread.submit($0) } }, submit: { thread.submit($0) },
                end: { thread.end() })
        }
    }
}

struct WatchedThing: Sendable {
    var watching: @Sendable (StallMonitor) -> Watch
    var submit: @Sendable (@escaping @Sendable () -> Void) -> Void
    var end: @Sendable () -> Void

    @discardableResult
    func watch(_ monitor: StallMonitor) -> Watch { watching(monitor) }

    /// Runs a block there, and waits until it has run.
    func runAndWait<Value: Sendable>(_ block: @escaping @Sendable () -> Value) -> Value {
        let result = Monitor<Value?>(nil)
        submit {
            let value = block()
            result.withLock { $0 = value }
            result.wakeAll()
        }
        return result.wait { $0 }
    }
}

/// How long a stall truly was, by the stalling code itself.
struct Injected: Sendable {
    var begin: Instant
    var end: Instant
}

/// Takes at least so long, without work or by it; where a signal ends a sleep, it sleeps on.
@inline(never)
func distinctivelyNamedStall(_ milliseconds: Double, sleeping: Bool, _ clock: MonotonicClock) -> Injected {
    let begin = clock.now()
    let length = Nanoseconds.milliseconds(milliseconds)
    while clock.now() - begin < length {
        if sleeping { usleep(UInt32(max((length - (clock.now() - begin)).count / 1_000, 0) + 1)) }
    }
    return Injected(begin: begin, end: clock.now())
}

/// Waits until something is true that nobody tells of, for a minute at most; returns whether it is.
@discardableResult
func wait(until isTrue: () -> Bool) -> Bool {
    let clock = MonotonicClock()
    while !isTrue() {
        if clock.now() > Instant(sinceOrigin: 60_000_000_000) { return false }
        usleep(500)
    }
    return true
}
