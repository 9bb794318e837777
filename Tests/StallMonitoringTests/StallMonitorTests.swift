import Clocks
import CoreFoundation
import Dispatch
import Glibc
import Recording
import Results
import StallMonitoring
import TestSupport
import Testing
import Threading

/// Stalls whose length the stalling code itself measured, in all kinds of things.
///
/// The machine may stall anything at any time; so each test compares what the monitor found with what it measured
/// itself, and with the gaps in which the monitor itself did not run.
extension StallsTests {
    @Suite struct StallMonitorTests {
        @Test(
            "a stall is found once, with its begin and end, in whatever it is", arguments: Kind.allCases, [false, true])
        func injected(_ kind: Kind, _ sleeping: Bool) async throws {
            try await onOwnThread {
                let thing = kind.make()
                let monitor = try StallsTests.monitor()
                let clock = monitor.clock
                thing.watch(monitor)
                for length in [15.0, 30, 60] {
                    let (stall, injected) = try #require(inject(length, into: thing, monitor, sleeping: sleeping))
                    let end = try #require(stall.end)
                    #expect(stall.watched == kind.rawValue)
                    #expect(end >= injected.end && stall.begin < injected.end && end <= clock.now())
                    let uncertainty = try #require(stall.uncertainty)
                    let earliest = Instant(sinceOrigin: stall.begin.sinceOrigin - uncertainty.count)
                    #expect(earliest <= injected.begin)
                    if kind == .runLoop {
                        #expect(uncertainty == .zero)
                    }
                    #expect(stall.spent! - stall.unobserved > StallsTests.threshold)
                    #expect(monitor.stalls.filter { overlaps($0, injected) }.count == 1)
                }
                monitor.stop()
                thing.end()
            }
        }

        @Test("a run loop's stall lies between when it last waited before, and when it waits again")
        func exact() async throws {
            try await onOwnThread {
                let thread = LoopThread()
                let monitor = try StallsTests.monitor()
                let clock = monitor.clock
                monitor.watch(runLoop: thread.loop, named: "loop")
                thread.perform {}
                // Again where the monitor did not run itself at that time.
                var judged = 0
                for turn in 0..<100 where judged < 5 {
                    thread.waitUntilIdle()
                    let before = clock.now()
                    let isDone = Gate()
                    let measured = Monitor<Injected?>(nil)
                    thread.perform {
                        let injected = distinctivelyNamedStall(8, sleeping: turn % 2 == 0, clock)
                        measured.withLock { $0 = injected }
                        isDone.open()
                    }
                    isDone.pass()
                    thread.waitUntilIdle()
                    let after = clock.now()
                    let injected = try #require(measured.withLock { $0 })
                    let stalls = { monitor.stalls.filter { overlaps($0, injected) && $0.end != nil } }
                    try #require(wait(until: { !stalls().isEmpty || explains(monitor, injected) }))
                    guard let stall = stalls().first else { continue }
                    #expect(before <= stall.begin && stall.begin <= injected.begin)
                    #expect(injected.end <= stall.end! && stall.end! <= after)
                    judged += 1
                }
                #expect(judged > 0)
                monitor.stop()
                thread.end()
            }
        }

        @Test("what takes no longer than the threshold is no stall", arguments: Kind.allCases)
        func short(_ kind: Kind) async throws {
            try await onOwnThread {
                let thing = kind.make()
                let monitor = try StallMonitor(threshold: .milliseconds(40), sampling: .milliseconds(2))
                let clock = monitor.clock
                thing.watch(monitor)
                // Work of 1 ms, and when the one who works was seen by itself: what lies between is the longest that
                // it was kept.
                let moments = (0..<200).flatMap { _ in
                    thing.runAndWait {
                        let injected = distinctivelyNamedStall(1, sleeping: false, clock)
                        return [injected.begin, injected.end]
                    }
                }
                monitor.stop()
                // A stall that is found is the machine's: nothing ran here for as long, or nearly so, somewhere within.
                for stall in monitor.stalls {
                    let end = stall.end ?? clock.now()
                    let inside = [stall.begin] + moments.filter { stall.begin < $0 && $0 < end } + [end]
                    let longest = zip(inside, inside.dropFirst()).map { $1 - $0 }.max()!
                    #expect(longest > .milliseconds(10), "\(stall)")
                }
                thing.end()
            }
        }

        @Test("a stall is seen while it lasts, and again when it is over", arguments: Kind.allCases)
        func inProgress(_ kind: Kind) async throws {
            try await onOwnThread {
                let thing = kind.make()
                let noticed = Monitor<[Stall]>([])
                let monitor = try StallMonitor(
                    threshold: StallsTests.threshold, sampling: .milliseconds(2), beating: .milliseconds(2)
                ) { stall in
                    noticed.withLock { $0.append(stall) }
                    noticed.wakeAll()
                }
                thing.watch(monitor)
                thing.runAndWait {}
                var wasSeen = false
                for _ in 0..<50 where !wasSeen {
                    let (isInside, mayEnd) = (Gate(), Gate())
                    thing.submit {
                        isInside.open()
                        mayEnd.pass()
                    }
                    isInside.pass()
                    let open = { (stall: Stall) in stall.end == nil }
                    #expect(wait { monitor.stalls.contains(where: open) })
                    guard let stall = monitor.stalls.first(where: open) else {
                        mayEnd.open()
                        continue
                    }
                    #expect(stall.spent == nil && stall.watched == kind.rawValue)
                    let seen = monitor.clock.now()
                    mayEnd.open()
                    #expect(
                        noticed.wait(within: .seconds(60)) {
                            $0.contains { $0.number == stall.number && $0.end != nil }
                        })
                    #expect(noticed.withLock { $0.first { $0.number == stall.number }?.end } == nil)
                    let ended = try #require(monitor.stalls.first { $0.number == stall.number })
                    #expect(ended.begin == stall.begin && stall.begin <= seen)
                    // Or the machine had stalled it before, and the monitor had not come to see the end of that.
                    wasSeen = ended.end! >= seen
                }
                #expect(wasSeen)
                monitor.stop()
                thing.end()
            }
        }

        @Test("a stall becomes a task with the stall's own begin and end, and a phase that names what was stalled")
        func recorded() async throws {
            try await onOwnThread {
                let thing = Kind.runLoop.make()
                let recorder = try TaskRecorder()
                let monitor = try StallsTests.monitor(recorder)
                thing.watch(monitor)
                _ = try #require(inject(30, into: thing, monitor, sleeping: true))
                monitor.stop()
                #expect(recorder.submittedTasks == monitor.stalls.count && recorder.faults == .none)
                for (number, stall) in monitor.stalls.enumerated() {
                    let record = try #require(recorder[TaskID(number)])
                    #expect(record.due == stall.begin && record.submitted == stall.begin && record.begin == stall.begin)
                    #expect(record.end == stall.end && record.spent == stall.spent && record.status == .ok)
                }
                thing.end()
            }
        }

        @Test("a monitor without a recorder times by the clock that it is given, and clamps what it cannot do")
        func settings() throws {
            let clock = MonotonicClock(origin: 12_345)
            let monitor = try StallMonitor(threshold: .zero, sampling: .zero, beating: .zero, clock: clock)
            #expect(monitor.clock.origin == 12_345 && monitor.threshold == .milliseconds(1))
            #expect(monitor.sampling == .microseconds(100) && monitor.beating == .microseconds(100))
            let usual = try StallMonitor()
            #expect(usual.threshold == .milliseconds(10) && usual.sampling == .milliseconds(7.5))
            #expect(usual.beating == .milliseconds(20))
        }
    }
}

func overlaps(_ stall: Stall, _ injected: Injected) -> Bool {
    stall.begin < injected.end && (stall.end ?? injected.end) > injected.begin
}

/// Whether the monitor itself did not run for a part of a stall, so that it cannot be asked for it.
func explains(_ monitor: StallMonitor, _ injected: Injected) -> Bool {
    monitor.monitorGaps.contains { $0.begin < injected.end && $0.end > injected.begin }
}

/// Stalls a thing for so long, until a stall was found; again where the monitor did not run itself at that time.
func inject(
    _ milliseconds: Double, into thing: WatchedThing, _ monitor: StallMonitor, sleeping: Bool
) -> (Stall, Injected)? {
    let clock = monitor.clock
    for _ in 0..<100 {
        // A beat must have run before: what is stalled when its watch begins has no known begin.
        let seen = clock.now()
        thing.runAndWait {}
        wait { clock.now() - seen > Nanoseconds(monitor.beating.count * 3) }
        let injected = thing.runAndWait { distinctivelyNamedStall(milliseconds, sleeping: sleeping, clock) }
        let found = { monitor.stalls.first { overlaps($0, injected) && $0.end != nil } }
        guard wait(until: { found() != nil || explains(monitor, injected) }) else { return nil }
        if let stall = found() { return (stall, injected) }
    }
    return nil
}
