import CoreFoundation
import Foundation
import TaskMeter

extension Metric {
    static let firedMeanwhile = Metric(
        "fired_meanwhile", .count, "firings while the loop runs in another mode", .higherIsBetter)
}

/// Where a run loop's timer is registered.
enum TimerMode: String, CaseIterable, Hashable, AxisValue {
    case `default` = "default-mode"
    /// In the common modes, of which the other mode is none: a mode is common only when somebody has said so.
    case common = "common-modes"
    /// In the common modes, which the other mode has been made one of (`CFRunLoopAddCommonMode`).
    case commonWithOther = "common-modes-with-other"
    /// In the other mode itself, and in that alone.
    case other = "other-mode"

    var axisText: String { rawValue }
}

/// Which timers fire while their loop runs in another mode, as loops do while they track a gesture or wait for an answer inside
/// an event.
enum RunLoopModes {
    static let metrics: [Metric] = [.firedMeanwhile, .mergedFirings, .missedFirings, .latenessMax]

    /// Points of the grid while the loop runs in its default mode first, in another mode, and in its default mode again.
    private static let (first, meanwhile, last) = (3, 10, 3)

    static func observation(_ registered: TimerMode) -> Observing {
        Observing { observer in
            let name = "TaskMeterOther"
            guard let loop = CFRunLoopGetCurrent(),
                let other = CFStringCreateWithCString(nil, name, CFStringBuiltInEncodings.UTF8.rawValue)
            else { throw NoRunLoop() }
            let otherMode = RunLoop.Mode(name)
            // A loop leaves a mode at once that has nothing in it.
            let idle = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
            RunLoop.current.add(idle, forMode: otherMode)
            RunLoop.current.add(idle, forMode: .default)
            defer { idle.invalidate() }
            if registered == .commonWithOther { CFRunLoopAddCommonMode(loop, other) }

            let log = FiringLog(observer, period: .milliseconds(10), count: first + meanwhile + last)
            let timer = RunLoopTimers.timer(log)
            let mode: RunLoop.Mode =
                switch registered {
                case .default: .default
                case .common, .commonWithOther: .common
                case .other: otherMode
                }
            RunLoop.current.add(timer, forMode: mode)
            defer { timer.invalidate() }

            // Each change lies in the middle between two points.
            func middle(after point: Int) -> Instant { log.grid.due(point) + Nanoseconds(log.grid.period.count / 2) }
            let begin = FiringLog.warmUp + first
            RunLoopTimers.run(kCFRunLoopDefaultMode, log, until: middle(after: begin - 1))
            // What was due after this, but fired before, fired in the default mode, which ended late.
            let changed = log.clock.now()
            RunLoopTimers.run(other, log, until: middle(after: begin + meanwhile - 1))
            let end = log.clock.now()
            RunLoopTimers.run(kCFRunLoopDefaultMode, log, until: log.grid.end + .milliseconds(50))
            tell(log.course().points.dropFirst(first).prefix(meanwhile), while: changed...end, observer)
        }
    }

    private static func tell(
        _ points: ArraySlice<TimerCourse.Point>, while other: ClosedRange<Instant>, _ observer: Observer
    ) {
        let missed = meanwhile - points.count
        observer.tell(.firedMeanwhile, points.count { !$0.isMerged && other.contains($0.moment) })
        observer.tell(.mergedFirings, points.count(where: \.isMerged))
        observer.tell(.missedFirings, missed)
        if missed == 0, let greatest = points.map(\.lateness).max() {
            observer.tell(.latenessMax, greatest)
        } else {
            observer.tell(.latenessMax, unavailable: "\(missed) of \(meanwhile) firings never came")
        }
    }
}

/// A thread always has a loop, and memory for a name; else there is nothing to observe.
struct NoRunLoop: Error, CustomStringConvertible { var description: String { "the thread has no run loop" } }
