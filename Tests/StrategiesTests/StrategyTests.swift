import Results
import Strategies
import TestSupport
import Testing
import Threading

/// One at a time: jobs that block a pool would hold up those of another test.
@Suite(.serialized) struct StrategyTests {
    @Test("the usual strategies are seven, each with a name and a note of its own")
    func usual() {
        let usual = StrategyChoice.usual(workers: 4)
        #expect(
            usual.map(\.name) == [
                "serial-queue", "global-queue", "concurrent-queue-4", "thread-per-task", "resident-thread", "pool-4",
                "cooperative-pool",
            ])
        #expect(Set(usual.map(\.note)).count == 7)
        #expect(usual.allSatisfy { all.contains($0) })
    }

    @Test("every strategy has a name and a note of its own, and traits")
    func choices() {
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(Set(all.map(\.note)).count == all.count)
        #expect(
            Set(all.map(\.name)).isSuperset(of: [
                "concurrent-queue", "global-queue-background", "global-queue-utility", "global-queue-user-initiated",
                "global-queue-user-interactive", "target-queues-4", "target-chain-4", "concurrent-perform",
                "operation-queue", "operation-queue-4", "resident-thread-run-loop-source",
                "resident-thread-run-loop-slices", "elastic-pool-4", "stealing-pool-4", "limited-queue-4",
                "task-group", "actor", "serial-executor", "task-executor-4", "inline",
            ]))
        for choice in all {
            #expect(choice.traits?.whenBlocked.hasSuffix(".") == true, "\(choice.name)")
            #expect(choice.traits?.submitting.isEmpty == false, "\(choice.name)")
            #expect(choice.traits?.width.description.isEmpty == false, "\(choice.name)")
        }
    }

    @Test("a strategy of one's own needs no traits")
    func own() {
        #expect(StrategyChoice("own", note: "Mine.") { throw CancellationError() }.traits == nil)
    }

    @Test("strategies are equal by name")
    func equality() {
        #expect(StrategyChoice.pool(workers: 2) == .pool(workers: 2))
        #expect(StrategyChoice.pool(workers: 2) != .pool(workers: 3))
        #expect(StrategyChoice.globalQueue(qos: .default) == .globalQueue)
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

    @Test("every job of four submitting threads runs exactly once", arguments: all)
    func severalSubmitters(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let journal = Journal(jobs: 4_000)
            let strategy = try choice()
            strategy.submit(4_000, from: 4) { journal.run($0) }
            #expect(strategy.waitUntilAllDone(within: long))
            #expect(journal.timesOfEach == [1])
            #expect(strategy.shutDown(within: long))
        }
    }

    /// A chain, of which one job runs at a time: in a limited queue, jobs that all submit could wait for one another.
    @Test("a job can submit the next one", arguments: all)
    func chain(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let journal = Journal(jobs: 500)
            let strategy = try choice()
            @Sendable func run(_ job: Int) {
                journal.run(job)
                if job + 1 < 500 { strategy.submit { run(job + 1) } }
            }
            strategy.submit { run(0) }
            #expect(strategy.waitUntilAllDone(within: long))
            #expect(journal.timesOfEach == [1])
            #expect(journal.orderOfBegins == Array(0..<500))
            #expect(strategy.shutDown(within: long))
        }
    }

    @Test(
        "jobs that all submit others have them run before the strategy ends, also when it is shut down meanwhile",
        arguments: all.filter { !$0.name.hasPrefix("limited-queue") })
    func nested(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let journal = Journal(jobs: 1_100)
            let strategy = try choice()
            for job in 0..<100 {
                strategy.submit {
                    for next in 1...10 { strategy.submit { journal.run(job + 100 * next) } }
                    journal.run(job)
                }
            }
            #expect(strategy.shutDown(within: long))
            #expect(journal.timesOfEach == [1])
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
        "strategies that run one job at a time do, and those that keep the order of submission keep it",
        arguments: all.filter { [.one, .submitters].contains($0.traits?.width) })
    func serial(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let journal = Journal(jobs: 5_000)
            let strategy = try choice()
            for job in 0..<5_000 { strategy.submit { journal.run(job) } }
            #expect(strategy.waitUntilAllDone(within: long))
            if choice.traits?.ordering == .submission { #expect(journal.orderOfBegins == Array(0..<5_000)) }
            #expect(journal.peakRunning == 1)
            _ = strategy.shutDown(within: long)
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

    @Test("jobs of a strategy that is let go without being shut down run all the same", arguments: all)
    func letGo(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let ran = Gate()
            do {
                let strategy = try choice()
                for _ in 0..<200 { strategy.submit { ran.open() } }
            }
            for _ in 0..<200 { ran.pass() }
        }
    }
}
