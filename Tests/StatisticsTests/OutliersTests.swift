import Statistics
import Testing

@Suite struct OutliersTests {
    private struct Case: Decodable {
        var values: [Double]
        var lowerQuartile: Double
        var upperQuartile: Double
        var lowSevere: Int
        var lowMild: Int
        var highMild: Int
        var highSevere: Int
    }

    @Test("quartiles and counts are those that NumPy gives")
    func goldens() throws {
        for golden in try golden("outliers", as: Case.self) {
            let outliers = try #require(Outliers(in: golden.values))
            #expect(agree(outliers.lowerQuartile, golden.lowerQuartile))
            #expect(agree(outliers.upperQuartile, golden.upperQuartile))
            #expect(outliers.lowSevere == golden.lowSevere && outliers.lowMild == golden.lowMild)
            #expect(outliers.highMild == golden.highMild && outliers.highSevere == golden.highSevere)
            #expect(outliers.count == golden.values.count)
        }
    }

    @Test("a value on a fence is inside it, one beyond is labelled by the fence that it passed")
    func fences() throws {
        // Quartiles 2 and 4: the inner fences stand at −1 and 7, the outer ones at −4 and 10.
        let outliers = try #require(Outliers(in: [1, 2, 3, 4, 5]))
        #expect(outliers.total == 0)
        #expect([-1, 0, 7].allSatisfy { outliers.label($0) == .inside })
        #expect(outliers.label(-1.001) == .lowMild && outliers.label(-4) == .lowMild)
        #expect(outliers.label(-4.001) == .lowSevere)
        #expect(outliers.label(7.001) == .highMild && outliers.label(10) == .highMild)
        #expect(outliers.label(10.001) == .highSevere)
    }

    @Test("of values most of which are one, the others are counted under a doubt")
    func ticks() throws {
        let outliers = try #require(Outliers(in: [3, 3, 3, 3, 3, 3, 4, 2]))
        #expect(outliers.total == 2 && outliers.doubt != nil)
        #expect(Outliers(in: [3, 3, 3])?.doubt == nil && Outliers(in: [3, 3, 3])?.total == 0)
    }

    @Test("of nothing, or where a value is no number, there is no count")
    func refused() {
        #expect(Outliers(in: []) == nil)
        #expect(Outliers(in: [1, .nan]) == nil && Outliers(in: [1, .infinity]) == nil)
        #expect(Outliers(in: [1])?.total == 0)
    }
}
