import Statistics
import Testing

@Suite struct DipTests {
    private struct Case: Decodable {
        var values: [Double]
        var dip: Double
    }

    @Test("the dip is that of the package diptest, of smooth and of tied values")
    func goldens() throws {
        for golden in try golden("dips", as: Case.self) {
            let expected = max(golden.dip, 0.5 / Double(golden.values.count))
            #expect(agree(dip(ofSorted: golden.values.sorted()), expected), "\(golden)")
        }
    }

    @Test("two equal clumps dip nearly as far as can be, evenly spaced values and equal ones as little")
    func ends() {
        let clumps = (0..<100).map { Double($0) * 1e-6 + ($0 < 50 ? 0 : 1) }
        #expect(dip(ofSorted: clumps) > 0.24 && dip(ofSorted: clumps) <= 0.25)
        #expect(dip(ofSorted: (0..<100).map(Double.init)) == 0.005)
        #expect(dip(ofSorted: Array(repeating: 1, count: 100)) == 0.005)
        #expect(dip(ofSorted: [1]) == 0.5)
    }

    @Test("a change of unit, of origin or of direction does not change the dip")
    func invariant() {
        var simulation = Simulation(seed: 1)
        for _ in 0..<200 {
            let values = (0..<40).map { _ in simulation.normal() }.sorted()
            let expected = dip(ofSorted: values)
            #expect(agree(dip(ofSorted: values.map { 1000 * $0 + 7 }), expected, within: 1e-9))
            #expect(agree(dip(ofSorted: values.reversed().map { -$0 }), expected, within: 1e-9))
        }
    }
}
