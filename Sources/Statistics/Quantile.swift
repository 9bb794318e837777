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

/// How many values a percentile needs before it is worth showing: at least ten must lie beyond it.
///
/// A percentile beyond which only one or two values lie is a story about those two. The median is shown always.
package func valuesNeeded(forPercentile p: Double) -> Int {
    p <= 0.5 ? 1 : Int((10 / (1 - p)).rounded())
}

/// The median in the usual sense: the middle value, or the mean of the two middle ones. Nil for no values.
package func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2
}
