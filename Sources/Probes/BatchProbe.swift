import Results

/// A source of metrics that is read by the thread that measures, before and after each batch of a sampled benchmark.
///
/// Probes nest: the first of a list is begun first and ended last, and the clock is inside all of them. What the inner ones
/// cost falls into the brackets of the outer ones; it falls into those of the empty batches too, which are subtracted.
package protocol BatchProbe: AnyObject {
    /// From here on it counts.
    // hot path: no allocation, no lock, no call that can block
    func begin()
    /// Adds what was counted since `begin` to what belongs to the batch at hand; a batch may have several brackets.
    // hot path: no allocation, no lock, no call that can block
    func end()
    /// Says what the batch was that the brackets since the last call belonged to.
    // hot path: no allocation, no lock, no call that can block
    func settle(_ kind: BatchKind, iterations: Int)
    /// What all batches of work took together, less what as many iterations of nothing took where that is more than chance.
    var readings: [(Metric, Reading)] { get }
}

package enum BatchKind: Sendable {
    case work
    case empty
    /// Of the calibration or the warm-up.
    case unmeasured
}

/// What a probe adds up over the batches of a trial.
struct BatchSums<Amounts> {
    var work: Amounts
    var empty: Amounts
    var workIterations = 0
    var emptyIterations = 0

    init(work: Amounts, empty: Amounts) {
        self.work = work
        self.empty = empty
    }

    /// How many iterations of work there were for each empty one; zero where none was empty, and nothing can be subtracted.
    var scale: Double { emptyIterations > 0 ? Double(workIterations) / Double(emptyIterations) : 0 }
}
