import Glibc
import Results
import Statistics

/// Judges all that is compared at once, at any time, with one rate of false alarms for the whole.
///
/// **The effect** is the median over pairs of ln(head / base). **The interval** is that of `MedianSequence`: under no change, swapping the
/// two trials of a pair swaps the sign of its difference, and a coin that nobody foresaw did swap them or not; so each sign is fair given all before it,
/// whatever the machine did, and one may look after every pair.
///
/// **The family.** Over m comparisons, Holm’s steps (“A Simple Sequentially Rejective Multiple Test Procedure”, 1979) keep the
/// probability of any false alarm at or below α: the strongest evidence must reach α/m, the next α/(m − 1) and so on. At the
/// first that does not, all that remain are judged at its level. Each interval is told at the level at which its comparison was judged.
///
/// **The verdict.** Unchanged when the interval lies inside the tolerance; regressed or improved when it excludes zero and the estimate lies beyond half
/// the tolerance; undecided else. A change of half to all of the tolerance may thus be told as either of two, never silently.
package struct Judge: Hashable, Sendable, Codable {
    /// The probability that anything at all is told to have changed when nothing has.
    package var falseAlarms: Double
    /// The change that does not matter, as a share.
    package var tolerance: Double

    package init(falseAlarms: Double = 0.01, tolerance: Double = 0.02) {
        precondition(falseAlarms > 0 && falseAlarms < 1 && tolerance > 0 && tolerance < 1)
        self.falseAlarms = falseAlarms
        self.tolerance = tolerance
    }

    /// Judges a family. Which members it has must not depend on what was measured.
    package func judge(_ family: [PairSeries]) -> [Judgement] {
        let sequences = family.map { MedianSequence($0.pairs.compactMap(\.logRatio)) }
        let levels = holmLevels(sequences.map { $0.level(against: 0) })
        return zip(family, zip(sequences, levels)).map { judge($0, $1.0, level: $1.1) }
    }

    /// The level at which each is judged, by Holm's steps.
    package func holmLevels(_ shown: [Double]) -> [Double] {
        var levels = [Double](repeating: 0, count: shown.count)
        var level = falseAlarms
        var isOver = false
        for (step, index) in shown.indices.sorted(by: { (shown[$0], $0) < (shown[$1], $1) }).enumerated() {
            if !isOver {
                level = falseAlarms / Double(shown.count - step)
                isOver = shown[index] > level
            }
            levels[index] = level
        }
        return levels
    }

    private func judge(_ series: PairSeries, _ sequence: MedianSequence, level: Double) -> Judgement {
        var judgement = Judgement(series.benchmark, series.metric, .undecided)
        let compared = series.pairs.filter { $0.logRatio != nil }
        judgement.pairs = compared.count
        judgement.gaps = series.pairs.count - compared.count
        judgement.disturbed = compared.count { $0.disturbance != nil }
        judgement.base = Statistics.median(series.pairs.compactMap(\.base.value))
        judgement.head = Statistics.median(series.pairs.compactMap(\.head.value))
        guard let median = sequence.median else {
            let told = series.pairs.lazy.flatMap { [$0.base, $0.head] }.first { $0.value == nil }?.reason
            judgement.reason =
                series.pairs.isEmpty ? "no pair was made" : told ?? "no pair has a ratio: a side measured zero"
            return judgement
        }
        judgement.ratio = exp(median)
        guard let interval = sequence.interval(level: level) else {
            judgement.reason = "\(compared.count) pairs are too few"
            judgement.pairsNeeded = Self.fewestPairs(level: level) - compared.count
            return judgement
        }
        judgement.interval = Interval(
            lower: exp(interval.lower), upper: exp(interval.upper), confidence: interval.confidence)
        judgement.smallestChange = expm1(max(interval.upper - median, median - interval.lower))
        let worse = series.metric.direction == .lowerIsBetter ? 1.0 : -1.0
        let limit = log1p(tolerance)
        if interval.lower >= -limit, interval.upper <= limit {
            judgement.verdict = .unchanged
        } else if interval.lower > 0 || interval.upper < 0, abs(median) > limit / 2 {
            judgement.verdict = median * worse > 0 ? .regressed : .improved
        } else {
            judgement.pairsNeeded = pairsNeeded(interval, median, limit, compared.count)
        }
        return judgement
    }

    /// How many more pairs narrow an interval enough: its width goes with one over the square root of their number.
    private func pairsNeeded(_ interval: Interval, _ median: Double, _ limit: Double, _ pairs: Int) -> Int {
        let reach = max(interval.upper - median, median - interval.lower)
        // To exclude zero, or to fit inside the tolerance, whichever asks for less.
        let wanted = max(abs(median) > limit / 2 ? abs(median) : 0, limit - abs(median))
        let factor = reach / max(wanted, limit / 20)
        return max(Int((Double(pairs) * factor * factor).rounded(.up)) - pairs, 1)
    }

    /// The fewest pairs that can show anything at a level.
    static func fewestPairs(level: Double) -> Int {
        var count = 1
        while SignEvidence.fewestAbove(of: count, reaching: 2 / level) == nil { count += 1 }
        return count
    }
}
