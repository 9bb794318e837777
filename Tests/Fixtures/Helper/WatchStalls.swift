import CoreFoundation
import Dispatch
import Foundation
import Glibc
import Results
import StallMonitoring

/// Watches a busy run loop and a queue until it has been stopped by a signal for half a second or longer. Says how
/// many of its stalls would be none without such a gap, and how long the longest gap was in milliseconds.
func watchUntilStopped(_ say: (String) -> Void) throws {
    let long = Nanoseconds.milliseconds(500)
    let monitor = try StallMonitor(threshold: .milliseconds(100), sampling: .milliseconds(5))
    monitor.watch(runLoop: CFRunLoopGetCurrent(), named: "loop")
    monitor.watch(queue: DispatchQueue(label: "watched"), named: "queue")
    let clock = monitor.clock
    // Works for most of the time, so that the stop mostly falls into a pass.
    let timer = Timer(fire: Date(), interval: 0.001, repeats: true) { _ in
        let begin = clock.now()
        while clock.now() - begin < .milliseconds(20) {}
        if monitor.monitorGaps.contains(where: { $0.late >= long }) { CFRunLoopStop(CFRunLoopGetCurrent()) }
    }
    RunLoop.current.add(timer, forMode: .common)
    say("ready")
    CFRunLoopRun()
    timer.invalidate()
    monitor.stop()
    let gaps = monitor.monitorGaps.filter { $0.late >= long }
    let made = monitor.stalls.filter { stall in
        let end = stall.end ?? clock.now()
        let inside = gaps.reduce(Nanoseconds.zero) { $0 + max(min($1.end, end) - max($1.begin, stall.begin), .zero) }
        return inside > .zero && end - stall.begin - inside <= monitor.threshold
    }
    say("\(made.count) \((gaps.map(\.late.count).max() ?? 0) / 1_000_000)")
}
