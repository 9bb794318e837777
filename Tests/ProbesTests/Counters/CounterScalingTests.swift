import Probes
import Results
import Testing

@Suite struct CounterScalingTests {
    private func reading(_ count: UInt64, _ enabled: UInt64, _ running: UInt64) -> Reading {
        scaledReading(of: [CountedPart(count: count, time: CountedTime(enabled: enabled, running: running))])
    }

    @Test(
        "a count is what it is when it was counted all of the time, and is scaled up when it was not",
        arguments: [
            // count, enabled, running → reading
            (0, 10, 10, .measured(0)),
            (17, 10, 10, .measured(17)),
            (17, 10, 11, .measured(17)),
            (10, 10, 5, .estimated(20, share: 0.5)),
            (0, 10, 5, .estimated(0, share: 0.5)),
            // 7 × 10 ÷ 4 = 17.5, rounded half up.
            (7, 10, 4, .estimated(18, share: 0.4)),
            // 7 × 10 ÷ 3 = 23.33…
            (7, 10, 3, .estimated(23, share: 0.3)),
            (3_000_000, 18_100_000, 2_200_000, .estimated(24_681_818, share: 2.2 / 18.1)),
            // The product needs 105 bits, the result 62: (2^60 + 1) × 3·2^45 ÷ 2^45.
            (1 << 60 + 1, 3 << 43, 1 << 43, .estimated(Double(UInt64(3 << 60 + 3)), share: 1 / 3)),
        ] as [(UInt64, UInt64, UInt64, Reading)])
    func table(_ count: UInt64, _ enabled: UInt64, _ running: UInt64, _ expected: Reading) {
        #expect(reading(count, enabled, running) == expected)
    }

    @Test("a scaled count beyond 64 bits is still a number")
    func huge() throws {
        let value = try #require(reading(1 << 62, 1 << 40, 1).value)
        #expect(value == 0x1p102)
    }

    @Test("what never had its turn was not counted, which is not zero")
    func noTurn() {
        #expect(reading(0, 10, 0).status == .notCounted && reading(0, 10, 0).reason?.contains("no turn") == true)
        #expect(reading(0, 0, 0).status == .notCounted)
    }

    @Test("a count that went backwards is none")
    func backwards() {
        #expect(reading(3 &- 5, 10, 10).status == .notCounted)
        #expect(scaledReading(of: [CountedPart(count: 3 &- 5, time: nil)]).status == .notCounted)
    }

    @Test("a source that tells no times is believed")
    func noTimes() {
        #expect(scaledReading(of: [CountedPart(count: 5, time: nil)]) == .measured(5))
        #expect(scaledReading(of: []).status == .notCounted)
    }

    @Test("what was counted on two kinds of cores is added, and not scaled by the time on each")
    func hybrid() {
        func both(_ first: CountedTime, _ second: CountedTime) -> Reading {
            scaledReading(of: [CountedPart(count: 700, time: first), CountedPart(count: 300, time: second)])
        }
        // On the first kind for 7 of 10 µs. The second was read a little later.
        #expect(
            both(.init(enabled: 10_000, running: 7_000), .init(enabled: 10_004, running: 3_004)) == .measured(1_000))
        // On the first kind all the time.
        let stayed = scaledReading(of: [
            CountedPart(count: 700, time: .init(enabled: 10_000, running: 10_000)),
            CountedPart(count: 0, time: .init(enabled: 10_004, running: 0)),
        ])
        #expect(stayed == .measured(700))
        // In turns with other events besides: half of the time is missing.
        #expect(
            both(.init(enabled: 10_000, running: 3_000), .init(enabled: 10_000, running: 2_000))
                == .estimated(2_000, share: 0.5))
    }

    @Test("sums of differences mean what one difference over all of it would")
    func sums() throws {
        let layout = CounterLayout(
            events: try events("instructions"), places: [[.init(value: 2, enabled: 0, running: 1)]], wordCount: 3)
        var totals = CounterTotals(layout: layout, words: [10, 10, 100], closings: 1, fault: nil)
        #expect(totals.readings == [.measured(100)])
        totals.add(CounterTotals(layout: layout, words: [10, 0, 0], closings: 1, fault: nil))
        #expect(totals.readings == [.estimated(200, share: 0.5)])
        totals.add(CounterTotals(layout: layout, words: [0, 0, 0], closings: 0, fault: .system(5)))
        #expect(totals.readings[0].status == .notCounted)
        #expect(
            CounterTotals(layout: layout, words: [0, 0, 0], closings: 0, fault: nil).readings[0].status == .notCounted)
    }
}
