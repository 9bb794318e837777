/// How a histogram divides the whole numbers from 0 to `Int64.max` into buckets: two levels, so that every value is known
/// to the same number of significant digits however large it is (Gil Tene, HdrHistogram, `AbstractHistogram`).
///
/// Let the unit be 2ᵘ, the largest power of two that is not above the lowest discernible value, and the half H be 2ʰ, the
/// smallest power of two that is not below 10ᵈ for d digits.
///
/// | values | width of a bucket | buckets |
/// | --- | --- | --- |
/// | 0 ..< 2H units | 1 unit | 2H |
/// | 2H ..< 4H units | 2 units | H |
/// | 4H ..< 8H units | 4 units | H |
/// | … each doubling | twice as wide as before | H |
///
/// A bucket of more than one unit begins at H times its own width or higher. Any two values in it differ by less than
/// its width, so by less than 1/H of either, and 1/H ≤ 10⁻ᵈ: that is the promise of d digits. Values below 2H units
/// are known to the unit.
package struct BucketShape: Hashable, Sendable {
    /// Significant decimal digits that are kept: 1…5.
    package let significantDigits: Int
    /// u: buckets are 2ᵘ wide or wider.
    private let unitMagnitude: Int
    /// h: every doubling of values is divided into 2ʰ buckets.
    private let halfMagnitude: Int
    /// All bits of values below 2H units. A smaller value is lifted to this one, so that it counts as of the first level.
    private let firstLevelMask: Int64

    /// - Parameters:
    ///   - significantDigits: 1…5.
    ///   - lowestDiscernible: the smallest value that must be told apart from 0; at least 1. It is rounded down to a
    ///     power of two.
    /// - Returns: nil outside of these, or where not even one doubling would fit below 2⁶³ (u + h > 61).
    package init?(significantDigits: Int, lowestDiscernible: Int64) {
        guard (1...5).contains(significantDigits), lowestDiscernible >= 1 else { return nil }
        let needed = [10, 100, 1_000, 10_000, 100_000][significantDigits - 1]
        halfMagnitude = Int.bitWidth - (needed - 1).leadingZeroBitCount
        unitMagnitude = Int64.bitWidth - 1 - lowestDiscernible.leadingZeroBitCount
        guard unitMagnitude + halfMagnitude <= 61 else { return nil }
        self.significantDigits = significantDigits
        firstLevelMask = ((2 << Int64(halfMagnitude)) - 1) << Int64(unitMagnitude)
    }

    /// The unit 2ᵘ: the width of the narrowest buckets.
    package var lowestDiscernible: Int64 { 1 << Int64(unitMagnitude) }

    /// The number of the bucket that holds a value, from 0.
    ///
    /// The level is how often a value must be halved until it lies below 2H units; what is left, in units, lies in
    /// 0 ..< 2H, from level 1 on in H ..< 2H. Each level begins H after the one before, so the number is level · H + rest.
    ///
    /// - Parameter value: 0 or more.
    @inline(__always)
    package func index(of value: Int64) -> Int {
        // hot path: no allocation, no lock, no call that can block
        let bits = Int64.bitWidth &- (value | firstLevelMask).leadingZeroBitCount
        let level = bits &- unitMagnitude &- halfMagnitude &- 1
        return (level &<< halfMagnitude) &+ Int(truncatingIfNeeded: value &>> Int64(level &+ unitMagnitude))
    }

    /// The smallest value in a bucket: the rest, shifted back.
    package func lowestValue(at index: Int) -> Int64 {
        let level = level(at: index)
        return Int64(index - level << halfMagnitude) << Int64(level + unitMagnitude)
    }

    /// How many values a bucket holds: 2ᵘ at level 0, twice as many at each further level.
    package func width(at index: Int) -> Int64 { 1 << Int64(level(at: index) + unitMagnitude) }

    /// All values of a bucket, which the histogram does not tell apart (“equivalent” in other tools).
    package func values(at index: Int) -> ClosedRange<Int64> {
        let lowest = lowestValue(at: index)
        return lowest...(lowest + (width(at: index) - 1))
    }

    /// All values that are not told apart from this one.
    package func values(equivalentTo value: Int64) -> ClosedRange<Int64> { values(at: index(of: value)) }

    /// What stands for a bucket in means: its lowest value and half its width, as in other tools. A bucket of two
    /// values is stood for by the upper.
    package func middleValue(at index: Int) -> Int64 { lowestValue(at: index) + width(at: index) / 2 }

    /// How many levels are needed for all values up to this one: other tools' “buckets”.
    package func levels(upTo value: Int64) -> Int { level(at: index(of: value)) + 1 }

    /// How many buckets so many levels have: 2H for the first, H for each further one. Other tools hold as many for a
    /// range, and so some beyond its highest value.
    package func buckets(ofLevels levels: Int) -> Int { (levels + 1) << halfMagnitude }

    private func level(at index: Int) -> Int { max(index >> halfMagnitude - 1, 0) }
}
