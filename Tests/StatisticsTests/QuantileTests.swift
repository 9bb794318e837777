import Statistics
import Testing

@Suite struct QuantileTests {
    @Test(
        "the value at nearest rank is that of a table made by hand",
        arguments: [
            // Wikipedia, “Percentile”, nearest-rank method: 15, 20, 35, 40, 50.
            (0.05, 15), (0.30, 20), (0.40, 20), (0.50, 35), (1.00, 50), (0.00, 15), (0.2, 15), (0.2000001, 20),
            (0.8, 40), (0.81, 50),
        ])
    func table(_ share: Double, _ value: Int) { #expect(nearestRank(share, ofSorted: [15, 20, 35, 40, 50]) == value) }

    @Test("a single value is every percentile", arguments: [0, 0.001, 0.5, 0.999, 1])
    func single(_ share: Double) { #expect(nearestRank(share, ofSorted: [7]) == 7) }

    @Test("a rank that is whole is not raised because its share is not exact in binary")
    func roundingUp() {
        // 0.07 × 100 and 0.999 × 1,000 and 0.14 × 50 are a little more than whole in binary; 0.29 × 100 a little less.
        #expect(0.07 * 100 > 7)
        #expect(nearestRank(0.07, ofSorted: Array(1...100)) == 7)
        #expect(nearestRank(0.999, ofSorted: Array(1...1000)) == 999)
        #expect(nearestRank(0.14, ofSorted: Array(1...50)) == 7)
        #expect(nearestRank(0.29, ofSorted: Array(1...100)) == 29)
    }

    @Test("k of n is rank k, and the least bit more than k of n is rank k + 1")
    func allShares() {
        for count in 1...400 {
            let values = Array(1...count)
            for rank in 1...count {
                let share = Double(rank) / Double(count)
                #expect(nearestRank(share, ofSorted: values) == rank)
                if rank < count { #expect(nearestRank(share + 1e-9, ofSorted: values) == rank + 1) }
            }
        }
    }

    @Test("ranks are right among more values than 32 bits count")
    func large() {
        // A range is its own sorted values: element k, counted from 1, is k − 1.
        let count = 5_000_000_001
        #expect(nearestRank(0.3, ofSorted: 0..<count) == 1_500_000_000)  // rank ⌈1,500,000,000.3⌉
        #expect(nearestRank(0.5, ofSorted: 0..<count) == 2_500_000_000)
        #expect(nearestRank(1, ofSorted: 0..<count) == count - 1)
        #expect(nearestRank(0.999, ofSorted: 0..<10_000_000_000) == 9_989_999_999)
        // As a Double the largest count is one more than it is.
        #expect(nearestRank(1, among: .max) == .max && nearestRank(0.5, among: .max) == 1 << 62)
        #expect(nearestRank(0, among: .max) == 1)
    }

    @Test("a slice is ranked by itself, whatever its indices")
    func slice() { #expect(nearestRank(0.5, ofSorted: [0, 0, 0, 1, 2, 3][3...]) == 2) }

    private struct Case: Decodable {
        var values: [Double]
        var shares: [Double]
        var linear: [Double]
        var medianUnbiased: [Double]
    }

    @Test("interpolated quantiles are those of NumPy")
    func goldens() throws {
        for golden in try golden("quantiles", as: Case.self) {
            let sorted = golden.values.sorted()
            for (place, p) in golden.shares.enumerated() {
                #expect(agree(quantile(p, ofSorted: sorted), golden.linear[place]))
                #expect(agree(quantile(p, ofSorted: sorted, definition: .medianUnbiased), golden.medianUnbiased[place]))
            }
        }
    }

    @Test("the quantile of a half is the median in either definition")
    func halves() {
        for definition in QuantileDefinition.allCases {
            #expect(quantile(0.5, ofSorted: [1, 2, 4], definition: definition) == 2)
            #expect(quantile(0.5, ofSorted: [1, 2, 4, 9], definition: definition) == 3)
            #expect(quantile(0, ofSorted: [3], definition: definition) == 3)
        }
    }

    @Test("a percentile needs ten values beyond it, the median one")
    func needed() {
        #expect(valuesNeeded(forPercentile: 0.5) == 1)
        #expect(valuesNeeded(forPercentile: 0.9) == 100)
        #expect(valuesNeeded(forPercentile: 0.99) == 1_000)
        #expect(valuesNeeded(forPercentile: 0.999) == 10_000)
    }

    @Test("the median is the middle value, or the mean of the two in the middle")
    func medians() {
        #expect(median([]) == nil)
        #expect(median([3]) == 3)
        #expect(median([9, 1, 2]) == 2)
        #expect(median([4, 1, 3, 2]) == 2.5)
        #expect(median([-1, 1]) == 0)
        #expect(median([1e308, 1.5e308])!.isFinite)
    }
}
