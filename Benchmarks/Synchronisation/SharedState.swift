import Apparatus
import Dispatch
import Statistics
import Synchronization
import TaskMeter

let lock = Axis(
    "lock", "mutex", "pthread-mutex", "pthread-rwlock", "serial-queue", "concurrent-queue-barrier", "semaphore",
    "actor",
    "sequence-lock")
let reads = Axis("reads-percent", 50, 95)
let contenders = Axis("threads", [1, 2, 4], full: [16])

let operationTime = Metric("operation_time", .nanoseconds, "wall time per operation of all threads together")
let longestTurn = Metric("longest_turn", .nanoseconds, "longest time that a thread took for 16 operations")

/// Threads read and write a shared ledger for a fixed time; a number of operations that is the same for all would have the fast
/// ones end before the others have even come together, and those that end late work alone at last.
let sharedState = Benchmark(
    "shared-state",
    """
    Reads and changes three words that must agree, from several threads that do nothing else, for a fixed time; \
    the actor's callers are tasks on Swift's pool, not threads.
    """,
    axes: [lock, reads, contenders], observing: [operationTime, longestTurn]
) { parameters in
    let plan = LedgerPlan(
        threads: parameters[contenders], turns: turns(readsPercent: parameters[reads], seed: parameters.seed),
        length: .milliseconds(parameters.isQuick ? 3 : 15))
    let drive: @Sendable (LedgerPlan, MonotonicClock) throws -> LedgerOutcome =
        switch parameters[lock] {
        case "mutex": { try $0.drive(MutexLedger(), $1) }
        case "pthread-mutex": { try $0.drive(PthreadMutexLedger(), $1) }
        case "pthread-rwlock": { try $0.drive(ReadWriteLockLedger(), $1) }
        case "serial-queue": { try $0.drive(SerialQueueLedger(), $1) }
        case "concurrent-queue-barrier": { try $0.drive(BarrierLedger(), $1) }
        case "semaphore": { try $0.drive(SemaphoreLedger(), $1) }
        case "actor": { $0.drive(ActorLedger(), $1) }
        default: { try $0.drive(SequenceLedger(), $1) }
        }
    return Observing { observer in
        // Threads of pools are started, and pages touched, before it counts.
        _ = try drive(plan.warmUp, observer.clock)
        let outcome = try drive(plan, observer.clock)
        try outcome.check()
        observer.tell(operationTime, Double(outcome.wall.count) / Double(outcome.tally.operations))
        observer.tell(longestTurn, outcome.tally.longest)
    }
}
.answering(
    Experiment(
        "Which lock is cheapest for a few words, as threads and readers come and go?", comparing: lock,
        along: contenders, by: operationTime)
)
.trials(atMost: 7)

/// The order of reads (true) and writes in which each thread goes round, from a place of its own: drawn before, because drawing
/// takes as long as the fastest lock.
package func turns(readsPercent: Int, seed: UInt64) -> [Bool] {
    var generator = SplitMix64(seed: seed)
    return generator.shuffled((0..<400).map { $0 < readsPercent * 4 })
}

package struct LedgerTally {
    package var operations = 0
    package var writes = 0
    /// Reads whose words did not agree.
    package var torn = 0
    package var longest = Nanoseconds.zero

    package init(operations: Int = 0, writes: Int = 0, torn: Int = 0) {
        self.operations = operations
        self.writes = writes
        self.torn = torn
    }

    static func += (left: inout LedgerTally, right: LedgerTally) {
        left.operations += right.operations
        left.writes += right.writes
        left.torn += right.torn
        left.longest = max(left.longest, right.longest)
    }
}

package struct LedgerOutcome {
    package var tally: LedgerTally
    package var wall: Nanoseconds
    package var final: Ledger

    package init(tally: LedgerTally, wall: Nanoseconds, final: Ledger) {
        self.tally = tally
        self.wall = wall
        self.final = final
    }

    package func check() throws(WrongLedger) {
        guard tally.torn == 0 else { throw WrongLedger("\(tally.torn) reads saw words that do not agree") }
        guard final.isConsistent, final.count == tally.writes else {
            throw WrongLedger("\(tally.writes) writes left \(final)")
        }
    }
}

/// A lock that does not protect.
package struct WrongLedger: Error, CustomStringConvertible {
    package var description: String
    init(_ description: String) { self.description = description }
}

package struct LedgerPlan: Sendable {
    package var threads: Int
    package var turns: [Bool]
    package var length: Nanoseconds

    package init(threads: Int, turns: [Bool], length: Nanoseconds) {
        self.threads = threads
        self.turns = turns
        self.length = length
    }

    var warmUp: LedgerPlan {
        var plan = self
        plan.length = Nanoseconds(length.count / 8)
        return plan
    }

    /// The clock is read once in so many operations: at each it would cost more than the lock.
    private static let operationsPerTurn = 16

    private func place(of thread: Int) -> Int { thread * 97 % turns.count }

    // hot path: what is beside the lock, 3 to 6 ns of an operation, is the same for all of them
    package func drive(_ ledger: some SharedLedger, _ clock: MonotonicClock) throws -> LedgerOutcome {
        let sum = Mutex(LedgerTally())
        let wall = try race(threads, clock: clock) { thread, _ in
            var tally = LedgerTally()
            var place = place(of: thread)
            var last = clock.now()
            let end = last + length
            while last < end {
                for _ in 0..<Self.operationsPerTurn {
                    if turns[place] {
                        if !ledger.read().isConsistent { tally.torn += 1 }
                    } else {
                        ledger.write()
                        tally.writes += 1
                    }
                    place = place + 1 == turns.count ? 0 : place + 1
                }
                tally.operations += Self.operationsPerTurn
                let now = clock.now()
                tally.longest = max(tally.longest, now - last)
                last = now
            }
            sum.withLock { [tally] in $0 += tally }
        }
        return LedgerOutcome(tally: sum.withLock { $0 }, wall: wall, final: ledger.read())
    }

    /// The same with tasks in place of threads. They share the threads of Swift's pool, one for each processor: four tasks are not
    /// four threads, and that is what an actor's users get.
    package func drive(_ ledger: ActorLedger, _ clock: MonotonicClock) -> LedgerOutcome {
        let sum = Mutex(LedgerTally())
        let final = Mutex(Ledger())
        let ended = DispatchSemaphore(value: 0)
        let begin = clock.now()
        let work = self
        Task.detached {
            await withTaskGroup(of: LedgerTally.self) { group in
                for task in 0..<work.threads { group.addTask { await work.turns(of: task, ledger, clock) } }
                for await tally in group { sum.withLock { $0 += tally } }
            }
            let last = await ledger.read()
            final.withLock { $0 = last }
            ended.signal()
        }
        ended.wait()
        return LedgerOutcome(tally: sum.withLock { $0 }, wall: clock.now() - begin, final: final.withLock { $0 })
    }

    private func turns(of task: Int, _ ledger: ActorLedger, _ clock: MonotonicClock) async -> LedgerTally {
        var tally = LedgerTally()
        var place = place(of: task)
        var last = clock.now()
        let end = last + length
        while last < end {
            for _ in 0..<Self.operationsPerTurn {
                if turns[place] {
                    if await !ledger.read().isConsistent { tally.torn += 1 }
                } else {
                    await ledger.write()
                    tally.writes += 1
                }
                // The trap: between two calls of one actor with nothing that must be outside of it, the compiler leaves the way
                // out and in again away, and a loop of calls costs a third. Between a program's calls there is something.
                blackHole(place)
                place = place + 1 == turns.count ? 0 : place + 1
            }
            tally.operations += Self.operationsPerTurn
            let now = clock.now()
            tally.longest = max(tally.longest, now - last)
            last = now
        }
        return tally
    }
}
