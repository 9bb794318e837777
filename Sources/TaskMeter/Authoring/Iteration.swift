import Recording
import Results

/// What a trial of a sampled benchmark executes: a body, very many times, timed in batches.
///
/// ```swift
/// Iteration { blackHole(table[identity(7)]) }
/// Iteration { try await server.ping() }
/// Iteration(on: .mainActor) { model.refresh() }
/// Iteration(setUp: { shuffled() }) { numbers in numbers.sort() }
/// Iteration { (window: inout MeasuredWindow) in … window.start(); …; window.stop() … }
/// ```
/// All iterations of a trial run one after the other in one place; a body that throws ends the trial as failed, and what
/// was measured before is kept.
public struct Iteration: Sendable {
    let batches: Batches
    let place: AnyPlace
    /// The most iterations that a batch may have.
    package let mostIterations: Int
    private(set) var tearDown: @Sendable () -> Void = {}
    /// Whether the body measures windows of its own.
    let measuresWindows: Bool

    // The public initialisers are emitted into the suite, because there is where the empty body must lie: a processor that
    // predicts a call into other code half a megabyte away takes some cycles more (three were measured on a Zen core), and
    // they would be the suite's body's alone.

    init(_ batches: Batches, at place: AnyPlace, mostIterations: Int = 1 << 40, measuresWindows: Bool = false) {
        self.batches = batches
        self.measuresWindows = measuresWindows
        self.place = place
        self.mostIterations = mostIterations
    }

    /// An iteration that begins when the body is called and ends when it returns.
    ///
    /// - Parameters:
    ///   - place: where it runs; on a thread of its own when nothing else is said.
    ///   - body: one iteration. What it throws is the reason for which the trial failed.
    @_alwaysEmitIntoClient
    public init(on place: Place = .thread, _ body: @escaping @Sendable () throws -> Void) {
        self.init(on: place, body, empty: {})
    }

    /// An iteration that may suspend.
    ///
    /// - Parameters:
    ///   - place: where it runs; on the pool of Swift's concurrency when nothing else is said.
    ///   - body: one iteration. What it throws is the reason for which the trial failed.
    @_alwaysEmitIntoClient
    public init(on place: Place = .concurrentPool, _ body: @escaping @Sendable () async throws -> Void) {
        self.init(on: place, body, empty: { () async in })
    }

    /// An iteration on the main actor. Whole batches run there: an iteration pays for no way to it.
    @_alwaysEmitIntoClient
    public init(on place: MainActorPlace, _ body: @escaping @MainActor @Sendable () throws -> Void) {
        self.init(on: place, body, empty: {})
    }

    /// An iteration on the main actor that may suspend.
    @_alwaysEmitIntoClient
    public init(on place: MainActorPlace, _ body: @escaping @MainActor @Sendable () async throws -> Void) {
        self.init(on: place, body, empty: { @MainActor () async in })
    }

    @usableFromInline
    init(
        on place: Place, _ body: @escaping @Sendable () throws -> Void, empty: @escaping @Sendable () throws -> Void
    ) {
        self.init(.plain(body, empty: empty), at: .any(place))
    }

    @usableFromInline
    init(
        on place: Place, _ body: @escaping @Sendable () async throws -> Void,
        empty: @escaping @Sendable () async throws -> Void
    ) {
        self.init(.plain(body, empty: empty), at: .any(place))
    }

    @usableFromInline
    init(
        on place: MainActorPlace, _ body: @escaping @MainActor @Sendable () throws -> Void,
        empty: @escaping @MainActor @Sendable () throws -> Void
    ) {
        self.init(
            .plain(MainActorBody.withoutIsolation(body), empty: MainActorBody.withoutIsolation(empty)), at: .mainActor)
    }

    @usableFromInline
    init(
        on place: MainActorPlace, _ body: @escaping @MainActor @Sendable () async throws -> Void,
        empty: @escaping @MainActor @Sendable () async throws -> Void
    ) {
        self.init(.plain(body, empty: empty), at: .mainActor)
    }

    /// Whether an iteration may go on on another thread than it began on.
    var maySuspend: Bool { if case .asynchronous = batches { true } else { false } }

    /// The same iteration, and what ends the preparation of its trial: a server to stop, a file to close.
    ///
    /// - Parameter tearDown: called once, on the main actor, after the last iteration has ended, also when one threw; its
    ///   time is not measured.
    public func afterTrial(_ tearDown: @escaping @Sendable () -> Void) -> Iteration {
        var iteration = self
        iteration.tearDown = tearDown
        return iteration
    }
}
