import Results

/// How the batches of a trial came to their end.
package struct SamplingEnding: Sendable {
    package var session: SamplingSession
    /// What a body threw; nil when the plan came to its end.
    package var error: (any Error)?
    /// What the session's probes counted in the batches of work.
    package var costs: [(Metric, Reading)] = []
}

extension Iteration {
    /// Has the batches of a session executed where the iterations belong. Returns at once.
    ///
    /// - Parameter told: called from there when they have come to their end.
    package func execute(
        _ session: SamplingSession, told: @escaping @Sendable (SamplingEnding) -> Void
    ) throws(ThreadRefusal) {
        let batches = batches
        switch place {
        case .mainActor:
            Task { @MainActor in told(await Self.ending(session, batches, isolation: MainActor.shared)) }
        case .any(let place):
            switch place.kind {
            case .thread:
                let executor = try ThreadExecutor(named: "measuring")
                Task.detached(executorPreference: executor) {
                    told(await Self.ending(session, batches, isolation: nil))
                    executor.stop()
                }
            case .concurrentPool:
                Task.detached { told(await Self.ending(session, batches, isolation: nil)) }
            case .executor(let executor):
                Task.detached(executorPreference: executor) {
                    told(await Self.ending(session, batches, isolation: nil))
                }
            }
        }
    }

    private static func ending(
        _ session: SamplingSession, _ batches: Batches, isolation: isolated (any Actor)?
    ) async -> SamplingEnding {
        var session = session
        do {
            let costs = try await drive(&session, batches, isolation: isolation)
            return SamplingEnding(session: session, costs: costs)
        } catch {
            return SamplingEnding(session: session, error: error)
        }
    }
}
