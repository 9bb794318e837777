import Statistics
import Testing

@Suite struct NormalTests {
    private struct Case: Decodable {
        var share: Double
        var z: Double
    }

    @Test("quantiles of the normal distribution are those of SciPy, far into the tails")
    func quantiles() throws {
        for golden in try golden("normals", as: Case.self) {
            #expect(agree(normalQuantile(golden.share), golden.z, within: 1e-13, scale: 1e-3), "\(golden)")
            #expect(agree(normalShare(below: golden.z), golden.share, within: 1e-11), "\(golden)")
        }
        #expect(normalQuantile(0) == -.infinity && normalQuantile(1) == .infinity)
    }

    @Test("a score of 1.96 either way is met by one in twenty")
    func twoSided() {
        #expect(agree(normalTwoSided(1.959_963_984_540_054), 0.05))
        #expect(normalTwoSided(-1.5) == normalTwoSided(1.5))
        #expect(normalTwoSided(0) == 1 && normalTwoSided(.infinity) == 0)
    }
}
