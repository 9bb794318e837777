import Analysis
import Testing

@Suite("What is efficient in two costs")
struct EfficientFrontTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var costs: [(Double, Double)]
        var efficient: [Bool]
    }

    /// By the definition: one is not efficient when another is at least as good in both, and better in one.
    static let cases = [
        Case(testDescription: "none", costs: [], efficient: []),
        Case(testDescription: "one alone", costs: [(5, 5)], efficient: [true]),
        Case(testDescription: "one that is better in both", costs: [(1, 1), (2, 2)], efficient: [true, false]),
        Case(testDescription: "each better in one", costs: [(1, 2), (2, 1)], efficient: [true, true]),
        Case(testDescription: "as fast, and more frugal", costs: [(1, 2), (1, 1)], efficient: [false, true]),
        Case(testDescription: "as frugal, and faster", costs: [(2, 1), (1, 1)], efficient: [false, true]),
        Case(testDescription: "alike in both", costs: [(1, 1), (1, 1)], efficient: [true, true]),
        Case(
            testDescription: "in the middle, beaten by none of both ends", costs: [(1, 3), (2, 2), (3, 1)],
            efficient: [true, true, true]),
        Case(
            testDescription: "behind the middle one alone", costs: [(1, 9), (4, 4), (5, 5), (9, 1)],
            efficient: [true, true, false, true]),
        Case(
            testDescription: "an end that is no better than its neighbour", costs: [(1, 2), (3, 2), (3, 1)],
            efficient: [true, false, true]),
        Case(testDescription: "nothing at all costs least", costs: [(0, 0), (0, 1)], efficient: [true, false]),
    ]

    @Test("follows from the definition", arguments: cases)
    func front(_ example: Case) {
        #expect(efficientFront(example.costs) == example.efficient)
        #expect(
            efficientFront(example.costs.reversed()) == example.efficient.reversed(), "the order makes no difference")
    }
}
