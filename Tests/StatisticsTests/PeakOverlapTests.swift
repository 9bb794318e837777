import Statistics
import Testing

@Suite struct PeakOverlapTests {
    @Test("spans that touch do not overlap, and those that share a moment do")
    func small() {
        #expect(peakOverlap(begins: [], ends: []) == 0)
        #expect(peakOverlap(begins: [3], ends: [4]) == 1)
        #expect(peakOverlap(begins: [0, 5], ends: [5, 9]) == 1)
        #expect(peakOverlap(begins: [0, 4], ends: [5, 9]) == 2)
        #expect(peakOverlap(begins: [0, 1, 2, 9], ends: [10, 3, 3, 11]) == 3)
        #expect(peakOverlap(begins: [5, 0], ends: [5, 10]) == 1)
        #expect(peakOverlap(begins: [-5, .min], ends: [.max, 0]) == 2)
    }

    @Test("the peak is what counting at every moment finds")
    func exhaustive() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<200 {
            let spans = (0..<random.next(below: 40)).map { _ -> (Int, Int) in
                let begin = random.next(below: 60)
                return (begin, begin + 1 + random.next(below: 15))
            }
            let peak = (0..<80).map { moment in spans.count { $0.0 <= moment && moment < $0.1 } }.max() ?? 0
            #expect(peakOverlap(begins: spans.map { Int64($0.0) }, ends: spans.map { Int64($0.1) }) == peak)
        }
    }
}
