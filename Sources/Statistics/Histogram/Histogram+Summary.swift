extension Histogram {
    /// Values that are not told apart, and how many of them were recorded.
    package struct Bucket: Hashable, Sendable {
        package var values: ClosedRange<Int64>
        package var count: Int
    }

    /// The buckets that are not empty, from the smallest values up.
    package var buckets: some Sequence<Bucket> {
        counts.indices.lazy.filter { counts[$0] > 0 }.map { Bucket(values: shape.values(at: $0), count: counts[$0]) }
    }

    /// How many recorded values are not told apart from this one.
    package func count(equivalentTo value: Int64) -> Int {
        guard value >= 0 else { return 0 }
        let index = shape.index(of: value)
        return index < counts.count ? counts[index] : 0
    }

    /// The lowest value of the lowest bucket that is not empty: no recorded value is less. Nil when all are.
    package var minimum: Int64? { counts.firstIndex { $0 > 0 }.map { shape.lowestValue(at: $0) } }

    /// The highest value of the highest bucket that is not empty: no recorded value is more. Nil when all are.
    package var maximum: Int64? { counts.lastIndex { $0 > 0 }.map { shape.values(at: $0).upperBound } }

    /// The mean, to the promised digits: each value is taken for the middle of its bucket. Nil for no values.
    package var mean: Double? {
        guard !isEmpty else { return nil }
        var sum = 0.0
        for (index, count) in counts.enumerated() where count > 0 {
            sum += Double(shape.middleValue(at: index)) * Double(count)
        }
        return sum / Double(totalCount)
    }

    /// The standard deviation of the recorded values (divided by their number n, not n − 1, as in other tools), each
    /// taken for the middle of its bucket. Nil for no values.
    package var standardDeviation: Double? {
        guard let mean else { return nil }
        var sum = 0.0
        for (index, count) in counts.enumerated() where count > 0 {
            let deviation = Double(shape.middleValue(at: index)) - mean
            sum += deviation * deviation * Double(count)
        }
        return (sum / Double(totalCount)).squareRoot()
    }

    /// The bucket of the value that has a rank among all recorded values in ascending order: the truth about that value.
    ///
    /// - Parameter rank: 1…`totalCount`. Nil for any other.
    package func bucket(atRank rank: Int) -> Bucket? {
        guard rank >= 1, rank <= totalCount else { return nil }
        var reached = 0
        for (index, count) in counts.enumerated() {
            reached += count
            if reached >= rank { return Bucket(values: shape.values(at: index), count: count) }
        }
        return nil
    }

    /// The value at nearest rank: the least that the histogram can name which at least the share `p` of the recorded
    /// values do not exceed.
    ///
    /// It is the highest value of the bucket that holds the value of rank ⌈p·n⌉ (see `nearestRank`), and so never below
    /// the exact nearest-rank value, and above it by less than one part in 10ᵈ for d digits, or less than one unit. For
    /// p = 0 it is `minimum`, as in other tools.
    ///
    /// Other tools take nearly the same rank and the same end of the bucket: Java ⌈p·n⌉ of a p made smaller by one
    /// unit in the last place, C and Python ⌊p·n + ½⌋. Where p·n is whole all agree; elsewhere they can be one rank lower.
    ///
    /// - Parameter p: a share in 0…1.
    /// - Returns: nil for no values.
    package func value(at p: Double) -> Int64? {
        guard !isEmpty else { return nil }
        guard p > 0 else { return minimum }
        return bucket(atRank: nearestRank(p, among: totalCount))?.values.upperBound
    }
}
