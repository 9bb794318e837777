/// The dip of values: how far their distribution function is, at the least, from that of any distribution with one mode
/// (Hartigan & Hartigan, “The Dip Test of Unimodality”, Annals of Statistics 13, 1985).
///
/// From 1 / 2n, for values that are as unimodal as n values can be, to nearly ¼, for two clumps.
///
/// The method is the paper’s section 3. Up to its mode a unimodal distribution function is convex, and from there on it is
/// concave. So, within an interval that shrinks about the mode: the greatest convex minorant and the least concave majorant of the
/// empirical distribution function are drawn, the interval is narrowed to where they are furthest apart, and what the curves
/// miss outside of it counts towards the dip. It ends when the curves inside are no further apart than what was missed.
///
/// Heights are in units of 1/n throughout: the empirical distribution function steps from i to i + 1 at the value of index i.
///
/// - Parameter sorted: finite values, ascending and not empty.
package func dip(ofSorted sorted: [Double]) -> Double {
    precondition(!sorted.isEmpty)
    let count = sorted.count
    var missed = 1.0  // twice the dip; a step of height 1 cannot be missed by less
    var low = 0
    var high = count - 1
    while sorted[low] < sorted[high] {
        let convex = hull(sorted, from: low, through: high, turning: .left)
        let concave = hull(sorted, from: low, through: high, turning: .right)
        let (gap, begin, end) = widestGap(sorted, convex, concave)
        guard gap >= missed else { break }
        for (from, to) in zip(convex, convex.dropFirst()) where to <= begin && to > from + 1 {
            for index in from...to {
                missed = max(missed, Double(index + 1) - height(sorted, at: index, from, to))
            }
        }
        for (from, to) in zip(concave, concave.dropFirst()) where from >= end && to > from + 1 {
            for index in from...to {
                missed = max(missed, height(sorted, at: index, from, to) + 1 - Double(index))
            }
        }
        guard begin > low || end < high else { break }
        (low, high) = (begin, end)
    }
    return missed / (2 * Double(count))
}

private enum Turn { case left, right }

/// The indices at which a line that only turns one way touches the points (value, index), of those from `low` to `high`: the
/// lower or the upper hull (Andrew’s monotone chain, 1979).
private func hull(_ sorted: [Double], from low: Int, through high: Int, turning turn: Turn) -> [Int] {
    var corners: [Int] = []
    for index in low...high {
        while corners.count >= 2 {
            let (first, second) = (corners[corners.count - 2], corners[corners.count - 1])
            let before = Double(second - first) * (sorted[index] - sorted[second])
            let after = Double(index - second) * (sorted[second] - sorted[first])
            guard turn == .left ? before >= after : before <= after else { break }
            corners.removeLast()
        }
        corners.append(index)
    }
    return corners
}

/// The height at the value of an index on the line between two corners.
private func height(_ sorted: [Double], at index: Int, _ from: Int, _ to: Int) -> Double {
    guard sorted[to] > sorted[from] else { return Double(index) }
    return Double(from) + Double(to - from) * (sorted[index] - sorted[from]) / (sorted[to] - sorted[from])
}

/// The largest distance between the two hulls (the lower one touches the feet of the steps, the upper one their heads), and the
/// corner of the lower and that of the upper hull between which the mode then lies.
private func widestGap(_ sorted: [Double], _ convex: [Int], _ concave: [Int]) -> (gap: Double, begin: Int, end: Int) {
    var widest = (gap: 1.0, begin: convex[0], end: concave[concave.count - 1])
    // At corners of the lower hull: the mode lies between this corner and the next one of the upper hull.
    var next = 1
    for corner in convex.dropFirst().dropLast() {
        while concave[next] < corner { next += 1 }
        let gap = height(sorted, at: corner, concave[next - 1], concave[next]) - Double(corner) + 1
        if gap > widest.gap { widest = (gap, corner, concave[next]) }
    }
    // At corners of the upper hull: the mode lies between the last corner of the lower hull and this one.
    next = 1
    for corner in concave.dropFirst().dropLast() {
        while convex[next] < corner { next += 1 }
        let before = convex[next] == corner ? convex[next] : convex[next - 1]
        let gap = Double(corner) - height(sorted, at: corner, convex[next - 1], convex[next]) + 1
        if gap > widest.gap { widest = (gap, before, corner) }
    }
    return widest
}
