import Statistics
import Strategies
import TestSupport
import Testing
import Threading

struct FallingAsleepTests {
    /// The next job is submitted when the one before has just ended: its worker looks once more, says that it will sleep,
    /// and sleeps, at one of which the job comes.
    @Test(
        "a job that comes while its worker falls asleep is not forgotten",
        arguments: [
            StrategyChoice.pool(workers: 1), .pool(workers: 2), .elasticPool(upTo: 2), .stealingPool(workers: 1),
            .stealingPool(workers: 2), .residentThread, .residentThreadRunLoopSource, .residentThreadRunLoopSlices,
        ])
    func oneByOne(_ choice: StrategyChoice) async throws {
        try await onOwnThread {
            var random = SplitMix64(seed: 7)
            let strategy = try choice()
            let ran = Monitor(0)
            for round in 1...10_000 {
                for _ in 0..<random.next() % 32 { _ = ran.withLock { $0 } }
                strategy.submit {
                    ran.withLock { $0 = round }
                    ran.wakeAll()
                }
                // Looking on finds the end of a job sooner than being woken, which comes when the worker sleeps already.
                for _ in 0..<5_000 where ran.withLock({ $0 }) != round {}
                guard ran.wait(within: long, until: { $0 == round }) else {
                    Issue.record("job \(round) never ran")
                    return
                }
            }
            #expect(strategy.shutDown(within: long))
        }
    }
}
