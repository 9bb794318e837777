import Statistics
import Testing

@Suite struct SplitMix64Tests {
    @Test("the sequence is the published one")
    func reference() {
        // https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
        var random = SplitMix64(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ]
        #expect(expected.map { _ in random.next() } == expected)
    }

    @Test(
        "a shuffle is a permutation, the same for the same seed and another for another",
        arguments: [0, 1, 2, 3, 100, 1_000])
    func shuffles(_ count: Int) {
        let numbers = Array(0..<count)
        var first = SplitMix64(seed: 1)
        var same = SplitMix64(seed: 1)
        var other = SplitMix64(seed: 2)
        let shuffled = first.shuffled(numbers)
        #expect(shuffled.sorted() == numbers)
        #expect(same.shuffled(numbers) == shuffled)
        if count >= 100 { #expect(other.shuffled(numbers) != shuffled && shuffled != numbers) }
    }

    @Test("each order of three comes about equally often")
    func fair() {
        var random = SplitMix64(seed: 3)
        var seen: [[Int]: Int] = [:]
        for _ in 0..<6_000 { seen[random.shuffled([0, 1, 2]), default: 0] += 1 }
        // 1,000 of each, give or take five standard deviations of 29.
        #expect(seen.count == 6 && seen.values.allSatisfy { (855...1_145).contains($0) })
    }

    @Test("numbers below a bound stay below it and reach all of them", arguments: [1, 2, 3, 7, 10])
    func bounded(_ bound: Int) {
        var random = SplitMix64(seed: 4)
        var seen: Set<Int> = []
        for _ in 0..<1_000 { seen.insert(random.next(below: bound)) }
        #expect(seen == Set(0..<bound))
        #expect((0..<Int.max).contains(random.next(below: .max)))
    }
}
