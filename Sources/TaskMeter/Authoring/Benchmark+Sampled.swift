/// Benchmarks of code that may be too short to be timed once: its iterations are timed in batches.
extension Benchmark {
    /// Declares a sampled benchmark whose iterations need something prepared: a table, a file, a server.
    ///
    /// ```swift
    /// Benchmark("lookup", "Finds a key among a thousand.") { parameters in
    ///     let table = makeTable(1_000)
    ///     return Iteration { blackHole(table[identity(7)]) }
    /// }
    /// ```
    /// - Parameters:
    ///   - name: unique in its suite. Part of identities that must last: do not change what a name means.
    ///   - about: one sentence that says what an iteration does.
    ///   - axes: parameters, in the order in which they stand in identities.
    ///   - sampling: how iterations become samples, how many, and for how long.
    ///   - prepare: called once in each trial, on the main thread, before the warm-up; its time is not measured.
    public init(
        _ name: String, _ about: String, axes: [any AnyAxis] = [], sampling: Sampling = .batches,
        file: String = #fileID, line: Int = #line, prepare: @escaping @Sendable (Parameters) throws -> Iteration
    ) {
        self.init(
            name, about, axes: axes, .samples(Samples(sampling: sampling, prepare: prepare)),
            declaredAt: "\(file):\(line)")
    }

    /// Declares a sampled benchmark whose iterations need no preparation.
    ///
    /// ```swift
    /// Benchmark("root", "Takes a square root.") { blackHole(identity(2.0).squareRoot()) }
    /// ```
    /// - Parameter iteration: one iteration. What it throws is the reason for which the trial failed.
    @_alwaysEmitIntoClient
    public init(
        _ name: String, _ about: String, sampling: Sampling = .batches, file: String = #fileID, line: Int = #line,
        iteration: @escaping @Sendable () throws -> Void
    ) {
        self.init(name, about, sampling: sampling, file: file, line: line) { _ in Iteration(iteration) }
    }

    /// Declares a sampled benchmark whose iterations may suspend, and need no preparation.
    ///
    /// - Parameter iteration: one iteration. What it throws is the reason for which the trial failed.
    @_alwaysEmitIntoClient
    public init(
        _ name: String, _ about: String, sampling: Sampling = .batches, file: String = #fileID, line: Int = #line,
        iteration: @escaping @Sendable () async throws -> Void
    ) {
        self.init(name, about, sampling: sampling, file: file, line: line) { _ in Iteration(iteration) }
    }
}
