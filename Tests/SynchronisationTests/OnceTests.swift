import Clocks
import TestSupport
import Testing

@testable import Synchronisation

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
            let outcome = try OnceOutcome(of: way { SuspendingActor() }, MonotonicClock())
            #expect(outcome.made > 5)
            #expect(!outcome.isOnce)
        }
    }

    private func way(_ make: () -> some OnceHolder) -> [@Sendable () -> Settings] { race(5, make) }
}
