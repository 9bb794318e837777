import Statistics

/// When what samples look like is worth a doubt: pure functions of a series of values for each trial, in the order in which they
/// were measured, and the limits that they keep.
///
/// A doubt without cause teaches people to pass over doubts, and a run asks these questions of many trials of many benchmarks.
/// So a doubt must show at p < 0.001, be of a size that matters, and show in more than half of the trials that could be asked (drift in
/// the same direction).
///
/// How often quiet data are doubted, simulated (ten kinds of samples, 30, 100 and 1,000 a trial, thousands of benchmarks of each):
/// - Independent samples (normal, log-normal, uniform, with outliers, of few ticks), two trials or more: never. One trial: drift
///   0.05 %, modes at most 0.1 %, dependence at most 0.6 %.
/// - Samples that hang together without drift (autoregressive, ρ up to 0.8), two trials or more: drift at most 0.05 %, modes
///   at most 0.03 %.
/// - Independent trials of a run, 10 to 40: drift over the run at most 0.05 %; trials that hang together (ρ = 0.5) at most 0.5 %.
package enum DoubtRules {
    /// The p-value below which a trial shows something.
    package static let significance = 0.001
    /// The share of a value from which on a change of it matters.
    package static let practicalShare = 0.01
    /// Samples are worth little when they are worth less than this share of their number.
    package static let leastWorth = 1.0 / 3
    /// Fewer samples than this are not asked what they are worth, for they could not tell.
    package static let samplesForWorth = 50

    /// What was found, in how many of the trials that could be asked.
    package struct Finding: Hashable, Sendable {
        package var trials: Int
        package var asked: Int
        /// The median over those trials of how large it is.
        package var size: Double

        /// `7 of 8 trials`.
        var text: String { asked == 1 ? "the one trial that could be asked" : "\(trials) of \(asked) trials" }
    }

    /// Whether samples become slower or faster inside trials. The size is the change from the first sample to the last along the trend,
    /// as a share of the median; it is negative for those that become faster.
    package static func driftInside(_ series: [[Double]]) -> Finding? {
        let changes = series.compactMap { values -> Double? in
            guard let drift = Drift(of: values), let p = drift.pValue, let change = drift.change,
                let middle = median(values), middle != 0
            else { return nil }
            let share = change / abs(middle)
            return p < significance && abs(share) >= practicalShare ? share : 0
        }
        return majority(changes.filter { $0 > 0 }, of: changes.count, among: series.count)
            ?? majority(changes.filter { $0 < 0 }, of: changes.count, among: series.count)
    }

    /// Whether the values of trials rise or fall over a run: the change from the first to the last along the trend as a share of
    /// `scale`, or nil. Fewer than ten trials cannot tell.
    package static func driftOver(_ values: [Double], scale: Double) -> Double? {
        guard scale > 0, let drift = Drift(of: values), let p = drift.pValue, p < significance,
            let change = drift.change, abs(change) / scale >= practicalShare
        else { return nil }
        return change / scale
    }

    /// Whether samples depend on the ones before. The size is what share of their number they are worth.
    package static func dependence(_ series: [[Double]]) -> Finding? {
        let worths = series.compactMap { values -> Double? in
            guard values.count >= samplesForWorth else { return nil }
            return EffectiveSampleSize(of: values)?.size.map { $0 / Double(values.count) }
        }
        return majority(worths.filter { $0 < leastWorth }, of: worths.count, among: series.count)
    }

    /// Whether samples gather around more than one place. The size is how far two of the places are apart, as a share of the median.
    ///
    /// Real samples have a fine structure: they gather around multiples of a cycle or of an interrupt, hundredths of a percent apart,
    /// and the test finds each. So the modes must show also when values are blurred by a quarter of what matters.
    package static func severalModes(_ series: [[Double]]) -> (finding: Finding, places: (Double, Double))? {
        var asked = 0
        var found: [(lower: Double, upper: Double, share: Double)] = []
        for values in series {
            guard let p = Modes(of: values)?.pValue else { continue }
            asked += 1
            guard p < significance, let middle = median(values), middle != 0,
                let pOfBlurred = Modes(of: blurred(values, over: abs(middle) * practicalShare / 4))?.pValue,
                pOfBlurred < significance, let places = twoPlaces(values)
            else { continue }
            let share = (places.upper - places.lower) / abs(middle)
            if share >= practicalShare { found.append((places.lower, places.upper, share)) }
        }
        guard let finding = majority(found.map(\.share), of: asked, among: series.count),
            let lower = median(found.map(\.lower)),
            let upper = median(found.map(\.upper))
        else { return nil }
        return (finding, (lower, upper))
    }

    /// Each value moved at random by at most half of a width, always the same way.
    private static func blurred(_ values: [Double], over width: Double) -> [Double] {
        var random = SplitMix64(seed: 0)
        return values.map { $0 + width * (Double(random.next(below: 1 << 30)) / Double(1 << 30) - 0.5) }
    }

    /// What was found in more than half of the trials that could be asked; nil also where most of all trials could not be.
    private static func majority(_ sizes: [Double], of asked: Int, among all: Int) -> Finding? {
        guard sizes.count * 2 > asked, asked * 2 > all, let size = median(sizes) else { return nil }
        return Finding(trials: sizes.count, asked: asked, size: size)
    }

    /// The medians of the two parts of the values that differ most (Otsu, “A Threshold Selection Method from Gray-Level Histograms”,
    /// 1979), each part at least a tenth of all; nil where all are equal. A twentieth at each end is left aside: a few disturbed
    /// samples are far off, and no mode.
    private static func twoPlaces(_ values: [Double]) -> (lower: Double, upper: Double)? {
        let sorted = values.sorted()
        let aside = sorted.count / 20
        let kept = Array(sorted[aside..<(sorted.count - aside)])
        guard let first = kept.first, let last = kept.last, last > first else { return nil }
        let total = kept.reduce(0) { $0 + ($1 - first) }
        let smallest = max(kept.count / 10, 1)
        var below = 0.0
        var best = (parted: -1.0, count: 0)
        for count in 1..<kept.count {
            below += kept[count - 1] - first
            guard kept[count] > kept[count - 1], count >= smallest, kept.count - count >= smallest else { continue }
            let rest = Double(kept.count - count)
            let distance = (total - below) / rest - below / Double(count)
            let parted = Double(count) * rest * distance * distance
            if parted > best.parted { best = (parted, count) }
        }
        guard best.count > 0, let lower = median(Array(kept[..<best.count])),
            let upper = median(Array(kept[best.count...]))
        else { return nil }
        return (lower, upper)
    }
}
