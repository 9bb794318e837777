import Glibc
import Results
import Strategies
import TestSupport
import Testing
import Threading

@Suite(.serialized) struct OwnThreadsTests {
    @Test("threads of a strategy's own end when it is shut down", arguments: all.filter { $0.ownThreads != nil })
    func shutDown(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            try watchThreads(of: choice) { #expect($0.shutDown(within: long)) }
        }
    }

    @Test(
        "threads of a strategy's own end when it is let go without being shut down",
        arguments: all.filter { $0.ownThreads != nil })
    func letGo(_ choice: StrategyChoice) async throws {
        try await onOwnThread { try watchThreads(of: choice) { _ in } }
    }

    @Test("a thread of an elastic pool leaves when it has been idle for long, and one comes again when it is needed")
    func keepAlive() async throws {
        try await onOwnThread {
            let ended = Gate()
            let local = ThreadEnd { ended.open() }
            let strategy = try Pool(kept: 1, upTo: 3, keepAlive: .milliseconds(1), threadName: "tm-elastic")
            for _ in 1...3 {
                let inside = Gate()
                let hold = Gate()
                for _ in 0..<3 {
                    strategy.submit {
                        local.watch()
                        inside.open()
                        hold.pass()
                    }
                }
                for _ in 0..<3 { inside.pass() }
                hold.open(times: 3)
                // One stays.
                for _ in 0..<2 { ended.pass() }
            }
            #expect(strategy.shutDown(within: long))
            ended.pass()
        }
    }

    @Test("a pool that is refused a thread says which, and ends those that it has", arguments: [false, true])
    func refused(_ steals: Bool) async throws {
        try await onOwnThread {
            let ended = Gate()
            let asked = Tally()
            let starter: ThreadStarter = { name, body in
                asked.add()
                guard asked.count <= 2 else { return EAGAIN }
                return systemThread(name) {
                    body()
                    ended.open()
                }
            }
            let error = #expect(throws: StrategyError.self) {
                if steals {
                    _ = try StealingPool(workers: 4, startingThreadsWith: starter)
                } else {
                    _ = try Pool(kept: 4, upTo: 4, threadName: "tm-pool", startingThreadsWith: starter)
                }
            }
            #expect(error?.description.hasPrefix("the system refused thread 3 of 4 (") == true)
            for _ in 0..<2 { ended.pass() }
        }
    }

    @Test("an elastic pool that is refused further threads runs its jobs on those that it has")
    func elasticRefused() async throws {
        try await onOwnThread {
            let asked = Tally()
            let strategy = try Pool(
                kept: 1, upTo: 4, threadName: "tm-elastic",
                startingThreadsWith: { name, body in
                    asked.add()
                    return asked.count == 1 ? systemThread(name, body) : EAGAIN
                })
            let journal = Journal(jobs: 2_000)
            strategy.submit(2_000, from: 2) { journal.run($0) }
            #expect(strategy.waitUntilAllDone(within: long))
            #expect(journal.timesOfEach == [1])
            #expect(journal.peakRunning == 1)
            #expect(asked.count > 1)
            #expect(strategy.shutDown(within: long))
        }
    }
}

/// Has as many jobs block at once as a strategy has threads, ends it, and waits for the end of every thread.
private func watchThreads(of choice: StrategyChoice, _ end: (any Strategy) -> Void) throws {
    // A thread-local value is released when its thread ends: that opens the gate.
    let ended = Gate()
    let local = ThreadEnd { ended.open() }
    let count = choice.ownThreads ?? 1
    do {
        let strategy = try choice()
        let inside = Gate()
        let hold = Gate()
        for _ in 0..<count {
            strategy.submit {
                local.watch()
                inside.open()
                hold.pass()
            }
        }
        for _ in 0..<count { inside.pass() }
        hold.open(times: count)
        end(strategy)
    }
    for _ in 0..<count { ended.pass() }
}
