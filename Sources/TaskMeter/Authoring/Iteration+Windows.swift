extension Iteration {
    /// An iteration of which only parts are measured: what lies between a start and a stop of its window.
    ///
    /// ```swift
    /// Iteration { (window: inout MeasuredWindow) in
    ///     let request = makeRequest()
    ///     window.start()
    ///     blackHole(parse(request))
    ///     window.stop()
    /// }
    /// ```
    /// A sample is the sum of its windows, of all iterations of its batch. Each window reads the clock twice; what that
    /// costs is measured with as many empty windows, and subtracted: for parts of much less than a microsecond it is most
    /// of what is read. Prefer `setUp` where it will do.
    ///
    /// - Parameters:
    ///   - place: where it runs; on a thread of its own when nothing else is said.
    ///   - body: one iteration, with at least one window. A window that is started twice, stopped without a start, never
    ///     started or still open at the end of an iteration ends the trial as failed, as does what the body throws.
    @_alwaysEmitIntoClient
    public init(on place: Place = .thread, _ body: @escaping @Sendable (inout MeasuredWindow) throws -> Void) {
        self.init(
            on: place, body,
            empty: { window in
                for _ in 0..<window.emptyWindows {
                    window.start()
                    window.stop()
                }
            })
    }

    /// The same with a body that may suspend, also while its window is open; on the pool of Swift's concurrency when
    /// nothing else is said.
    @_alwaysEmitIntoClient
    public init(
        on place: Place = .concurrentPool, _ body: @escaping @Sendable (inout MeasuredWindow) async throws -> Void
    ) {
        self.init(
            on: place, body,
            empty: { (window: inout MeasuredWindow) async in
                for _ in 0..<window.emptyWindows {
                    window.start()
                    window.stop()
                }
            })
    }

    /// The same on the main actor.
    @_alwaysEmitIntoClient
    public init(
        on place: MainActorPlace, _ body: @escaping @MainActor @Sendable (inout MeasuredWindow) throws -> Void
    ) {
        self.init(
            on: place, body,
            empty: { window in
                for _ in 0..<window.emptyWindows {
                    window.start()
                    window.stop()
                }
            })
    }

    /// The same on the main actor with a body that may suspend.
    @_alwaysEmitIntoClient
    public init(
        on place: MainActorPlace, _ body: @escaping @MainActor @Sendable (inout MeasuredWindow) async throws -> Void
    ) {
        self.init(
            on: place, body,
            empty: { @MainActor (window: inout MeasuredWindow) async in
                for _ in 0..<window.emptyWindows {
                    window.start()
                    window.stop()
                }
            })
    }

    @usableFromInline
    init(
        on place: Place, _ body: @escaping @Sendable (inout MeasuredWindow) throws -> Void,
        empty: @escaping @Sendable (inout MeasuredWindow) throws -> Void
    ) {
        self.init(.windows(body, empty: empty), at: .any(place), measuresWindows: true)
    }

    @usableFromInline
    init(
        on place: Place, _ body: @escaping @Sendable (inout MeasuredWindow) async throws -> Void,
        empty: @escaping @Sendable (inout MeasuredWindow) async throws -> Void
    ) {
        self.init(.windows(body, empty: empty), at: .any(place), measuresWindows: true)
    }

    @usableFromInline
    init(
        on place: MainActorPlace, _ body: @escaping @MainActor @Sendable (inout MeasuredWindow) throws -> Void,
        empty: @escaping @MainActor @Sendable (inout MeasuredWindow) throws -> Void
    ) {
        self.init(
            .windows(MainActorBody.withoutIsolation(body), empty: MainActorBody.withoutIsolation(empty)),
            at: .mainActor, measuresWindows: true)
    }

    @usableFromInline
    init(
        on place: MainActorPlace, _ body: @escaping @MainActor @Sendable (inout MeasuredWindow) async throws -> Void,
        empty: @escaping @MainActor @Sendable (inout MeasuredWindow) async throws -> Void
    ) {
        self.init(.windows(body, empty: empty), at: .mainActor, measuresWindows: true)
    }
}
