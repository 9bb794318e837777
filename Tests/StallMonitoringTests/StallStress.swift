import Clocks
import CoreFoundation
import Dispatch
import Glibc
import Results
import StallMonitoring
import Synchronization
import Threading

/// Watches, cancels and stops from several threads, while blocks and beats run and stalls are noticed. Says whether
/// all that it counts is as it must be. Made for the thread sanitizer, under which it is run by tests.
///
/// - Parameter milliseconds: how long it goes on.
func stressStalls(milliseconds: Double) throws -> Bool {
    let clock = MonotonicClock()
    let end = clock.now() + .milliseconds(milliseconds)
    let loop = LoopThread()
    let queue = DispatchQueue(label: "stressed")
    let actor = Doer()
    let executor = BlockThread()
    let noticed = Atomic<Int>(0)
    let running = Monitor(0)
    let isRight = Atomic<Bool>(true)

    func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        for number in 0..<count {
            running.withLock { $0 += 1 }
            let refusal = Threading.startThread(named: "stress") {
                while clock.now() < end { body(number) }
                running.withLock { $0 -= 1 }
                running.wakeAll()
            }
            if refusal != 0 { running.withLock { $0 -= 1 } }
        }
    }

    let shared = Monitor<StallMonitor>(
        try StallMonitor(threshold: .milliseconds(1), sampling: .microseconds(300), clock: clock))
    // Short and long blocks in all things.
    onThreads(1) { _ in
        let isDone = Monitor(0)
        let block: @Sendable () -> Void = {
            let begin = clock.now()
            while clock.now() - begin < .microseconds(Double(begin.sinceOrigin % 3) * 900) {}
            isDone.withLock { $0 += 1 }
            isDone.wakeAll()
        }
        loop.perform(block)
        queue.async(execute: block)
        Task.detached { await actor.run(block) }
        executor.submit(block)
        isDone.wait { $0 == 4 ? () : nil }
    }
    // Watches that come and go, and readers.
    onThreads(2) { number in
        let monitor = shared.withLock { $0 }
        let watches = [
            monitor.watch(runLoop: loop.loop, named: "loop"), monitor.watch(queue: queue, named: "queue"),
            monitor.watch(actor: actor, named: "actor"), monitor.watch(named: "executor") { executor.submit($0) },
        ]
        usleep(UInt32(500 + number * 700))
        for stall in monitor.stalls where (stall.end ?? clock.now()) < stall.begin {
            isRight.store(false, ordering: .relaxed)
        }
        _ = (monitor.monitorGaps.count, monitor.lostStalls, monitor.doubtfulDelays)
        for watch in watches { watch.cancel() }
    }
    // Monitors that come and go, and are stopped by two at once.
    onThreads(1) { _ in
        guard
            let next = try? StallMonitor(
                threshold: .milliseconds(1), sampling: .microseconds(300), clock: clock,
                onStall: { _ in noticed.add(1, ordering: .relaxed) })
        else { return }
        let last = shared.withLock { monitor in
            defer { monitor = next }
            return monitor
        }
        queue.async { last.stop() }
        last.stop()
        usleep(3_000)
    }
    running.wait { $0 == 0 ? () : nil }
    shared.withLock { $0 }.stop()
    loop.end()
    executor.end()
    return isRight.load(ordering: .relaxed) && noticed.load(ordering: .relaxed) > 0
}
