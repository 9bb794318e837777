import CoreFoundation
import Dispatch
import Foundation
import Glibc
import StallMonitoring
import Synchronization
import TaskMeter

/// Something that can be watched for stalls, and given work that stalls it.
enum WatchedKind: String, CaseIterable {
    case runLoop = "run-loop"
    case serialQueue = "serial-queue"
    case actor
    case residentThread = "resident-thread"
}

/// One of each kind, with a way to run a block on it.
final class Watched: Sendable {
    /// Runs a block there, some time.
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void
    let watch: @Sendable (StallMonitor) -> Watch
    let end: @Sendable () -> Void

    init(_ kind: WatchedKind) throws {
        switch kind {
        case .runLoop:
            let thread = ResidentThread(name: "loop", mechanism: .runLoopSource)
            let loop = LoopBox()
            let isReady = DispatchSemaphore(value: 0)
            thread.submit {
                loop.keep(CFRunLoopGetCurrent())
                isReady.signal()
            }
            guard isReady.wait(timeout: .now() + 10) == .success else { throw NoLoop() }
            run = { block in thread.submit(block) }
            watch = { $0.watch(runLoop: loop.loop, named: kind.rawValue) }
            end = { thread.stop() }
        case .serialQueue:
            let queue = DispatchQueue(label: "watched")
            run = { queue.async(execute: $0) }
            watch = { $0.watch(queue: queue, named: kind.rawValue) }
            end = {}
        case .actor:
            let worker = Worker()
            run = { block in Task.detached { await worker.run(block) } }
            watch = { $0.watch(actor: worker, named: kind.rawValue) }
            end = {}
        case .residentThread:
            let thread = ResidentThread()
            run = { block in thread.submit(block) }
            watch = { $0.watch(named: kind.rawValue) { block in thread.submit(block) } }
            end = { thread.stop() }
        }
    }

    struct NoLoop: Error, CustomStringConvertible { let description = "the run loop did not start" }

    private actor Worker {
        func run(_ block: @Sendable () -> Void) { block() }
    }

    /// A run loop that is kept once, before it is used.
    ///
    /// Unchecked Sendable: it is written before the semaphore tells that it is there, and never after.
    private final class LoopBox: @unchecked Sendable {
        private var kept: CFRunLoop?
        func keep(_ loop: CFRunLoop) { kept = loop }
        var loop: CFRunLoop { kept ?? CFRunLoopGetMain() }
    }
}

extension MonitorGap {
    /// Whether it has a moment in common with a time.
    func overlaps(_ from: Instant, _ to: Instant) -> Bool { begin <= to && from <= end }
}
