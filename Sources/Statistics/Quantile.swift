/// The value at nearest rank: the smallest value that at least the share `p` of all values do not exceed.
///
/// Definition: element ⌈p·n⌉ of the n values in ascending order, counted from 1; element 1 for p = 0
/// (Hyndman & Fan, “Sample Quantiles in Statistical Packages”, 1996, definition 1). No interpolation: the answer is
/// always a value that was measured.
///
/// - Parameters:
///   - p: a share in 0…1.
///   - sorted: the values, ascending and not empty.
package func nearestRank<Values: RandomAccessCollection>(_ p: Double, ofSorted sorted: Values) -> Values.Element
where Values.Index == Int {
    sorted[sorted.startIndex + nearestRank(p, among: sorted.count) - 1]
}

/// The rank itself: ⌈p·n⌉, counted from 1; 1 for p = 0.
///
/// - Parameters:
///   - p: a share in 0…1.
///   - count: n, at least 1.
package func nearestRank(_ p: Double, among count: Int) -> Int {
    precondition(count > 0 && p >= 0 && p <= 1)
    let exact = p * Double(count)
    // 0.999 × 1,000 is 999.0000000000001 in binary: a rank that is whole but for rounding is that whole rank.
    let nearest = exact.rounded()
    let rank = abs(exact - nearest) <= 1e-12 * exact ? nearest : exact.rounded(.up)
    // Beyond 2⁵³ a count as a Double may be a little more than the count.
    return rank >= Double(count) ? count : max(Int(rank), 1)
}

/// How a quantile is read between two values, by the numbers of Hyndman & Fan, “Sample Quantiles in Statistical Packages”,
/// 1996. (Their definition 1 is `nearestRank`.)
package enum QuantileDefinition: Int, Hashable, Sendable, Codable, CaseIterable {
    /// Definition 7, position (n − 1)·p + 1: what NumPy, R and spreadsheets do unless told otherwise.
    case linear = 7
    /// Definition 8, position (n + ⅓)·p + ⅓: nearly median-unbiased whatever the distribution, and so Hyndman and Fan’s
    /// own advice for a small sample.
    case medianUnbiased = 8
}

/// The quantile of a share `p` in 0…1, interpolated between the two values beside its position.
///
/// - Parameter sorted: finite values, ascending and not empty.
package func quantile(_ p: Double, ofSorted sorted: [Double], definition: QuantileDefinition = .linear) -> Double {
    precondition(!sorted.isEmpty && p >= 0 && p <= 1)
    let count = Double(sorted.count)
    let position =
        switch definition {
        case .linear: (count - 1) * p
        case .medianUnbiased: min(max((count + 1.0 / 3) * p - 2.0 / 3, 0), count - 1)
        }
    let below = Int(position)
    let share = position - Double(below)
    guard share > 0 else { return sorted[below] }
    return sorted[below] * (1 - share) + sorted[below + 1] * share
}

/// How many values a percentile needs before it is worth showing: at least ten must lie beyond it.
///
/// A percentile beyond which only one or two values lie is a story about those two. The median is shown always.
package func valuesNeeded(forPercentile p: Double) -> Int {
    p <= 0.5 ? 1 : Int((10 / (1 - p)).rounded())
}

/// The median in the usual sense: the middle value, or the mean of the two middle ones. Nil for no values.
package func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    var values = values
    let middle = values.count / 2
    let upper = select(middle, in: &values)
    guard values.count % 2 == 0 else { return upper }
    // Selection leaves the smaller ones in front.
    return values[..<middle].max()! / 2 + upper / 2
}
