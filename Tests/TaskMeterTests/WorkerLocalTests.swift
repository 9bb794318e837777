import Synchronization
import TaskMeter
import TestSupport
import Testing

private final class Counted: Sendable {
    let number: Int
    private let released: @Sendable () -> Void

    init(_ number: Int, released: @escaping @Sendable () -> Void) {
        self.number = number
        self.released = released
    }

    deinit { released() }
}

@Suite struct WorkerLocalTests {
    @Test("each worker has one value of its own, which is released when its thread ends")
    func perWorker() async throws {
        try await onOwnThread {
            let made = Atomic<Int>(0)
            let released = Gate()
            let inside = Gate()
            let hold = Gate()
            let local = WorkerLocal { Counted(made.add(1, ordering: .relaxed).newValue) { released.open() } }
            let numbers = Mutex<Set<Int>>([])
            let strategy = try StrategyChoice.pool(workers: 3)()
            // One job for each thread, all at once, so that each thread has one; then many more for the same threads.
            for _ in 0..<3 {
                strategy.submit {
                    let first = try? local()
                    let again = try? local()
                    #expect(first != nil && first === again)
                    numbers.withLock { _ = $0.insert(first?.number ?? 0) }
                    inside.open()
                    hold.pass()
                }
            }
            for _ in 0..<3 { inside.pass() }
            hold.open(times: 3)
            for _ in 0..<300 {
                strategy.submit {
                    let number = (try? local())?.number ?? 0
                    numbers.withLock { _ = $0.insert(number) }
                }
            }
            #expect(strategy.waitUntilAllDone(within: .seconds(60)))
            #expect(numbers.withLock { $0 } == [1, 2, 3])
            #expect(strategy.shutDown(within: .seconds(60)))
            for _ in 0..<3 { released.pass() }
            #expect(made.load(ordering: .relaxed) == 3)
        }
    }

    @Test("a value that could not be made is tried again")
    func failure() async throws {
        struct Failure: Error {}
        try await onOwnThread { () throws -> Void in
            let attempts = Atomic<Int>(0)
            let local = WorkerLocal {
                if attempts.add(1, ordering: .relaxed).newValue < 3 { throw Failure() }
                return 42
            }
            #expect(throws: Failure.self) { try local() }
            #expect(throws: Failure.self) { try local() }
            #expect(try local() == 42)
            #expect(try local() == 42)
            #expect(attempts.load(ordering: .relaxed) == 3)
        }
    }
}
