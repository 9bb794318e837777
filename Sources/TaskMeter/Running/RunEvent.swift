import Results

/// What happens in a run, for those who watch it.
package enum RunEvent: Sendable {
    /// - Parameter trials: of all benchmarks, timed ones and others.
    case planned(RunFolder, benchmarks: Int, trials: Int)
    case trialBegan(Int, block: Int, BenchmarkID, Trial.Mode)
    /// A trial still runs.
    case tick
    case trialEnded(Trial, took: Nanoseconds)
    /// A trial is not made, because those before it failed.
    case trialPassedOver(Trial)
}
