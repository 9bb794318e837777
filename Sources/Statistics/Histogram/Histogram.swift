/// Counts of values in buckets that keep a number of significant digits at every magnitude: what to hold instead of
/// millions of single values (Gil Tene, HdrHistogram, https://github.com/HdrHistogram/HdrHistogram).
///
/// Values are whole numbers from 0; their unit is the caller's. What comes in is counted in the bucket that it falls in
/// (see `BucketShape`); what goes out are buckets, so that a percentile is known to the promised digits and no better.
/// A histogram is a value: give each thread its own, and merge them at the end, which loses nothing.
///
/// Nothing is lost in silence: what cannot be recorded is counted in `refused`.
///
/// Two histograms are equal when they have the same buckets, the same range, the same counts and the same refusals.
package struct Histogram: Sendable {
    package let shape: BucketShape
    /// The highest value that a fixed range must hold; nil when the range grows with the values.
    package let highest: Int64?
    /// Counts by bucket number, from bucket 0 to as far as there is room.
    var counts: [Int]
    /// How many values are recorded: the sum of all counts, and so never less than any of them.
    package internal(set) var totalCount = 0
    /// How many values could not be recorded, and why.
    package internal(set) var refused = Refused()

    /// An empty histogram.
    ///
    /// - Parameters:
    ///   - significantDigits: 1…5. One digit more is ten times the memory, roughly: values up to an hour in nanoseconds
    ///     take 36 KiB with 2, 264 KiB with 3, 3.6 MiB with 4 digits.
    ///   - lowestDiscernible: the smallest value that must be told apart from 0, at least 1; rounded down to a power of
    ///     two. 1,000 for values in nanoseconds that matter to the microsecond.
    ///   - highest: the highest value to be recorded, at least twice `lowestDiscernible`. All memory is then taken at
    ///     once, and what falls in a higher bucket than it is refused. Without it the range grows as values need it,
    ///     up to 432 KiB for 3 digits and 47 MiB for 5, when a clock goes wrong.
    package init(significantDigits: Int = 3, lowestDiscernible: Int64 = 1, highest: Int64? = nil) {
        guard let shape = BucketShape(significantDigits: significantDigits, lowestDiscernible: lowestDiscernible) else {
            preconditionFailure("no histogram has \(significantDigits) digits from \(lowestDiscernible) on")
        }
        precondition(highest.map { $0 / 2 >= lowestDiscernible } ?? true, "a range must hold a doubling")
        self.init(shape: shape, highest: highest)
    }

    init(shape: BucketShape, highest: Int64?) {
        self.shape = shape
        self.highest = highest
        counts = Array(repeating: 0, count: highest.map { shape.index(of: $0) + 1 } ?? 0)
    }

    package var isEmpty: Bool { totalCount == 0 }

    /// How many buckets there is room for. As long as it does not change, recording does not allocate.
    package var allocatedBuckets: Int { counts.count }

    /// Makes room for all values up to this one, where the range is not fixed.
    package mutating func reserve(upTo value: Int64) {
        guard highest == nil, value >= 0, shape.index(of: value) >= counts.count else { return }
        let room = shape.buckets(ofLevels: shape.levels(upTo: value))
        counts.append(contentsOf: repeatElement(0, count: room - counts.count))
    }

    /// Records a value: computes its bucket, adds to its count and to the total.
    ///
    /// It allocates in two cases: a range that is not fixed grows with the first value beyond what was reserved, and
    /// while a copy of this histogram is held elsewhere the first change parts the two.
    ///
    /// - Parameter count: how often it occurred, 0 or more.
    /// - Returns: false when it was not recorded but counted in `refused`.
    @discardableResult
    package mutating func record(_ value: Int64, count: Int = 1) -> Bool {
        // hot path: no allocation, no lock, no call that can block (within what is reserved)
        precondition(count >= 0)
        guard value >= 0 else { return refuse(count, .negative) }
        let index = shape.index(of: value)
        if index >= counts.count {
            guard highest == nil else { return refuse(count, .beyondRange) }
            reserve(upTo: value)
        }
        let (total, overflow) = totalCount.addingReportingOverflow(count)
        guard !overflow else { return refuse(count, .beyondCounting) }
        counts[index] &+= count  // no more than the total, which fits
        totalCount = total
        return true
    }

    /// Records a value and those that a closed loop missed while it waited (“coordinated omission”).
    ///
    /// Whoever sends a request only after the last one has ended, meaning to send one each `expectedInterval`, sends
    /// none during a stall, and so measures the stall once instead of as often as requests were due. With the value v go
    /// v − i, v − 2i, … as long as they are not less than i: ⌊v/i⌋ values in all, as in HdrHistogram for Java and C.
    /// It is a guess at what an open loop would have measured; where there are due times, use these.
    ///
    /// Each is recorded or refused as if by itself, but if the total cannot hold all that fit the range, none of these
    /// is recorded. The work is one step for each bucket that is met, so that no value and no interval takes long.
    ///
    /// - Parameter expectedInterval: in the unit of the values. 0 or less corrects nothing.
    /// - Returns: false when any of them was refused.
    @discardableResult
    package mutating func record(_ value: Int64, count: Int = 1, correctedBy expectedInterval: Int64) -> Bool {
        guard expectedInterval > 0, value > expectedInterval else { return record(value, count: count) }
        precondition(count >= 0)
        let terms = Int(value / expectedInterval)
        // The first terms, if any, lie above the range: as many as are v − k·i > top.
        let top = highest.map { shape.values(equivalentTo: $0).upperBound } ?? .max
        let beyond = value > top ? min(Int((value - top - 1) / expectedInterval) + 1, terms) : 0
        refused.add(beyond, times: count, .beyondRange)
        guard beyond < terms else { return false }

        let (added, tooMany) = (terms - beyond).multipliedReportingOverflow(by: count)
        let (total, overflow) = totalCount.addingReportingOverflow(added)
        guard !tooMany, !overflow else {
            refused.add(terms - beyond, times: count, .beyondCounting)
            return false
        }
        reserve(upTo: value)
        totalCount = total
        var term = beyond
        while term < terms {
            let current = value - Int64(term) * expectedInterval
            let index = shape.index(of: current)
            // How many further terms fall in the same bucket.
            let steps = Int((current - shape.lowestValue(at: index)) / expectedInterval)
            let next = min(term + steps + 1, terms)
            counts[index] &+= (next - term) * count
            term = next
        }
        return beyond == 0
    }

    private mutating func refuse(_ count: Int, _ reason: Refused.Reason) -> Bool {
        refused.add(count, reason)
        return false
    }
}

extension Histogram: Hashable {
    package static func == (left: Histogram, right: Histogram) -> Bool {
        guard left.shape == right.shape, left.highest == right.highest, left.totalCount == right.totalCount,
            left.refused == right.refused
        else { return false }
        // Room without counts does not matter.
        let shared = min(left.counts.count, right.counts.count)
        return left.counts[..<shared] == right.counts[..<shared] && left.counts[shared...].allSatisfy { $0 == 0 }
            && right.counts[shared...].allSatisfy { $0 == 0 }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(shape)
        hasher.combine(highest)
        hasher.combine(refused)
        for bucket in buckets { hasher.combine(bucket) }
    }
}
