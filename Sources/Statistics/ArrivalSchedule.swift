import Glibc

/// How arrivals are spread over time.
package enum ArrivalProcess: Hashable, Sendable {
    /// At equal distances.
    case uniform
    /// Independently of one another, within the time in which so many come at the rate: distances are exponential.
    ///
    /// Those of a Poisson process of which it is known that so many came in a time are as many uniform draws in order, and these are the
    /// sums of exponential draws, divided by one sum more (Devroye, “Non-Uniform Random Variate Generation”, 1986, chapter V).
    /// Without that the last of a few would come at any time: five at 0.5 a second are over after 10 s, give or take 4.5.
    case poisson
    /// So many at once, at equal distances.
    case bursts(of: Int)
}

/// When tasks of an open loop are due: drawn before the first of them, so that no stall can put off what comes after it, and fixed by
/// a seed, so that every strategy meets the same arrivals.
///
/// Arrivals that do not wait for completions are those of an open system (Schroeder, Wierman & Harchol-Balter, “Open Versus
/// Closed: A Cautionary Tale”, NSDI 2006).
package struct ArrivalSchedule: Hashable, Sendable {
    /// From the begin of the schedule, in nanoseconds, ascending.
    package var offsets: [Int64]

    /// The seed of a block's schedule: far from that of other blocks, whose schedules must have nothing to do with it. (SplitMix64 goes
    /// on from a seed by adding a constant: seeds that differ by it would give one sequence, shifted.)
    package static func seed(ofRun seed: UInt64, block: Int) -> UInt64 {
        var ofRun = SplitMix64(seed: seed)
        var ofBlock = SplitMix64(seed: UInt64(truncatingIfNeeded: block))
        return ofRun.next() ^ ofBlock.next()
    }

    /// Arrivals at given moments.
    package init(offsets: [Int64]) { self.offsets = offsets }

    /// - Parameters:
    ///   - rate: arrivals per second, over a long time; above 0.
    ///   - seed: with the same seed, count, rate and process comes the same schedule, on every machine.
    package init(count: Int, perSecond rate: Double, _ process: ArrivalProcess, seed: UInt64) {
        switch process {
        case .uniform: offsets = (0..<count).map { Int64((Double($0) / rate * 1e9).rounded()) }
        case .bursts(let size):
            let size = max(size, 1)
            offsets = (0..<count).map { Int64((Double($0 / size * size) / rate * 1e9).rounded()) }
        case .poisson:
            // Twice, for the sum of all distances is needed before the first moment, and so many numbers are not kept for it.
            var generator = SplitMix64(seed: seed)
            let sum = (0...count).reduce(0.0) { sum, _ in sum + Self.exponential(&generator) }
            generator = SplitMix64(seed: seed)
            let scale = Double(count) / rate * 1e9 / sum
            var time = 0.0
            offsets = (0..<count).map { _ in
                time += Self.exponential(&generator)
                return Int64((time * scale).rounded())
            }
        }
    }

    /// A draw from the exponential distribution of mean 1.
    private static func exponential(_ generator: inout SplitMix64) -> Double {
        // Uniform in (0, 1] with all 53 bits of a Double: its logarithm is finite.
        -log(Double((generator.next() >> 11) + 1) * 0x1p-53)
    }
}
