import Statistics
import Testing

@Suite struct MidranksTests {
    @Test("equal values share the mean of their ranks, and each group of them is counted")
    func shared() {
        let (ranks, groups) = midranks([3, 1, 3, 2, 3, 1])
        #expect(ranks == [5, 1.5, 5, 3, 5, 1.5])
        #expect(groups == [2, 1, 3])
        #expect(midranks([]).ranks.isEmpty && midranks([]).groups.isEmpty)
        #expect(midranks([7, 7]).ranks == [1.5, 1.5])
    }
}
