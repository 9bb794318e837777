import Glibc
import Statistics

/// What a machine does to the times of trials that follow one another: models for simulating how often a comparison is wrong.
package enum MachineNoise: String, CaseIterable, Sendable {
    /// Trials of a deviation of 2 %, independent of each other.
    case normal
    /// A slow walk of the whole machine, as AR(1) of ρ = 0.9 and 2 %, and 1 % for each trial.
    case drifting
    /// Every trial hangs together with the one before: AR(1) of ρ = 0.6 and 2 %.
    case autocorrelated
    /// Student’s t of two degrees of freedom: a variance without end.
    case heavyTailed = "heavy-tailed"
    /// Every fourth trial or so, by chance, is 15 % slower.
    case bimodal
    /// Exponential: many short, few long.
    case skewed
    /// A second of a pair is 3 % slower than its first.
    case ordered
    /// The machine alternates between fast and slow, in step with the trials.
    case alternating

    /// ln of the times of so many trials.
    func draw(_ count: Int, _ random: inout SplitMix64) -> [Double] {
        var state = random.normal()
        func step(_ rho: Double) -> Double {
            defer { state = rho * state + (1 - rho * rho).squareRoot() * random.normal() }
            return state
        }
        return (0..<count).map { index in
            switch self {
            case .normal: 0.02 * random.normal()
            case .drifting: 0.02 * step(0.9) + 0.01 * random.normal()
            case .autocorrelated: 0.02 * step(0.6)
            case .heavyTailed: 0.02 * random.normal() / (-log(random.share())).squareRoot()
            case .bimodal: 0.01 * random.normal() + (random.share() < 0.25 ? 0.15 : 0)
            case .skewed: -0.02 * log(random.share())
            case .ordered: 0.02 * random.normal() + (index % 2 == 0 ? 0 : 0.03)
            case .alternating: 0.005 * random.normal() + (index % 4 < 2 ? 0 : 0.05)
            }
        }
    }
}

/// How often a comparison is wrong, by simulation.
package enum ErrorRates {
    /// The share of comparisons of a program with itself that alarm when one looks after every pair.
    package static func falseAlarms(
        of noise: MachineNoise, level: Double, pairs: Int, experiments: Int, seed: UInt64
    ) -> Double {
        let limits = Limits(level: level, pairs: pairs)
        var random = SplitMix64(seed: seed)
        let alarms = (0..<experiments).count { _ in
            limits.firstAlarm(differences(noise, shift: 0, pairs: pairs, &random)) != nil
        }
        return Double(alarms) / Double(experiments)
    }

    /// The share of comparisons that find a change, and after how many pairs half of all do; nil where fewer do.
    package static func found(
        change: Double, of noise: MachineNoise, level: Double, pairs: Int, experiments: Int, seed: UInt64
    ) -> (share: Double, medianPairs: Int?) {
        let limits = Limits(level: level, pairs: pairs)
        var random = SplitMix64(seed: seed)
        let alarms = (0..<experiments).compactMap { _ in
            limits.firstAlarm(differences(noise, shift: log1p(change), pairs: pairs, &random))
        }.sorted()
        let half = (experiments + 1) / 2
        return (Double(alarms.count) / Double(experiments), alarms.count >= half ? alarms[half - 1] : nil)
    }

    /// The share of alarms of what is usually done: all trials of one side, then all of the other, and a rank test.
    package static func sequentialFalseAlarms(
        of noise: MachineNoise, level: Double, pairs: Int, experiments: Int, seed: UInt64
    ) -> Double {
        var random = SplitMix64(seed: seed)
        let alarms = (0..<experiments).count { _ in
            let times = noise.draw(2 * pairs, &random)
            let test = MannWhitney(Array(times[..<pairs]), Array(times[pairs...]))
            return test.map { $0.pValue <= level } ?? false
        }
        return Double(alarms) / Double(experiments)
    }

    /// ln(head / base) of pairs, each in an order that a coin decides.
    private static func differences(
        _ noise: MachineNoise, shift: Double, pairs: Int, _ random: inout SplitMix64
    ) -> [Double] {
        let times = noise.draw(2 * pairs, &random)
        return (0..<pairs).map { pair in
            let first = times[2 * pair]
            let second = times[2 * pair + 1]
            return shift + (random.next() & 1 == 0 ? second - first : first - second)
        }
    }

    /// From how many signs of one kind on there is an alarm, after each number of pairs.
    private struct Limits {
        var fewest: [Int?]

        init(level: Double, pairs: Int) {
            fewest = (0...pairs).map { SignEvidence.fewestAbove(of: $0, reaching: 2 / level) }
        }

        /// After how many pairs there is an alarm; nil for none.
        func firstAlarm(_ differences: [Double]) -> Int? {
            var above = 0
            var below = 0
            for (index, difference) in differences.enumerated() {
                if difference > 0 { above += 1 } else if difference < 0 { below += 1 }
                if let limit = fewest[index + 1], max(above, below) >= limit { return index + 1 }
            }
            return nil
        }
    }
}

extension SplitMix64 {
    /// Uniform between 0 and 1, neither of which it reaches.
    fileprivate mutating func share() -> Double { (Double(next() >> 11) + 0.5) / Double(1 << 53) }

    /// Normal with mean 0 and deviation 1 (Box & Muller).
    fileprivate mutating func normal() -> Double { (-2 * log(share())).squareRoot() * cos(2 * .pi * share()) }
}
