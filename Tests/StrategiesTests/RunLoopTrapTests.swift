import CoreFoundation
import Foundation
import Glibc
import Strategies
import Synchronization
import TestSupport
import Testing
import Threading

/// What is easily got wrong with a thread that a run loop keeps alive, and what `ResidentThread` must not fall into.
struct RunLoopTrapTests {
    @Test("trap: a run loop without a source returns at once, and so the thread ends that it should keep alive")
    func nothingToWaitFor() async throws {
        try await onOwnThread {
            #expect(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false) == .finished)
            RunLoop.current.run()
        }
    }

    @Test("trap: a stop before the loop runs is lost")
    func stopBeforeRun() async throws {
        try await onOwnThread {
            let source = idleSource()
            CFRunLoopAddSource(CFRunLoopGetCurrent(), source, kCFRunLoopDefaultMode)
            CFRunLoopStop(CFRunLoopGetCurrent())
            #expect(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.001, false) == .timedOut)
            CFRunLoopSourceInvalidate(source)
        }
    }

    @Test("trap: RunLoop.run() goes on after CFRunLoopStop; it ends only when its last source goes")
    func endlessRun() async throws {
        try await onOwnThread {
            let loop = LoopThread { RunLoop.current.run() }
            #expect(loop.answers())
            CFRunLoopStop(loop.loop)
            // It still runs blocks, again and again.
            for _ in 0..<3 { #expect(loop.answers()) }
            #expect(!loop.hasEnded)
            loop.removeSource()
            #expect(loop.waitForEnd())
        }
    }

    @Test("trap: a block given to `perform` waits until something else wakes the loop")
    func performWakesNobody() async throws {
        try await onOwnThread {
            let loop = LoopThread(reportsSleep: true) { CFRunLoopRun() }
            loop.sleeps.pass()
            let ran = Monitor(false)
            CFRunLoopPerformBlock(loop.loop, kCFRunLoopDefaultMode) {
                ran.withLock { $0 = true }
                ran.wakeAll()
            }
            #expect(!ran.wait(within: .milliseconds(30)) { $0 })
            CFRunLoopWakeUp(loop.loop)
            #expect(ran.wait(within: long) { $0 })
            CFRunLoopStop(loop.loop)
            #expect(loop.waitForEnd())
        }
    }

    /// The usual keep-alive thread: its block holds the owner, whose `deinit` would stop it.
    private final class NaiveOwner: Sendable {
        let isAlive: Atomic<Bool>
        private let loop = Monitor<LoopThread?>(nil)

        init(_ handle: (LoopThread) -> Void) {
            isAlive = Atomic(true)
            let thread = LoopThread { [self] in
                while isAlive.load(ordering: .acquiring) { CFRunLoopRunInMode(kCFRunLoopDefaultMode, 3_600, true) }
            }
            loop.withLock { $0 = thread }
            handle(thread)
        }

        func stop() {
            isAlive.store(false, ordering: .releasing)
            loop.withLock { $0 }.map { CFRunLoopWakeUp($0.loop) }
        }

        deinit { stop() }
    }

    @Test("trap: an owner that its own thread holds never goes, and never stops it; an owner of a resident thread does")
    func heldByItsThread() async throws {
        try await onOwnThread {
            let naive = Monitor<LoopThread?>(nil)
            let observed = Observed()
            do {
                let owner = NaiveOwner { thread in naive.withLock { $0 = thread } }
                observed.object = owner
            }
            let thread = try #require(naive.withLock { $0 })
            #expect(thread.answers())
            #expect(observed.object != nil)
            #expect(!thread.hasEnded)
            // Only who still finds the owner can end it.
            (observed.object as? NaiveOwner)?.stop()
            CFRunLoopStop(thread.loop)
            #expect(thread.waitForEnd())

            for mechanism in ResidentThread.Mechanism.allCases {
                let ended = Gate()
                let local = ThreadEnd { ended.open() }
                do {
                    let thread = ResidentThread(mechanism: mechanism, whenReleased: .drain)
                    observed.object = thread
                    thread.submit { local.watch() }
                }
                ended.pass()
                #expect(observed.object == nil)
            }
        }
    }
}

private final class Observed {
    weak var object: AnyObject?
}

private func idleSource() -> CFRunLoopSource {
    var context = CFRunLoopSourceContext()
    context.perform = { _ in }
    return CFRunLoopSourceCreate(nil, 0, &context)
}

/// A thread that runs a loop with a source that never does anything.
///
/// Unchecked Sendable: the loop and the source are set before the initialiser returns, and CoreFoundation's functions on
/// them are thread-safe.
private final class LoopThread: @unchecked Sendable {
    private(set) var loop: CFRunLoop!
    private var source: CFRunLoopSource!
    let sleeps = Gate()
    private let ended = Monitor(false)

    init(reportsSleep: Bool = false, _ run: @escaping @Sendable () -> Void) {
        let ready = Gate()
        TestSupport.startThread { [self] in
            loop = CFRunLoopGetCurrent()
            source = idleSource()
            CFRunLoopAddSource(loop, source, kCFRunLoopDefaultMode)
            if reportsSleep {
                let activity = CFOptionFlags(CFRunLoopActivity.beforeWaiting.rawValue)
                let observer = CFRunLoopObserverCreateWithHandler(nil, activity, false, 0) { [sleeps] _, _ in
                    sleeps.open()
                }
                CFRunLoopAddObserver(loop, observer, kCFRunLoopDefaultMode)
            }
            ready.open()
            run()
            ended.withLock { $0 = true }
            ended.wakeAll()
        }
        ready.pass()
    }

    var hasEnded: Bool { ended.withLock { $0 } }
    func waitForEnd() -> Bool { ended.wait(within: long) { $0 } }

    /// Whether the loop runs a block that is sent to it.
    func answers() -> Bool {
        let answered = Monitor(false)
        CFRunLoopPerformBlock(loop, kCFRunLoopDefaultMode) {
            answered.withLock { $0 = true }
            answered.wakeAll()
        }
        CFRunLoopWakeUp(loop)
        return answered.wait(within: long) { $0 }
    }

    func removeSource() {
        CFRunLoopSourceInvalidate(source)
        CFRunLoopWakeUp(loop)
    }
}
