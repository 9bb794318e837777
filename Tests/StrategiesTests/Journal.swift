import Results
import Strategies
import Synchronization
import TestSupport
import Threading

/// What happened when jobs ran.
final class Journal: Sendable {
    // Monitors, for the thread sanitizer cannot see the locks of the standard library's Mutex.
    private let runs: Monitor<[Int]>
    private let order = Monitor<[Int]>([])
    private let running = Atomic<Int>(0)
    private let peak = Atomic<Int>(0)

    init(jobs: Int) { runs = Monitor(Array(repeating: 0, count: jobs)) }

    func run(_ job: Int, _ body: () -> Void = {}) {
        let now = running.add(1, ordering: .relaxed).newValue
        _ = peak.max(now, ordering: .relaxed)
        order.withLock { $0.append(job) }
        body()
        runs.withLock { $0[job] += 1 }
        running.subtract(1, ordering: .relaxed)
    }

    var timesOfEach: Set<Int> { Set(runs.withLock { $0 }) }
    var orderOfBegins: [Int] { order.withLock { $0 } }
    /// While jobs run: of an array that was taken out of the lock the thread sanitizer cannot see who lets go of it when.
    var begun: Int { order.withLock { $0.count } }
    var peakRunning: Int { peak.load(ordering: .relaxed) }
}

/// Limit of waits that end at once, unless there is a fault.
let long = Nanoseconds.seconds(60)

let all = StrategyChoice.all(workers: 4)

/// Those whose jobs may block without blocking the thread that submits.
let elsewhere = all.filter { $0 != .inline }

extension StrategyChoice {
    /// How many of the first jobs run at once for certain, though every one of them blocks; nil where that depends on how
    /// many processors there are, and on who else uses them.
    var certainWidth: Int? {
        switch name {
        case "pool-4", "elastic-pool-4", "stealing-pool-4", "task-executor-4": 4
        default: traits?.width == .one ? 1 : nil
        }
    }

    /// How many threads of its own it has at most.
    var ownThreads: Int? {
        switch name {
        case "thread-per-task", "concurrent-perform", "serial-executor": 1
        default: name.hasPrefix("resident-thread") ? 1 : traits?.width == .one ? nil : certainWidth
        }
    }
}

extension Strategy {
    /// Submits one job after another from so many threads, and waits until all have been submitted.
    func submit(_ count: Int, from submitters: Int, _ job: @escaping @Sendable (Int) -> Void) {
        let submitted = Gate()
        for submitter in 0..<submitters {
            TestSupport.startThread { [self] in
                for number in stride(from: submitter, to: count, by: submitters) { submit { job(number) } }
                submitted.open()
            }
        }
        for _ in 0..<submitters { submitted.pass() }
    }
}
