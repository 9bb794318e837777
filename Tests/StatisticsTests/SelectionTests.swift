import Statistics
import Testing

@Suite struct SelectionTests {
    @Test("the value selected is the one that sorting puts there", arguments: [1, 2, 3, 10, 101])
    func selects(_ count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        for most in [2, 10, 1_000_000] {
            let values = (0..<count).map { _ in Double(random.next(below: most)) }
            let sorted = values.sorted()
            for index in 0..<count {
                var copy = values
                #expect(select(index, in: &copy) == sorted[index])
                #expect(copy.sorted() == sorted)
                #expect(copy[..<index].allSatisfy { $0 <= sorted[index] })
            }
        }
    }

    @Test("orders that are bad for other methods are not for this one")
    func orders() {
        let count = 300_000
        let ascending = (0..<count).map { Double($0) }
        let upAndDown = ascending.map { min($0, Double(count) - $0) }
        for values: [Double] in [ascending, ascending.reversed(), upAndDown, Array(repeating: 1, count: count)] {
            var copy = values
            #expect(select(count / 2, in: &copy) == values.sorted()[count / 2])
        }
    }
}
