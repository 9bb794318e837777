import Glibc

/// The median of values that come one after the other, with an interval that holds at every moment at once.
///
/// An interval of 99 % covers the median at all times together with a probability of 99 %, so that it may be looked at
/// after each value and used to decide whether to stop. It asks that each value be as likely above the median as below,
/// given those before it: as differences of pairs are whose order was drawn by a coin, whatever the machine does.
///
/// Its limits are values that came: the ones at which the evidence of the signs (`SignEvidence`) that the median lies above,
/// or below, reaches 2/α (Howard & Ramdas, “Sequential Estimation of Quantiles with Applications to A/B Testing and
/// Best-Arm Identification”, 2022, give intervals of this kind). Values that are equal widen it.
package struct MedianSequence: Hashable, Sendable {
    private var ascending: [Double] = []

    package init() {}

    package init(_ values: some Sequence<Double>) {
        ascending = values.sorted()
        precondition(!ascending.contains { $0.isNaN })
    }

    package var count: Int { ascending.count }
    package var median: Double? { Statistics.median(ascending) }

    package mutating func append(_ value: Double) {
        precondition(!value.isNaN)
        var (low, high) = (0, ascending.count)
        while low < high {
            let middle = (low + high) / 2
            if ascending[middle] <= value { low = middle + 1 } else { high = middle }
        }
        ascending.insert(value, at: low)
    }

    /// The interval that at any time misses the median with a probability of `level`; nil while the values are too few.
    package func interval(level: Double) -> Interval? {
        precondition(level > 0 && level < 1)
        guard let fewest = SignEvidence.fewestAbove(of: count, reaching: 2 / level) else { return nil }
        return Interval(lower: ascending[count - fewest], upper: ascending[fewest - 1], confidence: 1 - level)
    }

    /// The least α at which the median is shown not to be a value by now: 1 where nothing speaks against it.
    package func level(against value: Double) -> Double {
        let above = ascending.count { $0 > value }
        let below = ascending.count { $0 < value }
        guard count > 0 else { return 1 }
        let evidence = max(
            SignEvidence.logarithm(above: above, of: count), SignEvidence.logarithm(above: below, of: count))
        return min(2 * exp(-evidence), 1)
    }
}
