import Results

/// Timed batches of iterations as columns, in the order in which they were timed: a batch is one index into all of them.
package struct BatchColumns: Sendable {
    /// When each began.
    package var at: [Int64] = []
    /// How long each took as it was read, in nanoseconds. A clock may tell parts of a nanosecond.
    package var elapsed: [Double] = []
    /// How many iterations each has: 1 at the least.
    package var iterations: [Int64] = []

    package var count: Int { at.count }

    /// What an iteration of each batch took, with nothing subtracted.
    package var perIteration: [Double] { (0..<count).map { elapsed[$0] / Double(iterations[$0]) } }

    mutating func append(at moment: Instant, elapsed: Double, iterations: Int) {
        at.append(moment.sinceOrigin)
        self.elapsed.append(elapsed)
        self.iterations.append(Int64(iterations))
    }
}

/// What one trial of a sampled benchmark timed. A batch costs 24 bytes here.
package struct TrialBatches: Sendable {
    /// Of the code that is measured: its samples.
    package var work = BatchColumns()
    /// Of iterations that do nothing.
    package var empty = BatchColumns()

    mutating func append(_ series: SampleSeries, at moment: Instant, elapsed: Double, iterations: Int) {
        switch series {
        case .work: work.append(at: moment, elapsed: elapsed, iterations: iterations)
        case .empty: empty.append(at: moment, elapsed: elapsed, iterations: iterations)
        }
    }
}
