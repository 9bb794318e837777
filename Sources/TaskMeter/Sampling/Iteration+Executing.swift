import Results

/// Batches in the order of a plan, and what becomes of what they took.
package protocol BatchSession: Sendable {
    /// Executes batches until the plan is at its end, where this is called and nowhere else.
    ///
    /// - Parameter isolation: the actor on which all of it runs; nil for the executor of the task that calls.
    /// - Returns: what was counted in the batches of work.
    /// - Throws: what a body threw.
    mutating func drive(
        _ batches: Batches, isolation: isolated (any Actor)?
    ) async throws -> [(Metric, Reading)]
}

/// How the batches of a trial came to their end.
package struct BatchEnding<Session: Sendable>: Sendable {
    package var session: Session
    /// What a body threw; nil when the plan came to its end.
    package var error: (any Error)?
    /// What the session's probes counted in the batches of work.
    package var costs: [(Metric, Reading)] = []
}

package typealias SamplingEnding = BatchEnding<SamplingSession>

extension Iteration {
    /// Has the batches of a session executed where the iterations belong. Returns at once.
    ///
    /// - Parameter told: called from there when they have come to their end.
    package func execute<Session: BatchSession>(
        _ session: Session, told: @escaping @Sendable (BatchEnding<Session>) -> Void
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

    private static func ending<Session: BatchSession>(
        _ session: Session, _ batches: Batches, isolation: isolated (any Actor)?
    ) async -> BatchEnding<Session> {
        var session = session
        do {
            let costs = try await session.drive(batches, isolation: isolation)
            return BatchEnding(session: session, costs: costs)
        } catch {
            return BatchEnding(session: session, error: error)
        }
    }
}
