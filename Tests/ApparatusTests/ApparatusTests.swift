import Apparatus
import Clocks
import Synchronization
import TestSupport
import Testing

@Suite("Threads that begin together")
struct ApparatusTests {
    @Test("each thread runs each round once, and no round begins before all have ended the one before")
    func rounds() async throws {
        let (threads, rounds) = (5, 20)
        let log = Mutex<[(thread: Int, round: Int)]>([])
        let time = try await onOwnThread {
            try race(threads, rounds: rounds, clock: MonotonicClock()) { thread, round in
                log.withLock { $0.append((thread, round)) }
            }
        }
        let entries = log.withLock { $0 }
        #expect(entries.map(\.round) == (0..<rounds).flatMap { Array(repeating: $0, count: threads) })
        for round in 0..<rounds {
            #expect(Set(entries.filter { $0.round == round }.map(\.thread)) == Set(0..<threads))
        }
        #expect(time.count > 0)
    }

    @Test("one thread in one round is no race, and returns")
    func alone() async throws {
        let calls = Mutex(0)
        try await onOwnThread { _ = try race(1, clock: MonotonicClock()) { _, _ in calls.withLock { $0 += 1 } } }
        #expect(calls.withLock { $0 } == 1)
    }

    @Test("spinning computes the same from the same seed, and something else with a step more")
    func spinning() {
        #expect(Spinning(steps: 10).run(3) == Spinning(steps: 10).run(3))
        #expect(Spinning(steps: 10).run(3) != Spinning(steps: 11).run(3))
        // A step from 1: (1 ^ 0) · constant + 1.
        #expect(Spinning(steps: 1).run() == 0xbf58_476d_1ce4_e5ba)
    }

    @Test("a longer time takes more steps, and no time takes one")
    func lengths() {
        let clock = MonotonicClock()
        #expect(Spinning(lasting: .zero, clock: clock).steps == 1)
        #expect(
            Spinning(lasting: .milliseconds(10), clock: clock).steps
                > Spinning(lasting: .microseconds(10), clock: clock).steps)
    }
}
