import Clocks
import Ownership
import TestSupport
import Testing

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
            try expectOneWinner(SwitchedLife.self)
            try expectOneWinner(TabledLife.self)
            try expectOneWinner(ExchangedLife.self)
            try expectOneWinner(ActorLife.self)
        }
    }

    private func expectOneWinner<Life: LifeCycle>(_: Life.Type) throws {
        let race = try LifeRace(100, of: Life.self, MonotonicClock())
        #expect(race.withoutOneWinner == 0, "\(Life.self)")
    }

    @Test("a race in which everybody wins is counted")
    func everybodyWins() async throws {
        try await onOwnThread {
            let race = try LifeRace(10, of: GenerousLife.self, MonotonicClock())
            #expect(race.withoutOneWinner == 10)
        }
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
