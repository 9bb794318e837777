import CoreFoundation
import Foundation
import TaskMeter

/// Timers of a run loop.
enum RunLoopTimers {
    /// A repeating timer in a loop that runs in the default mode on the calling thread.
    static func repeating(_ log: FiringLog) {
        let timer = timer(log)
        RunLoop.current.add(timer, forMode: .default)
        while log.isOpen { run(kCFRunLoopDefaultMode, log, until: log.limit) }
        // A thread that got no processor until the limit had passed has left firings behind that are due.
        run(kCFRunLoopDefaultMode, log, until: log.limit)
        timer.invalidate()
    }

    /// A timer for the grid of a log, in no loop yet, that ends the pass of its loop when no more firings are wanted. It tells
    /// no count of merged firings, so each of its calls stands for all points that are due.
    ///
    /// Made with its first date, for one that is made by `Timer(timeInterval:repeats:block:)` fires at once on Linux
    /// (swift-corelibs-foundation, issue 4712).
    static func timer(_ log: FiringLog) -> Timer {
        // A run loop's times are those of the wall clock.
        let pair = pairedReading(log.clock) { CFAbsoluteTimeGetCurrent() }
        let first = Date(timeIntervalSinceReferenceDate: pair.other + (log.grid.due(0) - pair.moment).seconds)
        return Timer(fire: first, interval: log.grid.period.seconds, repeats: true) { _ in
            if !log.fired(points: nil) { CFRunLoopStop(CFRunLoopGetCurrent()) }
        }
    }

    /// Runs the calling thread's loop in a mode until a moment, or until it is stopped; one pass at least.
    static func run(_ mode: CFRunLoopMode, _ log: FiringLog, until end: Instant) {
        CFRunLoopRunInMode(mode, max((end - log.clock.now()).seconds, 0), false)
    }
}
