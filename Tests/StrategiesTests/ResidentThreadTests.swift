import CoreFoundation
import Foundation
import Glibc
import Results
import Strategies
import Synchronization
import TestSupport
import Testing
import Threading

private let mechanisms = ResidentThread.Mechanism.allCases
private let runLoops: [ResidentThread.Mechanism] = [.runLoopSource, .runLoopSlices]

/// Lets a block stay inside until it is let go.
private final class Stay: Sendable {
    let inside = Gate()
    let hold = Gate()

    var block: @Sendable () -> Void {
        {
            self.inside.open()
            self.hold.pass()
        }
    }
}

/// Whether a thread takes a block.
private func accepts(_ thread: ResidentThread) -> Bool { thread.submit {} }

private final class Weak: @unchecked Sendable {
    // Written once, and then only read, which is safe for weak references.
    private(set) weak var object: ResidentThread?
    init(_ object: ResidentThread?) { self.object = object }
}

struct ResidentThreadTests {
    @Test("blocks run in order of submission, all on one thread", arguments: mechanisms)
    func order(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let thread = ResidentThread(mechanism: mechanism)
            let seen = Monitor<(numbers: [Int], threads: Set<pthread_t>)>(([], []))
            for number in 0..<2_000 {
                let accepted = thread.submit {
                    seen.withLock { seen in
                        seen.numbers.append(number)
                        seen.threads.insert(pthread_self())
                    }
                }
                #expect(accepted)
            }
            #expect(thread.waitUntilIdle(within: long))
            #expect(seen.withLock { $0.numbers } == Array(0..<2_000))
            #expect(seen.withLock { $0.threads }.count == 1)
            #expect(seen.withLock { $0.threads } != [pthread_self()])
        }
    }

    @Test("it starts with its first block, or when it is told to, and not before", arguments: mechanisms)
    func lazy(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let starts = Tally()
            let starter: ThreadStarter = {
                starts.add()
                return systemThread($0, $1)
            }
            let thread = ResidentThread(mechanism: mechanism, startingThreadsWith: starter)
            #expect(thread.state == .idle)
            #expect(thread.waitUntilIdle(within: .zero))
            #expect(starts.count == 0)
            thread.submit {}
            thread.submit {}
            #expect(thread.state == .running)
            #expect(starts.count == 1)
            #expect(throws: Never.self) { try thread.start() }
            #expect(starts.count == 1)
            #expect(thread.stop() == .ended)
            #expect(thread.state == .ended)
        }
    }

    @Test("it knows whether one runs on it", arguments: mechanisms)
    func current(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let thread = ResidentThread(mechanism: mechanism)
            let inside = Monitor<(Bool, Bool)?>(nil)
            #expect(!thread.isCurrent)
            thread.submit {
                let found = (thread.isCurrent, thread.waitUntilIdle(within: long))
                inside.withLock { $0 = found }
            }
            #expect(thread.waitUntilIdle(within: long))
            #expect(inside.withLock { $0?.0 } == true)
            #expect(inside.withLock { $0?.1 } == false)
            #expect(thread.stop() == .ended)
            #expect(!thread.isCurrent)
        }
    }

    @Test("a block submitted after the stop is refused, and released", arguments: mechanisms)
    func afterStop(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let alive = LiveCount()
            let thread = ResidentThread(mechanism: mechanism)
            thread.submit {}
            #expect(thread.stop() == .ended)
            let ran = Tally()
            do {
                let held = Held(alive)
                let accepted = thread.submit { withExtendedLifetime(held) { ran.add() } }
                #expect(!accepted)
            }
            #expect(alive.count == 0)
            #expect(throws: ResidentThreadError.stopped) { try thread.start() }
            #expect(ran.count == 0)
        }
    }

    @Test("one that is stopped before its start ends without a thread", arguments: mechanisms)
    func beforeStart(_ mechanism: ResidentThread.Mechanism) {
        let thread = ResidentThread(mechanism: mechanism) { _, _ in
            Issue.record("a thread was started")
            return EAGAIN
        }
        #expect(thread.stop() == .ended)
        #expect(thread.state == .ended)
        #expect(!accepts(thread))
        #expect(thread.stop(.discard) == .ended)
    }

    @Test("a stop drains what was submitted, or discards it", arguments: mechanisms)
    func remainder(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            for remainder in [ResidentThread.Remainder.drain, .discard] {
                let alive = LiveCount()
                let stay = Stay()
                let ran = Tally()
                let thread = ResidentThread(mechanism: mechanism)
                thread.submit(stay.block)
                stay.inside.pass()
                for _ in 0..<10 {
                    let held = Held(alive)
                    thread.submit { withExtendedLifetime(held) { ran.add() } }
                }
                let ending = Monitor<ResidentThread.Ending?>(nil)
                TestSupport.startThread {
                    let end = thread.stop(remainder, within: long)
                    ending.withLock { $0 = end }
                    ending.wakeAll()
                }
                while thread.state == .running { sched_yield() }
                #expect(!accepts(thread))
                // Those that are discarded go at once, while the block before them still runs.
                if remainder == .discard { #expect(alive.wait { $0 == 0 }) }
                stay.hold.open()
                let hasEnded = ending.wait(within: long) { $0 == .ended }
                #expect(hasEnded)
                #expect(ran.count == (remainder == .drain ? 10 : 0))
                #expect(alive.count == 0)
            }
        }
    }

    @Test(
        "a stop ends at its limit when a block runs longer, and what has not begun by then never begins",
        arguments: mechanisms)
    func limit(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let alive = LiveCount()
            let stay = Stay()
            let ran = Tally()
            let thread = ResidentThread(mechanism: mechanism)
            thread.submit(stay.block)
            for _ in 0..<10 {
                let held = Held(alive)
                thread.submit { withExtendedLifetime(held) { ran.add() } }
            }
            stay.inside.pass()
            #expect(thread.stop(.drain, within: .milliseconds(1)) == .stillRunning)
            #expect(thread.stop(.drain, within: Nanoseconds(-1)) == .stillRunning)
            #expect(thread.state == .stopping)
            stay.hold.open()
            #expect(thread.stop(.drain, within: long) == .ended)
            #expect(ran.count == 0)
            #expect(alive.count == 0)
        }
    }

    @Test("stops of many threads at once all return, once it has ended", arguments: mechanisms)
    func manyStops(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let thread = ResidentThread(mechanism: mechanism)
            let ran = Tally()
            for _ in 0..<100 { thread.submit { ran.add() } }
            let ended = Gate()
            for _ in 0..<8 {
                TestSupport.startThread {
                    #expect(thread.stop(.drain, within: long) == .ended)
                    #expect(ran.count == 100)
                    ended.open()
                }
            }
            for _ in 0..<8 { ended.pass() }
        }
    }

    @Test("stopped by its own block, it ends after that block and those that are drained", arguments: mechanisms)
    func fromInside(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            for (remainder, limit, expected) in [
                (ResidentThread.Remainder.drain, long, 10), (.discard, long, 0), (.drain, Nanoseconds.zero, 0),
                (.drain, Nanoseconds(.max), 10),
            ] {
                let alive = LiveCount()
                let stay = Stay()
                let ran = Tally()
                let thread = ResidentThread(mechanism: mechanism)
                thread.submit {
                    stay.block()
                    #expect(thread.stop(remainder, within: limit) == .endsAfterThisBlock)
                    #expect(thread.stop(remainder, within: limit) == .endsAfterThisBlock)
                    #expect(!accepts(thread))
                }
                for _ in 0..<10 {
                    let held = Held(alive)
                    thread.submit { withExtendedLifetime(held) { ran.add() } }
                }
                stay.inside.pass()
                stay.hold.open()
                #expect(thread.waitUntilIdle(within: long))
                #expect(thread.stop(.drain, within: long) == .ended)
                #expect(ran.count == expected)
                #expect(alive.count == 0)
            }
        }
    }

    @Test("it ends when its owner goes, and discards or drains as it was told", arguments: mechanisms)
    func released(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            for remainder in [ResidentThread.Remainder.drain, .discard] {
                let alive = LiveCount()
                let stay = Stay()
                let ended = Gate()
                let local = ThreadEnd { ended.open() }
                let ran = Tally()
                do {
                    let thread = ResidentThread(mechanism: mechanism, whenReleased: remainder)
                    thread.submit {
                        local.watch()
                        stay.block()
                    }
                    for _ in 0..<10 {
                        let held = Held(alive)
                        thread.submit { withExtendedLifetime(held) { ran.add() } }
                    }
                    stay.inside.pass()
                }
                stay.hold.open()
                ended.pass()
                #expect(ran.count == (remainder == .drain ? 10 : 0))
                #expect(alive.count == 0)
            }
        }
    }

    @Test("it ends when the last reference goes inside one of its own blocks", arguments: mechanisms)
    func releasedInside(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let ended = Gate()
            let local = ThreadEnd { ended.open() }
            let owner = Monitor<ResidentThread?>(ResidentThread(mechanism: mechanism))
            let observed = Weak(owner.withLock { $0 })
            let stay = Stay()
            owner.withLock { $0 }?.submit {
                local.watch()
                stay.block()
                let last = owner.withLock { owner in
                    defer { owner = nil }
                    return owner
                }
                #expect(last?.isCurrent == true)
            }
            stay.inside.pass()
            stay.hold.open()
            ended.pass()
            #expect(observed.object == nil)
        }
    }

    @Test("what a block holds is released when the block has ended, not when others have too", arguments: mechanisms)
    func releasedEarly(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let alive = LiveCount()
            let first = Stay()
            let last = Stay()
            let thread = ResidentThread(mechanism: mechanism)
            thread.submit(first.block)
            first.inside.pass()
            do {
                let held = Held(alive)
                thread.submit { withExtendedLifetime(held) {} }
            }
            thread.submit(last.block)
            first.hold.open()
            last.inside.pass()
            #expect(alive.count == 0)
            last.hold.open()
            #expect(thread.stop() == .ended)
        }
    }

    @Test("what a block holds may use the thread when it goes", arguments: mechanisms)
    func usedByWhatGoes(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let stay = Stay()
            let told = Gate()
            let thread = ResidentThread(mechanism: mechanism)
            thread.submit(stay.block)
            stay.inside.pass()
            for _ in 0..<3 {
                let last = AtItsEnd {
                    #expect(!accepts(thread))
                    _ = thread.stop(.discard, within: .zero)
                    told.open()
                }
                thread.submit { withExtendedLifetime(last) {} }
            }
            #expect(thread.stop(.discard, within: .zero) == .stillRunning)
            for _ in 0..<3 { told.pass() }
            stay.hold.open()
            #expect(thread.stop(within: long) == .ended)
        }
    }

    @Test("a thread that the system refuses is told, and can be had later", arguments: mechanisms)
    func refused(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let refuses = Atomic<Bool>(true)
            let alive = LiveCount()
            let thread = ResidentThread(mechanism: mechanism) { name, body in
                refuses.load(ordering: .relaxed) ? EAGAIN : systemThread(name, body)
            }
            #expect(throws: ResidentThreadError.refused(errno: EAGAIN)) { try thread.start() }
            do {
                let held = Held(alive)
                let accepted = thread.submit { withExtendedLifetime(held) {} }
                #expect(!accepted)
            }
            #expect(alive.count == 0)
            #expect(thread.state == .idle)
            #expect(thread.refusal == .refused(errno: EAGAIN))
            #expect(thread.refusal?.description.contains("temporarily unavailable") == true)
            refuses.store(false, ordering: .relaxed)
            let ran = Gate()
            let isAccepted = thread.submit { ran.open() }
            #expect(isAccepted)
            ran.pass()
            #expect(thread.refusal == nil)
            #expect(thread.stop() == .ended)
        }
    }

    @Test("blocks on a run loop can have timers, which fire between blocks", arguments: runLoops)
    func timers(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let fired = Gate()
            let thread = ResidentThread(mechanism: mechanism)
            thread.submit {
                let timer = Timer(fire: Date() + 0.001, interval: 0, repeats: false) { _ in fired.open() }
                RunLoop.current.add(timer, forMode: .default)
            }
            fired.pass()
            #expect(thread.stop() == .ended)
        }
    }

    @Test("a block that runs the loop itself, or stops it, changes neither the order nor the life", arguments: runLoops)
    func ownLoop(_ mechanism: ResidentThread.Mechanism) async throws {
        try await onOwnThread {
            let stay = Stay()
            let seen = Monitor<[Int]>([])
            let thread = ResidentThread(mechanism: mechanism)
            thread.submit {
                stay.block()
                CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.005, false)
                seen.withLock { $0.append(1) }
                CFRunLoopStop(CFRunLoopGetCurrent())
            }
            stay.inside.pass()
            thread.submit { seen.withLock { $0.append(2) } }
            stay.hold.open()
            #expect(thread.waitUntilIdle(within: long))
            thread.submit { seen.withLock { $0.append(3) } }
            #expect(thread.stop() == .ended)
            #expect(seen.withLock { $0 } == [1, 2, 3])
        }
    }

    @Test("a stop ends the loops that callbacks run within each other, and the thread's own around them")
    func nestedLoops() async throws {
        try await onOwnThread {
            let inside = Gate()
            let thread = ResidentThread(mechanism: .runLoopSource)
            thread.submit {
                // Of a timer, not of a block: while a block runs, the stop waits for it.
                _ = Timer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in
                    _ = Timer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in
                        inside.open()
                        CFRunLoopRun()
                    }
                    CFRunLoopRun()
                }
            }
            inside.pass()
            #expect(thread.stop(.drain, within: long) == .ended)
        }
    }
}
