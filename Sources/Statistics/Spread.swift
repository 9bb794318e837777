/// Where values lie and how far they scatter, in the classical way and in a way that a few wild values cannot move.
///
/// It describes the values it is given. It says nothing of how sure their mean is: that is for independent values, which
/// the iterations inside one process are not (see `Autocorrelation.swift`).
package struct Spread: Hashable, Sendable, Codable {
    package var count: Int
    package var mean: Double
    /// √(Σ(x − mean)² / (n − 1)); nil for one value, which does not scatter.
    package var standardDeviation: Double?
    package var median: Double
    /// The median of |x − median|, in the unit of the values and not scaled to anything.
    package var medianAbsoluteDeviation: Double

    /// The median absolute deviation times 1.4826, which for normal data estimates the standard deviation
    /// (Hampel, “The Influence Curve and Its Role in Robust Estimation”, 1974).
    package var normalizedMAD: Double { medianAbsoluteDeviation * 1.482_602_218_505_602 }

    /// - Returns: nil for no values, or where one is not a finite number.
    package init?(of values: [Double]) {
        guard let mean = Statistics.mean(values), let median = Statistics.median(values),
            let deviation = Statistics.medianAbsoluteDeviation(values)
        else { return nil }
        count = values.count
        self.mean = mean
        standardDeviation = Statistics.standardDeviation(values)
        self.median = median
        medianAbsoluteDeviation = deviation
    }
}

/// The arithmetic mean; nil for no values, or where one is not a finite number.
///
/// The sum is compensated, so that a million values lose no digits, and taken over values divided by a power of two not
/// less than half their number, so that it does not overflow.
package func mean(_ values: [Double]) -> Double? {
    guard !values.isEmpty, values.allSatisfy(\.isFinite) else { return nil }
    let count = Double(values.count)
    let scale = 1 / count.binade
    return compensatedSum(values.lazy.map { $0 * scale / 2 }) / (count * scale / 2)
}

/// The standard deviation of a sample, √(Σ(x − mean)² / (n − 1)); nil for less than two values, or where one is not a
/// finite number.
package func standardDeviation(_ values: [Double]) -> Double? {
    guard values.count > 1, let mean = mean(values) else { return nil }
    // Two passes, deviations before squares: nothing cancels, as it would in Σx² − n·mean². Squares are of shares of
    // the largest deviation, which neither overflow nor vanish.
    let largest = values.reduce(0) { max($0, abs($1 - mean)) }
    guard largest > 0 else { return 0 }
    let squares = compensatedSum(values.lazy.map { ($0 - mean) / largest * (($0 - mean) / largest) })
    return largest * (squares / Double(values.count - 1)).squareRoot()
}

/// The median of the distances from the median, unscaled; nil for no values, or where one is not a finite number.
package func medianAbsoluteDeviation(_ values: [Double]) -> Double? {
    guard values.allSatisfy(\.isFinite), let middle = median(values) else { return nil }
    return median(values.map { abs($0 - middle) })
}

/// A sum whose error does not grow with the number of its terms (Neumaier, “Rundungsfehleranalyse einiger Verfahren zur
/// Summation endlicher Summen”, 1974).
package func compensatedSum(_ terms: some Sequence<Double>) -> Double {
    var sum = 0.0
    var lost = 0.0
    for term in terms {
        let next = sum + term
        lost += abs(sum) >= abs(term) ? (sum - next) + term : (term - next) + sum
        sum = next
    }
    return sum + lost
}
