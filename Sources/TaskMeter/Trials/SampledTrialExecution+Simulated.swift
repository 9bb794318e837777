import Probes
import Results

/// The trial under the simulator of caches and branch prediction.
extension SampledTrialExecution {
    /// Windows are written out one by one, each into a file.
    private static let mostWindows = 20

    /// Executes the trial and tells of it, all on the main thread, which must not be handed to Dispatch here: valgrind dies of
    /// that. So nothing can run on the main actor meanwhile.
    func simulate(_ iteration: Iteration) throws(TrialFailure) {
        if let reason = reasonAgainst(iteration) {
            writer.send(.phase(.tearDown))
            assignment.tell(SimulatedMetrics.unsupported(reason), iterations: 1)
            iteration.tearDown()
            return writer.send(.finished(SuiteMessage.Finished(tasksMeant: 0, allEnded: true)))
        }
        guard let file = assignment.countsFile else {
            throw TrialFailure(sentence: "the runner did not say where counts go")
        }
        writer.send(.phase(.measure))
        let most =
            benchmark.sampling.grouping == .everyIteration
            ? 1 : min(iteration.mostIterations, iteration.measuresWindows ? Self.mostWindows : .max)
        let ended = try execute(
            iteration, SimulatedSession(clock: clock, mostIterations: most, countsTo: file))
        writer.send(.phase(.tearDown))
        assignment.tell(ended.costs, iterations: 1)
        iteration.tearDown()
        try finish(ended.error)
    }

    private func reasonAgainst(_ iteration: Iteration) -> String? {
        if case .mainActor = iteration.place {
            return "its iterations run on the main actor, which the simulator cannot serve"
        }
        return iteration.maySuspend
            ? "its iterations may suspend and go on on another thread, and the simulator begins to count on one" : nil
    }
}
