import CoreFoundation
import Dispatch
import Foundation
import Glibc
import Results
import StallMonitoring
import TestSupport
import Testing
import Threading

/// How watches and monitors end, and what run loops do in their modes.
extension StallsTests {
    @Suite struct WatchTests {
        @Test("a monitor stops twice, from what it watches and from its own handler, and keeps what it found")
        func stopping() async throws {
            try await onOwnThread {
                let thing = Kind.runLoop.make()
                let monitor = try StallsTests.monitor()
                let watch = thing.watch(monitor)
                #expect(watch.isActive && watch.name == "runLoop")
                _ = try #require(inject(20, into: thing, monitor, sleeping: true))
                let found = monitor.stalls.count
                thing.runAndWait { monitor.stop() }
                monitor.stop()
                #expect(!watch.isActive && monitor.stalls.count >= found)
                #expect(!thing.watch(monitor).isActive)
                thing.end()

                let other = Kind.queue.make()
                let hasStopped = Gate()
                let place = Monitor<StallMonitor?>(nil)
                let stopping = try StallMonitor(threshold: .milliseconds(2), sampling: .milliseconds(1)) { _ in
                    place.withLock { $0 }?.stop()
                    hasStopped.open()
                }
                place.withLock { $0 = stopping }
                other.watch(stopping)
                let mayEnd = Gate()
                other.submit { mayEnd.pass() }
                hasStopped.pass()
                mayEnd.open()
                stopping.stop()
                place.withLock { $0 = nil }
            }
        }

        @Test("after the stop no thread of it is left, no observer, and nothing that it held")
        func nothingLeft() async throws {
            try await onOwnThread {
                let thread = LoopThread()
                weak var actor: Doer?
                weak var monitor: StallMonitor?
                do {
                    let kept = Doer()
                    actor = kept
                    let strong = try StallsTests.monitor()
                    monitor = strong
                    strong.watch(runLoop: thread.loop, named: "loop")
                    strong.watch(actor: kept, named: "actor")
                    strong.watch(queue: DispatchQueue(label: "queue"), named: "queue")
                    thread.perform {}
                    thread.waitUntilIdle()
                    #expect(wait { threadsNamed("tm-stalls") >= 1 })
                }
                #expect(monitor == nil)
                #expect(wait { actor == nil })
                #expect(wait { threadsNamed("tm-stalls") == 0 })
                thread.end()
            }
        }

        @Test("a watch that is cancelled finds no more, and others do")
        func cancelling() async throws {
            try await onOwnThread {
                let (cancelled, kept) = (Kind.queue.make(), Kind.runLoop.make())
                let monitor = try StallsTests.monitor()
                let watch = cancelled.watch(monitor)
                kept.watch(monitor)
                _ = try #require(inject(30, into: cancelled, monitor, sleeping: true))
                watch.cancel()
                watch.cancel()
                let after = monitor.clock.now()
                _ = cancelled.runAndWait { distinctivelyNamedStall(30, sleeping: true, monitor.clock) }
                _ = try #require(inject(30, into: kept, monitor, sleeping: true))
                #expect(!watch.isActive)
                #expect(!monitor.stalls.contains { $0.watched == "queue" && $0.begin > after })
                monitor.stop()
                kept.end()
            }
        }

        @Test("what is watched may go before the monitor does")
        func gone() async throws {
            try await onOwnThread {
                let monitor = try StallsTests.monitor()
                let watches = Kind.allCases.map { kind in
                    let thing = kind.make()
                    let watch = thing.watch(monitor)
                    thing.runAndWait {}
                    thing.end()
                    return (kind, watch)
                }
                // An actor that is gone, and an executor that lets go of a beat, are watched no more.
                for (kind, watch) in watches where kind == .actor || kind == .executor {
                    #expect(wait { !watch.isActive }, "\(kind)")
                }
                monitor.stop()
                #expect(watches.allSatisfy { !$0.1.isActive })
            }
        }

        @Test("stalls that a monitor could not look at in time are counted when they find no place")
        func overflow() async throws {
            try await onOwnThread {
                let thread = LoopThread()
                let (isHeld, mayGoOn) = (Gate(), Gate())
                let hasHeld = Monitor(false)
                let monitor = try StallMonitor(threshold: .milliseconds(1), sampling: .microseconds(200)) { stall in
                    guard stall.watched == "holder",
                        !hasHeld.withLock({
                            let was = $0
                            $0 = true
                            return was
                        })
                    else { return }
                    isHeld.open()
                    mayGoOn.pass()
                }
                monitor.watch(runLoop: thread.loop, named: "loop")
                let holder = BlockThread()
                monitor.watch(named: "holder") { holder.submit($0) }
                let release = Gate()
                holder.submit { release.pass() }
                isHeld.pass()
                let clock = monitor.clock
                let before = monitor.stalls.filter { $0.watched == "loop" }.count
                // Two milliseconds each, in a pass of its own.
                for _ in 0..<70 {
                    let isDone = Gate()
                    thread.perform {
                        _ = distinctivelyNamedStall(2, sleeping: false, clock)
                        isDone.open()
                    }
                    isDone.pass()
                    thread.waitUntilIdle()
                }
                #expect(monitor.stalls.filter { $0.watched == "loop" }.count == before)
                #expect(monitor.lostStalls >= 6)
                let lost = monitor.lostStalls
                release.open()
                mayGoOn.open()
                monitor.stop()
                #expect(monitor.lostStalls >= lost)
                holder.end()
                thread.end()
            }
        }

        @Test("what a callback does after it ran the loop by itself is seen, also where the loop ran before its watch")
        func afterNestedRun() async throws {
            try await onOwnThread {
                let thread = LoopThread()
                // It waits in a run that was entered before.
                thread.waitUntilIdle()
                let monitor = try StallsTests.monitor()
                let clock = monitor.clock
                monitor.watch(runLoop: thread.loop, named: "loop")
                var judged: [Stall] = []
                // Again where the monitor did not run itself at that time; an own run each time, whose exit counts.
                for _ in 0..<20 where judged.isEmpty {
                    let measured = Monitor<Injected?>(nil)
                    thread.perform {
                        for _ in 0..<2 { CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.001, false) }
                        let injected = distinctivelyNamedStall(30, sleeping: false, clock)
                        measured.withLock { $0 = injected }
                        measured.wakeAll()
                    }
                    let injected = measured.wait { $0 }
                    thread.waitUntilIdle()
                    try #require(
                        wait(until: {
                            judged = monitor.stalls.filter { overlaps($0, injected) }
                            return !judged.isEmpty || explains(monitor, injected)
                        }))
                }
                #expect(!judged.isEmpty)
                monitor.stop()
                thread.end()
            }
        }

        @Test("a loop in another mode takes no work in the common ones, unless that mode is watched, too")
        func modes() async throws {
            try await onOwnThread {
                let thread = LoopThread()
                let clock = try StallsTests.monitor().clock
                let monitor = try StallMonitor(threshold: .milliseconds(10), sampling: .milliseconds(2), clock: clock)
                let own: @Sendable () -> CFString = {
                    CFStringCreateWithCString(nil, "own", CFStringBuiltInEncodings.UTF8.rawValue)
                }
                monitor.watch(runLoop: thread.loop, named: "common")
                monitor.watch(runLoop: thread.loop, named: "both", modes: [kCFRunLoopCommonModes, own()])
                thread.perform {}
                thread.waitUntilIdle()
                let inner = Monitor<Injected?>(nil)
                thread.perform {
                    // The mode needs a source of events, or it is left at once.
                    RunLoop.current.add(
                        Timer(fire: .distantFuture, interval: 1e6, repeats: true) { _ in },
                        forMode: RunLoop.Mode(rawValue: "own"))
                    let begin = clock.now()
                    CFRunLoopRunInMode(own(), 0.06, false)
                    let injected = Injected(begin: begin, end: clock.now())
                    inner.withLock { $0 = injected }
                    inner.wakeAll()
                }
                let injected = inner.wait { $0 }
                let common = {
                    monitor.stalls.contains { $0.watched == "common" && overlaps($0, injected) && $0.end != nil }
                }
                #expect(wait { common() || explains(monitor, injected) })
                monitor.stop()
                // The other watch saw it wait: what it found within is no more than a part that the machine took.
                for stall in monitor.stalls where stall.watched == "both" && overlaps(stall, injected) {
                    #expect(stall.spent! < injected.end - injected.begin)
                }
                thread.end()
            }
        }
    }
}

private func threadsNamed(_ name: String) -> Int {
    let folder = "/proc/self/task"
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return tasks.filter { (try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8)) == name + "\n" }.count
}
