import Apparatus
import Dispatch
import Glibc
import Synchronization
import TaskMeter

let initialiser = Axis(
    "by", "static-let", "lazy-under-mutex", "double-checked", "pthread-once", "serial-queue", "actor")

/// Once is long ago: what stays is the check at each access.
let onceAccess = Benchmark(
    "once-access", "Reads a value that is initialised at the first access, long after that.", axes: [initialiser],
    sampling: .batches(duration: .milliseconds(20))
) { parameters in
    switch parameters[initialiser] {
    case "static-let":
        return Iteration { blackHole(Settings.shared.limit) }
    case "lazy-under-mutex":
        let holder = LazyUnderMutex()
        return Iteration { blackHole(holder.value().limit) }
    case "double-checked":
        let holder = DoubleChecked()
        return Iteration { blackHole(holder.value().limit) }
    case "pthread-once":
        let holder = PthreadOnce()
        return Iteration { blackHole(holder.value().limit) }
    case "serial-queue":
        let holder = LazyOnQueue()
        return Iteration { blackHole(holder.value().limit) }
    default:
        let holder = LazyActor()
        return Iteration { blackHole(await holder.current().limit) }
    }
}
.answering(
    Experiment(
        "What does it cost to read what was initialised once?", comparing: initialiser, by: .iterationTime)
)
.trials(atMost: 7)

/// With one more, which shows what an actor does not promise.
let racer = Axis("by", initialiser.values + ["actor-that-suspends"])

let initialisations = Metric("initialisations", .count, "number of initialisations by a race for the first access")
let firstAccess = Metric("first_access_time", .nanoseconds, "wall time of a race for the first access")

/// Four threads at once at a value that takes 20 µs to make. Whoever looks whether it is there, and makes it without having looked
/// again under the lock, makes it several times.
let onceRace = Benchmark(
    "once-race", "Has four threads ask at the same moment for a value that nobody has asked for yet.",
    axes: [racer], observing: [initialisations, firstAccess]
) { parameters in
    let rounds = parameters.isQuick ? 5 : 20
    return Observing { observer in
        let kind = parameters[racer]
        let ways: [@Sendable () -> Settings] =
            switch kind {
            // A process has one first access to a static let: one race in each trial.
            case "static-let": [{ Settings.shared }]
            case "lazy-under-mutex": race(rounds) { LazyUnderMutex() }
            case "double-checked": race(rounds) { DoubleChecked() }
            case "pthread-once": race(rounds) { PthreadOnce() }
            case "serial-queue": race(rounds) { LazyOnQueue() }
            case "actor": race(rounds) { LazyActor() }
            default: race(rounds) { SuspendingActor() }
            }
        let outcome = try OnceOutcome(of: ways, observer.clock)
        guard outcome.isOnce || kind == "actor-that-suspends" else {
            throw NotOnce(description: "\(outcome.made) values were made in \(ways.count) races")
        }
        observer.tell(initialisations, Double(outcome.made) / Double(ways.count))
        observer.tell(firstAccess, Double(outcome.wall.count) / Double(ways.count))
    }
}
.answering(
    Experiment("Does a race for the first access initialise once?", comparing: racer, by: initialisations)
)
.trials(atMost: 7)

/// A holder for each round.
package func race(_ rounds: Int, _ make: () -> some OnceHolder) -> [@Sendable () -> Settings] {
    (0..<rounds).map { _ in
        let holder = make()
        return { holder.value() }
    }
}

package struct OnceOutcome {
    package var made: Int
    package var wall: Nanoseconds
    /// Whether as many values were made as there were races, and all threads of a race were given the same.
    package var isOnce: Bool

    /// A race for each of the ways to a value.
    package init(of ways: [@Sendable () -> Settings], _ clock: MonotonicClock) throws {
        let threads = 4
        let given = Mutex([[Settings]](repeating: [], count: ways.count))
        let before = Settings.made.load(ordering: .relaxed)
        wall = try Apparatus.race(threads, rounds: ways.count, clock: clock) { _, round in
            let value = ways[round]()
            given.withLock { $0[round].append(value) }
        }
        made = Settings.made.load(ordering: .relaxed) - before
        isOnce =
            made == ways.count
            && given.withLock {
                $0.allSatisfy { values in
                    values.count == threads && values.allSatisfy { $0 === values[0] }
                }
            }
    }
}

private struct NotOnce: Error, CustomStringConvertible {
    var description: String
}
