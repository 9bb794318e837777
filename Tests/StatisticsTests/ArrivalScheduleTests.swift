import Glibc
import Statistics
import Testing

@Suite("A schedule of arrivals") struct ArrivalScheduleTests {
    @Test("uniform ones are as far apart as the rate says")
    func uniform() {
        let schedule = ArrivalSchedule(count: 5, perSecond: 1_000, .uniform, seed: 1)
        #expect(schedule.offsets == [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000])
    }

    @Test("bursts come at once, and keep the rate")
    func bursts() {
        let schedule = ArrivalSchedule(count: 7, perSecond: 100, .bursts(of: 3), seed: 1)
        #expect(schedule.offsets == [0, 0, 0, 30_000_000, 30_000_000, 30_000_000, 60_000_000])
    }

    @Test("those of a Poisson process are fixed by the seed, ascend, and differ with it")
    func seeded() {
        let schedule = ArrivalSchedule(count: 1_000, perSecond: 500, .poisson, seed: 7)
        #expect(schedule == ArrivalSchedule(count: 1_000, perSecond: 500, .poisson, seed: 7))
        #expect(schedule != ArrivalSchedule(count: 1_000, perSecond: 500, .poisson, seed: 8))
        #expect(schedule.offsets == schedule.offsets.sorted())
    }

    @Test("distances of a Poisson process are exponential: mean and deviation are 1/rate, and 1/e of them are longer")
    func exponential() throws {
        let count = 100_000
        let offsets = ArrivalSchedule(count: count, perSecond: 1_000, .poisson, seed: 3).offsets
        let distances = zip(offsets.dropFirst(), offsets).map { Double($0 - $1) / 1e6 }
        let mean = distances.reduce(0, +) / Double(distances.count)
        let variance = distances.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(distances.count)
        // Four standard errors: 1/√n of the mean, √8/√n of the variance, √(p(1 − p)/n) of the share.
        #expect(abs(mean - 1) < 0.013)
        #expect(abs(variance - 1) < 0.036)
        let longer = Double(distances.count { $0 > 1 }) / Double(distances.count)
        #expect(abs(longer - exp(-1)) < 0.0061)
    }

    @Test("those of a Poisson process lie in the time in which so many come at the rate, as uniform draws in order do")
    func withinItsTime() {
        // Four at 0.5 a second: 8 s.
        let (count, seeds, time) = (4, 4_000, 8e9)
        var sums = [Double](repeating: 0, count: count)
        for seed in 0..<UInt64(seeds) {
            let offsets = ArrivalSchedule(count: count, perSecond: 0.5, .poisson, seed: seed).offsets
            #expect(offsets.count == count && offsets.allSatisfy { $0 >= 0 && Double($0) <= time })
            for (place, offset) in offsets.enumerated() { sums[place] += Double(offset) / time }
        }
        for place in 0..<count {
            // The i-th of n is distributed as Beta(i, n + 1 - i); four standard errors.
            let (i, n) = (Double(place + 1), Double(count))
            let variance = i * (n + 1 - i) / ((n + 1) * (n + 1) * (n + 2))
            let error = 4 * (variance / Double(seeds)).squareRoot()
            #expect(abs(sums[place] / Double(seeds) - i / (n + 1)) < error, "arrival \(place)")
        }
    }

    @Test("those of two blocks are not one sequence, shifted")
    func blocks() {
        func distances(_ block: Int) -> [Int64] {
            let offsets = ArrivalSchedule(
                count: 300, perSecond: 1_000, .poisson, seed: ArrivalSchedule.seed(ofRun: 9, block: block)
            ).offsets
            return zip(offsets.dropFirst(), offsets).map(-)
        }
        let first = Set(distances(0))
        // Among whole nanoseconds of some milliseconds hardly any two are alike by chance.
        for block in 1...4 { #expect(distances(block).count { first.contains($0) } < 5) }
    }
}
