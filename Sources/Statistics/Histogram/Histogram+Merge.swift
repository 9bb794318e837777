/// Why two histograms cannot be one without loss.
package enum HistogramMergeError: Error, Hashable, CustomStringConvertible {
    /// The two divide values differently.
    case differentBuckets(BucketShape, BucketShape)
    /// The other one has values above this one's fixed range.
    case beyondRange(maximum: Int64, highest: Int64)
    /// Together they would have more than `Int.max` values.
    case beyondCounting

    package var description: String {
        switch self {
        case .differentBuckets(let one, let other):
            """
            a histogram of \(one.significantDigits) digits from \(one.lowestDiscernible) on cannot take in one of \
            \(other.significantDigits) digits from \(other.lowestDiscernible) on: their buckets differ; \
            record both with the same digits and the same lowest value
            """
        case .beyondRange(let maximum, let highest):
            """
            a histogram of values up to \(highest) cannot take in one with values up to \(maximum); \
            merge into one whose range is not fixed
            """
        case .beyondCounting: "two histograms have more values together than \(Int.max), and cannot be merged"
        }
    }
}

extension Histogram {
    /// Takes in all that another histogram has counted: the result is that of recording all values into one.
    ///
    /// It is exact because it adds counts of equal buckets, and is refused where buckets differ: the values of a bucket
    /// are not known well enough to put them into another. Ranges may differ as long as the values fit. Refusals are
    /// added too. When it throws, nothing has changed.
    package mutating func merge(_ other: Histogram) throws(HistogramMergeError) {
        guard shape == other.shape else { throw .differentBuckets(shape, other.shape) }
        let (total, overflow) = totalCount.addingReportingOverflow(other.totalCount)
        guard !overflow else { throw .beyondCounting }
        if let maximum = other.maximum {
            if let highest, shape.index(of: maximum) >= counts.count {
                throw .beyondRange(maximum: maximum, highest: highest)
            }
            reserve(upTo: maximum)
        }
        // Beyond what both have room for, the other has only zeros. No sum exceeds the total, which fits.
        for index in 0..<min(counts.count, other.counts.count) { counts[index] &+= other.counts[index] }
        totalCount = total
        refused.add(other.refused)
    }
}
