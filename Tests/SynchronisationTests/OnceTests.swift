import Clocks
import Synchronisation
import Synchronization
import TestSupport
import Testing

@Suite("What is initialised once", .serialized)
struct OnceTests {
    @Test("a race for the first access makes one value, and gives it to all")
    func once() async throws {
        try await onOwnThread {
            for ways in [
                way { LazyUnderMutex() }, way { DoubleChecked() }, way { PthreadOnce() }, way { LazyOnQueue() },
                way { LazyActor() }, [{ Settings.shared }],
            ] {
                let outcome = try OnceOutcome(of: ways, MonotonicClock())
                #expect(outcome.made == ways.count)
                #expect(outcome.isOnce)
            }
        }
    }

    @Test("an actor that suspends between look and store makes several, and that is seen")
    func several() async throws {
        try await onOwnThread {
            // The first goes on when a second has come in as well, however slow the machine is.
            let ways = way {
                let inside = Arrivals()
                return SuspendingActor {
                    inside.count.add(1, ordering: .relaxed)
                    while inside.count.load(ordering: .relaxed) < 2 { await Task.yield() }
                }
            }
            let outcome = try OnceOutcome(of: ways, MonotonicClock())
            #expect(outcome.made >= 2 * ways.count)
            #expect(!outcome.isOnce)
        }
    }

    private func way(_ make: () -> some OnceHolder) -> [@Sendable () -> Settings] { race(5, make) }
}

private final class Arrivals: Sendable {
    let count = Atomic<Int>(0)
}
