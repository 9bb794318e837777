import Statistics
import Testing

@Suite("Jain's index of shares") struct JainIndexTests {
    @Test(
        "is (Σx)² / (n·Σx²)",
        arguments: [
            ([1, 1, 1, 1], 1), ([7], 1),
            // k of n have all: k/n.
            ([1, 0, 0, 0], 1.0 / 4), ([5, 5, 0, 0, 0], 2.0 / 5),
            // 6² / (3 · 14), in any unit.
            ([1, 2, 3], 36.0 / 42), ([1e9, 2e9, 3e9], 36.0 / 42),
            // 100² / (4 · 3,000).
            ([40, 30, 20, 10], 10_000.0 / 12_000), ([], 1), ([0, 0], 1),
        ] as [([Double], Double)])
    func values(_ shares: [Double], _ index: Double) {
        #expect(abs(jainIndex(shares) - index) < 1e-15)
    }
}
