import Results
import Strategies
import Synchronization
import TestSupport
import Testing
import Threading

/// What happened when jobs ran.
private final class Journal: Sendable {
    // Monitors, for the thread sanitizer cannot see the locks of the standard library's Mutex.
    private let runs: Monitor<[Int]>
    private let order = Monitor<[Int]>([])
    private let running = Atomic<Int>(0)
    private let peak = Atomic<Int>(0)

    init(jobs: Int) { runs = Monitor(Array(repeating: 0, count: jobs)) }

    func run(_ job: Int, _ body: () -> Void = {}) {
        let now = running.add(1, ordering: .relaxed).newValue
        _ = peak.max(now, ordering: .relaxed)
        body()
        order.withLock { $0.append(job) }
        runs.withLock { $0[job] += 1 }
        running.subtract(1, ordering: .relaxed)
    }

    var timesOfEach: Set<Int> { Set(runs.withLock { $0 }) }
    var orderOfEnds: [Int] { order.withLock { $0 } }
    var peakRunning: Int { peak.load(ordering: .relaxed) }
}

private let all = StrategyChoice.all(workers: 4)
private let long = Nanoseconds.seconds(60)

/// One at a time: jobs that block a pool would hold up those of another test.
@Suite(.serialized) struct StrategyTests {
    @Test("there are seven strategies, each with a name and a note of its own")
    func choices() {
        #expect(
            all.map(\.name) == [
                "serial-queue", "global-queue", "concurrent-queue-4", "thread-per-task", "resident-thread", "pool-4",
                "cooperative-pool",
            ])
        #expect(Set(all.map(\.note)).count == 7)
    }

    @Test("every job runs exactly once", arguments: all)
    func once(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let jobs = 10_000
            let journal = Journal(jobs: jobs)
            let strategy = try choice()
            for job in 0..<jobs { strategy.submit { journal.run(job) } }
            #expect(strategy.waitUntilAllDone(within: long))
            #expect(journal.timesOfEach == [1])
            #expect(strategy.shutDown(within: long))
        }
    }

    @Test("a strategy is idle before its first job, and after a pause takes more", arguments: all)
    func idle(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let strategy = try choice()
            #expect(strategy.waitUntilAllDone(within: .zero))
            for round in 1...3 {
                let journal = Journal(jobs: 50)
                for job in 0..<50 { strategy.submit { journal.run(job) } }
                #expect(strategy.waitUntilAllDone(within: long), "round \(round)")
                #expect(journal.timesOfEach == [1], "round \(round)")
            }
            #expect(strategy.shutDown(within: long))
        }
    }

    @Test(
        "a serial queue and a resident thread keep the order, and run one job at a time",
        arguments: [StrategyChoice.serialQueue, .residentThread])
    func serial(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let journal = Journal(jobs: 5_000)
            let strategy = try choice()
            for job in 0..<5_000 { strategy.submit { journal.run(job) } }
            #expect(strategy.waitUntilAllDone(within: long))
            #expect(journal.orderOfEnds == Array(0..<5_000))
            #expect(journal.peakRunning == 1)
            _ = strategy.shutDown(within: long)
        }
    }

    @Test(
        "a pool and a concurrent queue run as many jobs at once as they are wide, and never more",
        arguments: [
            StrategyChoice.pool(workers: 4), .concurrentQueue(width: 2), .pool(workers: 1), .concurrentQueue(width: 1),
        ])
    func width(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let width = Int(choice.name.split(separator: "-").last!)!
            let journal = Journal(jobs: 5_000)
            let inside = Gate()
            let hold = Gate()
            let strategy = try choice()
            // The first jobs stay inside until there are as many as fit: a strategy that is narrower never gets there.
            for job in 0..<5_000 {
                strategy.submit {
                    journal.run(job) {
                        guard job < width else { return }
                        inside.open()
                        hold.pass()
                    }
                }
            }
            for _ in 0..<width { inside.pass() }
            #expect(!strategy.waitUntilAllDone(within: .zero))
            hold.open(times: width)
            #expect(strategy.waitUntilAllDone(within: long))
            #expect(journal.peakRunning == width)
            #expect(journal.timesOfEach == [1])
            #expect(strategy.shutDown(within: long))
        }
    }

    @Test("a thread for each task runs them all at once")
    func threadPerTask() async throws {
        try await onOwnThread {
            let journal = Journal(jobs: 50)
            let inside = Gate()
            let hold = Gate()
            let strategy = try StrategyChoice.threadPerTask()
            for job in 0..<50 {
                strategy.submit {
                    journal.run(job) {
                        inside.open()
                        hold.pass()
                    }
                }
            }
            for _ in 0..<50 { inside.pass() }
            hold.open(times: 50)
            #expect(strategy.waitUntilAllDone(within: long))
            #expect(journal.peakRunning == 50)
            #expect(strategy.shutDown(within: long))
        }
    }

    @Test(
        "waiting for jobs of which one blocks ends at its limit with no, and with yes once it is let go", arguments: all
    )
    func blocked(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let inside = Gate()
            let hold = Gate()
            let strategy = try choice()
            strategy.submit {
                inside.open()
                hold.pass()
            }
            inside.pass()
            strategy.submit {}
            #expect(!strategy.waitUntilAllDone(within: .zero))
            #expect(!strategy.waitUntilAllDone(within: Nanoseconds(-1)))
            #expect(!strategy.waitUntilAllDone(within: .milliseconds(2)))
            #expect(!strategy.shutDown(within: .milliseconds(2)))
            hold.open()
            #expect(strategy.waitUntilAllDone(within: long))
            #expect(strategy.shutDown(within: long))
        }
    }

    @Test("jobs that wait are done before a strategy that is shut down ends", arguments: all)
    func shutDown(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let journal = Journal(jobs: 200)
            let strategy = try choice()
            for job in 0..<200 { strategy.submit { journal.run(job) } }
            #expect(strategy.shutDown(within: long))
            #expect(journal.timesOfEach == [1])
        }
    }

    @Test(
        "threads of a strategy's own end when it is shut down",
        arguments: [StrategyChoice.pool(workers: 4), .residentThread, .threadPerTask])
    func threadsEnd(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            // A thread-local value is released when its thread ends: that opens the gate.
            let ended = Gate()
            let local = ThreadEnd { ended.open() }
            let strategy = try choice()
            let inside = Gate()
            let hold = Gate()
            let count = choice.name == "resident-thread" ? 1 : 4
            for _ in 0..<count {
                strategy.submit {
                    local.watch()
                    inside.open()
                    hold.pass()
                }
            }
            for _ in 0..<count { inside.pass() }
            hold.open(times: count)
            #expect(strategy.shutDown(within: long))
            for _ in 0..<count { ended.pass() }
        }
    }

    @Test("strategies are equal by name")
    func equality() {
        #expect(StrategyChoice.pool(workers: 2) == .pool(workers: 2))
        #expect(StrategyChoice.pool(workers: 2) != .pool(workers: 3))
    }
}
