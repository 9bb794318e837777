/// Where things lie in the log of samples (see `LogLayout` for what all logs have in common).
///
///     offset   size   entry (32 bytes)
///          0      4   whether it is stored: 0 no, 2 done
///          4      4   series: 1 iterations of the work, 2 of nothing
///          8      8   when the batch began, ns since the origin
///         16      8   how long it took, ns
///         24      8   its iterations
@usableFromInline package enum SampleLogLayout {
    @inlinable package static var entrySize: Int { 32 }

    @usableFromInline package enum Entry {
        @inlinable package static var isStored: Int { 0 }
        @inlinable package static var series: Int { 4 }
        @inlinable package static var begin: Int { 8 }
        @inlinable package static var elapsed: Int { 16 }
        @inlinable package static var iterations: Int { 24 }
    }
}

/// What a batch iterated.
package enum SampleSeries: UInt32, Sendable, CaseIterable {
    /// The work itself.
    case work = 1
    /// Nothing, in the same loop: what the loop and the clock cost.
    case empty = 2

    /// What such a sample is in `samples.csv`.
    package var metric: Metric {
        switch self {
        case .work: .iterationTime
        case .empty: .emptyTime
        }
    }
}
