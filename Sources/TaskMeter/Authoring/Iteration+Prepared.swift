extension Iteration {
    /// The most inputs that are prepared at once, and so the most iterations that a batch with inputs has.
    static let mostInputs = 1_000

    /// An iteration on an input that is made for it alone, outside of the time that is measured.
    ///
    /// ```swift
    /// Iteration(setUp: { numbers.shuffled() }) { numbers in numbers.sort() }
    /// ```
    /// The inputs of a batch, 1,000 at most, are made before it and given up after it; none is used twice. They exist at
    /// the same time: of large ones with very short work the processor's caches may hold but some. An array that the
    /// set-up returns and keeps as well is copied when the body first changes it, inside the time: return one of its own,
    /// as `shuffled` does.
    ///
    /// - Parameters:
    ///   - place: where all of it runs; on a thread of its own when nothing else is said.
    ///   - setUp: makes an input. What it throws is the reason for which the trial failed.
    ///   - tearDown: gives an input up; called for each that was made, also when a body threw.
    ///   - body: one iteration. It may change its input in place, which nobody else holds.
    @_alwaysEmitIntoClient
    public init<Input>(
        on place: Place = .thread, setUp: @escaping @Sendable () throws -> Input,
        tearDown: @escaping @Sendable (Input) -> Void = { _ in },
        _ body: @escaping @Sendable (inout Input) throws -> Void
    ) {
        self.init(on: place, setUp: setUp, tearDown: tearDown, body, empty: { _ in })
    }

    /// The same with a body, or a preparation, that may suspend; on the pool of Swift's concurrency when nothing else is
    /// said.
    @_alwaysEmitIntoClient
    public init<Input: Sendable>(
        on place: Place = .concurrentPool, setUp: @escaping @Sendable () async throws -> Input,
        tearDown: @escaping @Sendable (Input) async -> Void = { _ in },
        _ body: @escaping @Sendable (inout Input) async throws -> Void
    ) {
        self.init(on: place, setUp: setUp, tearDown: tearDown, body, empty: { (_: inout Input) async in })
    }

    /// The same on the main actor. Whole batches run there: an iteration pays for no way to it.
    @_alwaysEmitIntoClient
    public init<Input>(
        on place: MainActorPlace, setUp: @escaping @MainActor @Sendable () throws -> Input,
        tearDown: @escaping @MainActor @Sendable (Input) -> Void = { _ in },
        _ body: @escaping @MainActor @Sendable (inout Input) throws -> Void
    ) {
        self.init(on: place, setUp: setUp, tearDown: tearDown, body, empty: { _ in })
    }

    /// The same on the main actor with a body, or a preparation, that may suspend.
    @_alwaysEmitIntoClient
    public init<Input: Sendable>(
        on place: MainActorPlace, setUp: @escaping @MainActor @Sendable () async throws -> Input,
        tearDown: @escaping @MainActor @Sendable (Input) async -> Void = { _ in },
        _ body: @escaping @MainActor @Sendable (inout Input) async throws -> Void
    ) {
        self.init(on: place, setUp: setUp, tearDown: tearDown, body, empty: { @MainActor (_: inout Input) async in })
    }

    @usableFromInline
    init<Input>(
        on place: Place, setUp: @escaping @Sendable () throws -> Input, tearDown: @escaping @Sendable (Input) -> Void,
        _ body: @escaping @Sendable (inout Input) throws -> Void,
        empty: @escaping @Sendable (inout Input) throws -> Void
    ) {
        self.init(
            .prepared(setUp: setUp, tearDown: tearDown, body, empty: empty), at: .any(place),
            mostIterations: Self.mostInputs)
    }

    @usableFromInline
    init<Input: Sendable>(
        on place: Place, setUp: @escaping @Sendable () async throws -> Input,
        tearDown: @escaping @Sendable (Input) async -> Void,
        _ body: @escaping @Sendable (inout Input) async throws -> Void,
        empty: @escaping @Sendable (inout Input) async throws -> Void
    ) {
        self.init(
            .prepared(setUp: setUp, tearDown: tearDown, body, empty: empty), at: .any(place),
            mostIterations: Self.mostInputs)
    }

    @usableFromInline
    init<Input>(
        on place: MainActorPlace, setUp: @escaping @MainActor @Sendable () throws -> Input,
        tearDown: @escaping @MainActor @Sendable (Input) -> Void,
        _ body: @escaping @MainActor @Sendable (inout Input) throws -> Void,
        empty: @escaping @MainActor @Sendable (inout Input) throws -> Void
    ) {
        self.init(
            .prepared(
                setUp: MainActorBody.withoutIsolation(setUp), tearDown: MainActorBody.withoutIsolation(tearDown),
                MainActorBody.withoutIsolation(body), empty: MainActorBody.withoutIsolation(empty)),
            at: .mainActor, mostIterations: Self.mostInputs)
    }

    @usableFromInline
    init<Input: Sendable>(
        on place: MainActorPlace, setUp: @escaping @MainActor @Sendable () async throws -> Input,
        tearDown: @escaping @MainActor @Sendable (Input) async -> Void,
        _ body: @escaping @MainActor @Sendable (inout Input) async throws -> Void,
        empty: @escaping @MainActor @Sendable (inout Input) async throws -> Void
    ) {
        self.init(
            .prepared(setUp: setUp, tearDown: tearDown, body, empty: empty), at: .mainActor,
            mostIterations: Self.mostInputs)
    }
}
