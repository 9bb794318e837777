import Apparatus
import Synchronization
import TaskMeter

let machine = Axis("by", "switch-under-mutex", "table-under-mutex", "actor", "compare-exchange")

/// A whole life, with the object that lives it.
let lifeCycle = Benchmark(
    "life-cycle", "Makes an operation and takes it from idle over pending and running to finished.", axes: [machine],
    sampling: .batches(duration: .milliseconds(20))
) { parameters in
    switch parameters[machine] {
    case "switch-under-mutex": life(SwitchedLife.self)
    case "table-under-mutex": life(TabledLife.self)
    case "compare-exchange": life(ExchangedLife.self)
    default:
        Iteration {
            // Calls of one actor after the other, with nothing between them: the compiler may stay on the actor.
            let life = ActorLife()
            for next in [LifeState.pending, .running, .finished] {
                guard await life.advanced(to: next) else { throw WrongResult("no way to \(next)") }
            }
        }
    }
}
.answering(
    Experiment("What does the state of an operation cost over its life?", comparing: machine, by: .iterationTime)
)
.trials(atMost: 7)

private func life<Life: LifeCycle>(_: Life.Type) -> Iteration {
    Iteration {
        let life = Life()
        guard life.advance(to: .pending), life.advance(to: .running), life.advance(to: .finished) else {
            throw WrongResult("an operation did not come to its end")
        }
        blackHole(life.state)
    }
}

/// With one more, which shows why look and change belong together.
let racing = Axis("by", machine.values + ["look-then-store"])

let racesWithoutWinner = Metric("races_without_winner", .count, "number of 100 races without exactly one winner")
let wrongWays = Metric("wrong_ways", .count, "number of 25 ways that are not as specified")

/// An operation that is finished and cancelled at the same moment: one of the two must be refused.
let lifeRace = Benchmark(
    "life-race",
    """
    Tries all 25 ways between five states, then 100 times finishes and cancels an operation from four threads at once; \
    look-then-store gives the processor away between look and store; a winner whose state did not stay counts as none.
    """,
    axes: [racing], observing: [racesWithoutWinner, wrongWays]
) { parameters in
    let kind = parameters[racing]
    let rounds = parameters.isQuick ? 25 : 100
    return Observing { observer in
        let (wrong, double) =
            switch kind {
            case "switch-under-mutex": try trial(SwitchedLife.self, rounds, observer.clock)
            case "table-under-mutex": try trial(TabledLife.self, rounds, observer.clock)
            case "actor": try trial(ActorLife.self, rounds, observer.clock)
            case "compare-exchange": try trial(ExchangedLife.self, rounds, observer.clock)
            default: try trial(UnguardedLife.self, rounds, observer.clock)
            }
        guard wrong == 0 else { throw WrongResult("\(wrong) of 25 ways are not as specified") }
        guard double == 0 || kind == "look-then-store" else {
            throw WrongResult("\(double) of \(rounds) races had not exactly one winner")
        }
        observer.tell(wrongWays, wrong)
        observer.tell(racesWithoutWinner, Double(double * 100) / Double(rounds))
    }
}
.answering(
    Experiment(
        "Is an operation that is finished and cancelled at once only one of both?", comparing: racing,
        by: racesWithoutWinner)
)
.trials(atMost: 7)

private func trial<Life: LifeCycle>(
    _: Life.Type, _ rounds: Int, _ clock: MonotonicClock
) throws -> (wrongWays: Int, racesWithoutWinner: Int) {
    (LifeSpecification.wrongWays(of: Life.self).count, try LifeRace(rounds, of: Life.self, clock).withoutOneWinner)
}

/// What is allowed, said once more and in another way than the machines say it.
package enum LifeSpecification {
    package struct Way: Hashable {
        package var from: LifeState
        package var to: LifeState

        package init(from: LifeState, to: LifeState) {
            self.from = from
            self.to = to
        }
    }

    package static let allowed: Set<Way> = [
        Way(from: .idle, to: .pending), Way(from: .pending, to: .running), Way(from: .running, to: .finished),
        Way(from: .idle, to: .cancelled), Way(from: .pending, to: .cancelled), Way(from: .running, to: .cancelled),
    ]

    /// How a new operation comes to a state.
    static func path(to state: LifeState) -> [LifeState] {
        switch state {
        case .idle: []
        case .pending: [.pending]
        case .running: [.pending, .running]
        case .finished: [.pending, .running, .finished]
        case .cancelled: [.pending, .cancelled]
        }
    }

    /// The ways that a machine allows and should not, or should and does not, or after which it is in another state than it says.
    package static func wrongWays<Life: LifeCycle>(of _: Life.Type) -> [Way] {
        LifeState.allCases.flatMap { from in LifeState.allCases.map { Way(from: from, to: $0) } }.filter { way in
            let life = Life()
            guard path(to: way.from).allSatisfy({ life.advance(to: $0) }), life.state == way.from else { return true }
            let isAllowed = allowed.contains(way)
            return life.advance(to: way.to) != isAllowed || life.state != (isAllowed ? way.to : way.from)
        }
    }
}

/// Running operations that two threads want to finish and two to cancel, all at the same moment.
package struct LifeRace {
    /// Races that had no winner, or several, or whose operation is not in the state that the winner brought it to.
    package let withoutOneWinner: Int

    package init<Life: LifeCycle>(_ rounds: Int, of _: Life.Type, _ clock: MonotonicClock) throws {
        let lives = (0..<rounds).map { _ in
            let life = Life()
            return life.advance(to: .pending) && life.advance(to: .running) ? life : Life()
        }
        let wins = Mutex([[LifeState]](repeating: [], count: rounds))
        try race(4, rounds: rounds, clock: clock) { thread, round in
            let next: LifeState = thread % 2 == 0 ? .finished : .cancelled
            if lives[round].advance(to: next) { wins.withLock { $0[round].append(next) } }
        }
        withoutOneWinner = wins.withLock { wins in
            zip(wins, lives).count { winners, life in winners.count != 1 || life.state != winners[0] }
        }
    }
}

extension ActorLife: LifeCycle {
    package nonisolated func advance(to next: LifeState) -> Bool { waiting { await self.advanced(to: next) } }
    package nonisolated var state: LifeState { waiting { await self.current } }
}
