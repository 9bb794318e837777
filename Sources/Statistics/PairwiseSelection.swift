/// The sum of rank `rank`, counted from 1, among the sums of each value of one list and each of another, both ascending.
///
/// The sums are never written down, for of two million values they would be a million millions. For a bound it takes one walk
/// along both lists to count the sums up to it, and halving the range of floating-point numbers finds in at most 64 walks the
/// least bound with enough below it, which is the sum wanted, to the last bit.
func smallestSum(rank: Int, of first: [Double], and second: [Double]) -> Double {
    leastBound(from: first[0] + second[0], to: first[first.count - 1] + second[second.count - 1]) {
        countOfSums(upTo: $0, of: first, and: second) >= rank
    }
}

/// The sum of rank `rank`, counted from 1, among the sums of each pair of values of an ascending list; each with itself counts too.
func smallestPairSum(rank: Int, of values: [Double]) -> Double {
    leastBound(from: 2 * values[0], to: 2 * values[values.count - 1]) { bound in
        // Pairs of different places were counted in either order, those of a value with itself once.
        let withThemselves = values.partitionPoint { 2 * $0 > bound }
        return (countOfSums(upTo: bound, of: values, and: values) + withThemselves) / 2 >= rank
    }
}

private func countOfSums(upTo bound: Double, of first: [Double], and second: [Double]) -> Int {
    var count = 0
    var partners = second.count
    for value in first {
        while partners > 0, value + second[partners - 1] > bound { partners -= 1 }
        count += partners
    }
    return count
}

extension [Double] {
    /// How many values come before the first, of ascending ones, for which something holds that holds for all after it.
    fileprivate func partitionPoint(where holds: (Double) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// The least number in a range for which something holds that holds for all larger ones.
private func leastBound(from lowest: Double, to highest: Double, where holds: (Double) -> Bool) -> Double {
    var low = place(of: lowest)
    var high = place(of: highest)
    while low < high {
        let middle = (low >> 1) + (high >> 1) + (low & high & 1)
        if holds(number(at: middle)) { high = middle } else { low = middle + 1 }
    }
    return number(at: low)
}

/// The place of a floating-point number among all of them in ascending order, 0 being at 0.
private func place(of number: Double) -> Int64 {
    let bits = Int64(bitPattern: number.bitPattern)
    return bits >= 0 ? bits : .min &- bits
}

private func number(at place: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: place >= 0 ? place : .min &- place))
}
