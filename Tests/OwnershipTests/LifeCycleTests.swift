import Clocks
import TestSupport
import Testing

@testable import Ownership

@Suite("The states of an operation's life")
struct LifeCycleTests {
    @Test("of 25 ways each machine allows the six that are specified, and no other")
    func ways() async throws {
        try await onOwnThread {
            #expect(LifeSpecification.allowed.count == 6)
            #expect(LifeSpecification.wrongWays(of: SwitchedLife.self).isEmpty)
            #expect(LifeSpecification.wrongWays(of: TabledLife.self).isEmpty)
            #expect(LifeSpecification.wrongWays(of: ExchangedLife.self).isEmpty)
            #expect(LifeSpecification.wrongWays(of: ActorLife.self).isEmpty)
            // Alone it does nothing wrong.
            #expect(LifeSpecification.wrongWays(of: UnguardedLife.self).isEmpty)
        }
    }

    @Test("a machine that lets a finished operation be cancelled is found")
    func wrongWay() {
        let wrong = LifeSpecification.wrongWays(of: ForgetfulLife.self)
        #expect(wrong == [LifeSpecification.Way(from: .finished, to: .cancelled)])
    }

    @Test("the table says of each way what the switch says")
    func tableAndSwitch() {
        for from in LifeState.allCases {
            for to in LifeState.allCases {
                #expect(LifeTable.leads(from, to: to) == SwitchedLife.leads(from, to: to), "\(from) to \(to)")
            }
        }
    }

    @Test("when four threads end an operation at once, one wins")
    func oneWinner() async throws {
        try await onOwnThread {
            let clock = MonotonicClock()
            #expect(try LifeRace(100, of: SwitchedLife.self, clock).withoutOneWinner == 0)
            #expect(try LifeRace(100, of: TabledLife.self, clock).withoutOneWinner == 0)
            #expect(try LifeRace(100, of: ExchangedLife.self, clock).withoutOneWinner == 0)
            #expect(try LifeRace(100, of: ActorLife.self, clock).withoutOneWinner == 0)
        }
    }

    @Test("a race in which everybody wins is counted")
    func everybodyWins() throws {
        #expect(try LifeRace(10, of: GenerousLife.self, MonotonicClock()).withoutOneWinner == 10)
    }
}

/// Takes finished for a state like any other.
private final class ForgetfulLife: LifeCycle {
    private let life = SwitchedLife()
    private let cancelled = SwitchedLife()

    var state: LifeState { cancelled.state == .cancelled ? .cancelled : life.state }

    func advance(to next: LifeState) -> Bool {
        if life.state == .finished, next == .cancelled { return cancelled.advance(to: next) }
        return cancelled.state == .cancelled ? false : life.advance(to: next)
    }
}

/// Refuses nothing.
private final class GenerousLife: LifeCycle {
    var state: LifeState { .running }
    func advance(to next: LifeState) -> Bool { true }
}
