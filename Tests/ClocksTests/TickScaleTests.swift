import Clocks
import Results
import Testing

@Suite struct TickScaleTests {
    private typealias Reading = TickScale.Reading

    @Test("two readings of a counter of 2.5 GHz make ticks of 0.4 ns, from the second one on")
    func scale() throws {
        let scale = try #require(
            TickScale(
                from: Reading(ticks: 1_000, nanoseconds: 7_000),
                to: Reading(ticks: 25_001_000, nanoseconds: 10_007_000)))
        #expect(scale.referenceTicks == 25_001_000 && scale.referenceNanoseconds == 10_007_000)
        // 0.4 × 2³², rounded.
        #expect(scale.multiplier == 1_717_986_918)
        #expect(scale.nanoseconds(at: 25_001_000) == 10_007_000)
        // 2.5 × 10¹² ticks are 1,000 s; a multiplier that is wrong by less than 1 in 10⁹ makes less than 1 µs of that.
        let later = scale.nanoseconds(at: 25_001_000 + 2_500_000_000_000)
        #expect(abs(later - (10_007_000 + 1_000_000_000_000)) < 1_000)
        // Before the reference, as on a processor whose counter is behind: rounded downwards.
        #expect((10_007_000 - 101...10_007_000 - 100).contains(scale.nanoseconds(at: 25_001_000 - 250)))
    }

    @Test("a product of 128 bits is not cut: a counter that has run for a hundred years")
    func large() {
        let scale = TickScale(referenceTicks: 0, referenceNanoseconds: 0, multiplier: 1 << 32)
        let century = UInt64(3_155_760_000) * 1_000_000_000
        #expect(scale.nanoseconds(at: century) == Int64(century))
    }

    @Test("a counter that stands or runs backwards has no scale")
    func none() {
        let first = Reading(ticks: 10, nanoseconds: 10)
        #expect(TickScale(from: first, to: Reading(ticks: 10, nanoseconds: 20)) == nil)
        #expect(TickScale(from: first, to: Reading(ticks: 9, nanoseconds: 20)) == nil)
        #expect(TickScale(from: first, to: Reading(ticks: 20, nanoseconds: 10)) == nil)
    }

    @Test("its text reads back, and what is no such text does not")
    func text() {
        let scale = TickScale(referenceTicks: .max, referenceNanoseconds: -5, multiplier: 1_431_655_765)
        #expect(TickScale(scale.text) == scale)
        for bad in ["", "1:2", "1:2:3:4", "a:2:3", "1:2:0", "1:2:-3", "-1:2:3"] {
            #expect(TickScale(bad) == nil, "\(bad)")
        }
    }
}
