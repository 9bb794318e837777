import Results

/// What happens in a run, for those who watch it.
package enum RunEvent: Sendable {
    case planned(RunFolder, benchmarks: Int, trials: Int)
    case trialBegan(Int, block: Int, BenchmarkID)
    /// A trial still runs.
    case tick
    case trialEnded(Trial, took: Nanoseconds)
    /// A trial is not made, because those before it failed.
    case trialPassedOver(Trial)
}
