/// How alike shares are: Jain’s index of shares x, (Σx)² / (n·Σx²). It is 1 when all have the same, k/n when k of them have the same and
/// the others nothing, and never below 1/n (Jain, Chiu & Hawe, “A Quantitative Measure of Fairness and Discrimination for Resource
/// Allocation in Shared Computer Systems”, DEC Research Report TR-301, 1984).
///
/// - Parameter shares: none negative, in any unit: the index does not change with it.
/// - Returns: 1 where there are no shares, or nobody has anything: then all have the same.
package func jainIndex(_ shares: [Double]) -> Double {
    let sum = shares.reduce(0, +)
    let squares = shares.reduce(0) { $0 + $1 * $1 }
    return squares > 0 ? sum * sum / (Double(shares.count) * squares) : 1
}
