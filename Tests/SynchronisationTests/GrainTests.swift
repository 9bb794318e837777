import Synchronisation
import Testing

@Suite("Work in pieces")
struct GrainTests {
    @Test("chunks cover all pieces, in order, without a gap, and their lengths differ by one at most")
    func covering() {
        for (count, parts) in [(10, 3), (2_000, 2), (7, 7), (1, 1), (5, 64), (0, 4)] {
            let ranges = chunks(of: count, into: parts)
            #expect(ranges.flatMap { Array($0) } == Array(0..<count))
            #expect((ranges.map(\.count).max() ?? 0) - (ranges.map(\.count).min() ?? 0) <= 1)
            #expect(ranges.count == max(min(parts, count), 1))
        }
    }

    @Test("pieces make the same work together, but for the shortest, of which there are no more than can be handed out")
    func counts() {
        #expect(pieceCount(grain: 100_000, isQuick: false) == 40)
        #expect(pieceCount(grain: 10_000, isQuick: false) == 400)
        #expect(pieceCount(grain: 1_000, isQuick: false) == 2_000)
        #expect(pieceCount(grain: 100, isQuick: false) == 2_000)
        #expect(pieceCount(grain: 100_000, isQuick: true) == 10)
    }
}
