import Results
import Strategies
import Synchronization
import TestSupport
import Testing
import Threading

/// One at a time: jobs that block a pool would hold up those of another test.
@Suite(.serialized) struct BlockedJobTests {
    /// As many jobs as fit block, of which each has come in; then others wait, and begin once one is let go.
    @Test(
        "a strategy is as wide as it says, and never wider: jobs beyond wait while those that run block",
        arguments: all.filter { $0.certainWidth != nil && $0 != .taskGroup } + [
            .pool(workers: 1), .elasticPool(upTo: 1), .stealingPool(workers: 1), .taskExecutor(workers: 1),
            .concurrentQueue(width: 1), .concurrentQueue(width: 2), .operationQueue(width: 2), .limitedQueue(places: 2),
            .targetQueues(2),
        ])
    func width(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let width = choice.certainWidth ?? Int(choice.name.split(separator: "-").last!)!
            let journal = Journal(jobs: 2_000)
            let inside = Gate()
            let hold = Gate()
            let strategy = try choice()
            // Submitted by another thread, for a limited queue lets it wait.
            let submitted = Gate()
            TestSupport.startThread {
                for job in 0..<2_000 {
                    strategy.submit {
                        // Whichever are the first; one that keeps no order may begin with any.
                        journal.run(job) {
                            guard journal.begun <= width else { return }
                            inside.open()
                            hold.pass()
                        }
                    }
                }
                submitted.open()
            }
            for _ in 0..<width { inside.pass() }
            #expect(!strategy.waitUntilAllDone(within: .milliseconds(2)))
            #expect(journal.begun == width)
            hold.open(times: width)
            submitted.pass()
            #expect(strategy.waitUntilAllDone(within: long))
            #expect(journal.peakRunning == width)
            #expect(journal.timesOfEach == [1])
            #expect(strategy.shutDown(within: long))
        }
    }

    @Test(
        "with all threads blocked but one, jobs begin in order of submission where that is promised",
        arguments: all.filter { $0.certainWidth == 4 && $0.traits?.ordering == .submission })
    func orderOfWide(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            let inside = Gate()
            let hold = Gate()
            let journal = Journal(jobs: 1_000)
            let strategy = try choice()
            for _ in 0..<3 {
                strategy.submit {
                    inside.open()
                    hold.pass()
                }
            }
            for _ in 0..<3 { inside.pass() }
            let done = Gate()
            for job in 0..<1_000 {
                strategy.submit {
                    journal.run(job)
                    done.open()
                }
            }
            for _ in 0..<1_000 { done.pass() }
            #expect(journal.orderOfBegins == Array(0..<1_000))
            hold.open(times: 3)
            #expect(strategy.shutDown(within: long))
        }
    }

    @Test(
        "a stealing pool's jobs begin, whichever thread they were given to, while all threads but one are blocked")
    func stolen() async throws {
        try await onOwnThread {
            let inside = Gate()
            let hold = Gate()
            let done = Gate()
            let strategy = try StrategyChoice.stealingPool(workers: 4)()
            // They submit before they block: those jobs lie in the queues of threads that are blocked.
            for _ in 0..<3 {
                strategy.submit {
                    for _ in 0..<100 { strategy.submit { done.open() } }
                    inside.open()
                    hold.pass()
                }
            }
            for _ in 0..<3 { inside.pass() }
            for _ in 0..<300 { done.pass() }
            hold.open(times: 3)
            #expect(strategy.shutDown(within: long))
        }
    }

    @Test("a strategy that is unbounded runs all its jobs at once, though each of them blocks")
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

    @Test("what is submitted during a round of concurrentPerform waits for the next one")
    func rounds() async throws {
        try await onOwnThread {
            let inside = Gate()
            let hold = Gate()
            let journal = Journal(jobs: 10)
            let strategy = try StrategyChoice.concurrentPerform()
            strategy.submit {
                inside.open()
                hold.pass()
            }
            inside.pass()
            for job in 0..<10 { strategy.submit { journal.run(job) } }
            #expect(!strategy.waitUntilAllDone(within: .milliseconds(2)))
            #expect(journal.orderOfBegins.isEmpty)
            hold.open()
            #expect(strategy.shutDown(within: long))
            #expect(journal.timesOfEach == [1])
        }
    }

    @Test("a limited queue takes no more jobs than it has places and let go of", arguments: [1, 2])
    func limited(_ places: Int) async throws {
        try await onOwnThread {
            let inside = Gate()
            let hold = Gate()
            let submitted = Gate()
            let accepted = Monitor(0)
            let ended = Atomic<Int>(0)
            let most = Atomic<Int>(0)
            let strategy = try StrategyChoice.limitedQueue(places: places)()
            TestSupport.startThread {
                for number in 1...100 {
                    strategy.submit {
                        inside.open()
                        hold.pass()
                        ended.add(1, ordering: .sequentiallyConsistent)
                    }
                    // A job has ended before its place is free.
                    _ = most.max(number - ended.load(ordering: .sequentiallyConsistent), ordering: .relaxed)
                    accepted.withLock { $0 = number }
                    accepted.wakeAll()
                }
                submitted.open()
            }
            for _ in 0..<places { inside.pass() }
            #expect(!accepted.wait(within: .milliseconds(5)) { $0 > places })
            hold.open(times: 100)
            submitted.pass()
            #expect(strategy.shutDown(within: long))
            #expect(most.load(ordering: .relaxed) == places)
        }
    }

    @Test("a job of the baseline has ended when its submission returns")
    func inline() throws {
        let journal = Journal(jobs: 1)
        let strategy = try StrategyChoice.inline()
        strategy.submit { journal.run(0) }
        #expect(journal.timesOfEach == [1])
        #expect(strategy.waitUntilAllDone(within: .zero))
    }

    @Test(
        "waiting for jobs of which one blocks ends at its limit with no, and with yes once it is let go",
        arguments: elsewhere)
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
}
