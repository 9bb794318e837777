import Results

/// What happens in a comparison, for those who watch it.
package enum ComparisonEvent: Sendable {
    case planned(folder: String, benchmarks: Int, settled: Int)
    /// Pairs of a benchmark are about to be made.
    case pairBegan(BenchmarkID, number: Int)
    case tick
    /// A trial failed, and its pair has no ratio.
    case trialFailed(BenchmarkID, side: String, reason: String)
    /// - Parameter open: benchmarks that are undecided so far.
    case roundEnded(open: Int, pairs: Int)
}
