import Analysis
import Statistics
import Testing

/// Made-up samples, always the same ones.
struct Noise {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// In 0 ..< 1.
    mutating func uniform() -> Double { Double(random.next() >> 11) / 9_007_199_254_740_992 }
    /// Nearly normal, of mean 0 and standard deviation 1: the sum of twelve uniform ones.
    mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += uniform() }
        return sum
    }

    /// Values about 100 that scatter by a share of it.
    mutating func samples(_ count: Int, scatter: Double = 0.02) -> [Double] {
        var values: [Double] = []
        for _ in 0..<count { values.append(100 * (1 + scatter * normal())) }
        return values
    }

    /// The same with a long tail, and a sample in thirty that was disturbed.
    mutating func disturbed(_ count: Int) -> [Double] {
        var values: [Double] = []
        for _ in 0..<count {
            let tail = uniform()
            values.append(100 + 3 / (0.1 + tail) + (uniform() < 0.03 ? 200 * tail : 0))
        }
        return values
    }

    /// Values about 100 each of which keeps a share of what the one before was off.
    mutating func hangingTogether(_ count: Int, _ share: Double, scatter: Double = 0.02) -> [Double] {
        var off = normal()
        var values: [Double] = []
        for _ in 0..<count {
            off = share * off + (1 - share * share).squareRoot() * normal()
            values.append(100 * (1 + scatter * off))
        }
        return values
    }
}

@Suite("When the look of samples is worth a doubt")
struct DoubtRulesTests {
    private struct Alarms {
        var drift = 0
        var dependence = 0
        var modes = 0

        mutating func ask(_ series: [[Double]]) {
            if DoubtRules.driftInside(series) != nil { drift += 1 }
            if DoubtRules.dependence(series) != nil { dependence += 1 }
            if DoubtRules.severalModes(series) != nil { modes += 1 }
        }
    }

    @Test("of 1,500 quiet benchmarks none is doubted", arguments: [30, 100])
    func quiet(count: Int) {
        var noise = Noise(seed: UInt64(count))
        var alarms = Alarms()
        for _ in 0..<500 {
            alarms.ask((0..<3).map { _ in noise.samples(count) })
            // A tick of the clock every percent.
            alarms.ask((0..<3).map { _ in noise.samples(count).map { $0.rounded() } })
            alarms.ask((0..<3).map { _ in noise.disturbed(count) })
        }
        #expect(alarms.drift == 0 && alarms.dependence == 0 && alarms.modes == 0, "\(alarms)")
    }

    @Test("samples that hang together are not called drifting, nor of several modes")
    func wandering() {
        var noise = Noise(seed: 5)
        var alarms = Alarms()
        for _ in 0..<300 { alarms.ask((0..<3).map { _ in noise.hangingTogether(100, 0.8) }) }
        #expect(alarms.drift == 0 && alarms.modes == 0, "\(alarms)")
        #expect(alarms.dependence > 290)
    }

    @Test("one trial alone is rarely doubted: about one in a hundred at the most")
    func alone() {
        var noise = Noise(seed: 6)
        var alarms = Alarms()
        for _ in 0..<1000 { alarms.ask([noise.samples(100)]) }
        #expect(alarms.drift < 5 && alarms.dependence < 15 && alarms.modes < 5, "\(alarms)")
    }

    @Test("of 1,000 runs whose trials do not drift hardly any is doubted")
    func quietRuns() {
        var noise = Noise(seed: 7)
        var alarms = 0
        for _ in 0..<1000 where DoubtRules.driftOver(noise.samples(20), scale: 100) != nil { alarms += 1 }
        #expect(alarms <= 3)
    }

    @Test("a drift of 3 % inside trials is found, with its direction and its size, and one of 0.5 % is let be")
    func drift() throws {
        var noise = Noise(seed: 8)
        func series(_ share: Double) -> [[Double]] {
            (0..<6).map { _ in noise.samples(400).enumerated().map { $1 * (1 + share * Double($0) / 399) } }
        }
        let slower = try #require(DoubtRules.driftInside(series(0.03)))
        #expect(slower.trials >= 4 && slower.asked == 6 && abs(slower.size - 0.03) < 0.01)
        #expect(try #require(DoubtRules.driftInside(series(-0.03))).size < 0)
        #expect(DoubtRules.driftInside(series(0.005)) == nil)
        // One way in half of the trials and the other way in the rest is no drift of the benchmark.
        #expect(DoubtRules.driftInside(Array(series(0.03)[..<3] + series(-0.03)[..<3])) == nil)
    }

    @Test("a drift over the trials of a run is found from ten trials on")
    func driftOver() throws {
        var noise = Noise(seed: 9)
        let rising = noise.samples(12, scatter: 0.002).enumerated().map { $1 * (1 + 0.01 * Double($0)) }
        let change = try #require(DoubtRules.driftOver(rising, scale: 100))
        #expect(abs(change - 0.11) < 0.02)
        #expect(DoubtRules.driftOver(Array(rising[..<9]), scale: 100) == nil)
        #expect(DoubtRules.driftOver(rising, scale: 0) == nil)
    }

    @Test("two places 5 % apart are found with both of them, and two places 0.5 % apart are let be")
    func modes() throws {
        var noise = Noise(seed: 10)
        func series(_ distance: Double) -> [[Double]] {
            (0..<4).map { _ in
                noise.samples(200, scatter: distance / 10).map { $0 + (noise.uniform() < 0.4 ? 100 * distance : 0) }
            }
        }
        let (finding, places) = try #require(DoubtRules.severalModes(series(0.05)))
        #expect(finding.trials == 4 && abs(places.0 - 100) < 0.5 && abs(places.1 - 105) < 0.5)
        #expect(DoubtRules.severalModes(series(0.005)) == nil)
    }

    @Test("a fine structure, and samples that other work interrupted, are no modes")
    func fineStructure() {
        var noise = Noise(seed: 11)
        let series = (0..<3).map { _ in
            (0..<500).map { _ in
                // Three places a hundredth of a percent apart; one sample in thirty lasts as long as a time slice in addition.
                100 + 0.01 * Double(Int(noise.uniform() * 3)) + 0.001 * noise.normal()
                    + (noise.uniform() < 0.03 ? 4000 : 0)
            }
        }
        #expect(DoubtRules.severalModes(series) == nil)
    }

    @Test("two places are found however sharp they are, and where one is the rarer")
    func sharpModes() throws {
        var noise = Noise(seed: 12)
        let series = (0..<3).map { _ in
            (0..<500).map { _ in (noise.uniform() < 0.2 ? 110 : 100) + 0.001 * noise.normal() }
        }
        let (_, places) = try #require(DoubtRules.severalModes(series))
        #expect(abs(places.0 - 100) < 0.01 && abs(places.1 - 110) < 0.01)
    }

    @Test("no samples, one sample, and samples that are all alike give no doubt")
    func nothing() {
        let zeros = [Double](repeating: 0, count: 100)
        let sevens = [Double](repeating: 7, count: 100)
        let none: [[[Double]]] = [[], [[]], [[1]], [zeros], [sevens]]
        for series in none {
            #expect(DoubtRules.driftInside(series) == nil && DoubtRules.dependence(series) == nil)
            #expect(DoubtRules.severalModes(series) == nil)
        }
    }
}
