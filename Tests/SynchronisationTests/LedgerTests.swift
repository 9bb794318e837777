import Clocks
import Results
import Synchronisation
import TestSupport
import Testing

@Suite("A state that threads share")
struct LedgerTests {
    @Test("the order of reads and writes has exactly the share of reads that was asked for, and comes from the seed")
    func shares() {
        for percent in [0, 5, 50, 95, 100] {
            let order = turns(readsPercent: percent, seed: 7)
            #expect(order.count { $0 } * 100 == percent * order.count)
            #expect(order == turns(readsPercent: percent, seed: 7))
        }
        #expect(turns(readsPercent: 50, seed: 7) != turns(readsPercent: 50, seed: 8))
    }

    @Test("words that do not agree are found, whichever of them is behind")
    func consistency() {
        var ledger = Ledger()
        #expect(ledger.isConsistent)
        ledger.step()
        #expect(ledger == Ledger(count: 1, doubled: 2, negated: -1))
        #expect(ledger.isConsistent)
        #expect(!Ledger(count: 2, doubled: 2, negated: -1).isConsistent)
        #expect(!Ledger(count: 1, doubled: 4, negated: -1).isConsistent)
        #expect(!Ledger(count: 1, doubled: 2, negated: -2).isConsistent)
    }

    @Test("an outcome with a torn read, with a lost write or with words that do not agree is refused")
    func outcomes() throws {
        func outcome(torn: Int = 0, writes: Int, _ final: Ledger) -> LedgerOutcome {
            LedgerOutcome(
                tally: LedgerTally(operations: 9, writes: writes, torn: torn), wall: .milliseconds(1), final: final)
        }
        let two = Ledger(count: 2, doubled: 4, negated: -2)
        try outcome(writes: 2, two).check()
        #expect(throws: WrongLedger.self) { try outcome(torn: 1, writes: 2, two).check() }
        #expect(throws: WrongLedger.self) { try outcome(writes: 3, two).check() }
        #expect(throws: WrongLedger.self) {
            try outcome(writes: 2, Ledger(count: 2, doubled: 4, negated: 0)).check()
        }
    }

    private static let kinds: [any SharedLedger.Type] = [
        MutexLedger.self, PthreadMutexLedger.self, ReadWriteLockLedger.self, SerialQueueLedger.self, BarrierLedger.self,
        SemaphoreLedger.self, SequenceLedger.self,
    ]

    @Test(
        "each lock keeps each write, and shows no reader words that do not agree, under four threads", arguments: 0..<7)
    func locks(kind: Int) async throws {
        @Sendable func drive<Kind: SharedLedger>(_: Kind.Type) throws {
            let outcome = try plan.drive(Kind(), MonotonicClock())
            try outcome.check()
            #expect(outcome.tally.operations > 0)
        }
        // The drive waits for its threads.
        try await onOwnThread { try drive(Self.kinds[kind]) }
    }

    @Test("so does the actor")
    func actors() async throws {
        // The drive waits on its thread, which must be none of the pool's.
        let outcome = try await onOwnThread { [plan] in plan.drive(ActorLedger(), MonotonicClock()) }
        try outcome.check()
        #expect(outcome.tally.operations > 0)
    }

    private var plan: LedgerPlan {
        LedgerPlan(threads: 4, turns: turns(readsPercent: 50, seed: 1), length: .milliseconds(5))
    }
}
