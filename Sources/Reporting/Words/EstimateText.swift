import Glibc
import Results
import Statistics
import Words

/// Estimates in words: a median, its interval in brackets, and why there is none where there is none.
enum EstimateText {
    /// `1,230 [1,200, 1,260]`, or the median alone.
    static func plain(_ estimate: MedianEstimate, _ number: (Double) -> String = { PlainNumber.significant($0) })
        -> String
    {
        number(estimate.median) + (estimate.interval.map { " " + brackets($0, number) } ?? "")
    }

    static func brackets(
        _ interval: Interval, _ number: (Double) -> String = { PlainNumber.significant($0) }
    ) -> String { "[\(number(interval.lower)), \(number(interval.upper))]" }

    /// `1,230 /s [1,200, 1,260]`.
    static func rate(_ estimate: MedianEstimate) -> String {
        PlainNumber.significant(estimate.median) + " /s" + (estimate.interval.map { " " + brackets($0) } ?? "")
    }

    /// `1.23 ms [1.20, 1.30]`, `0.02 ns [−0.01, 0.05]`: all in the unit of the median, with as many decimals as the interval
    /// bears out; more than three digits only where its ends would otherwise look alike. Ends that lie very far apart have each
    /// their own unit: `196 ns [72.0 ns, 986 µs]`.
    static func duration(_ nanoseconds: MedianEstimate) -> String {
        if let interval = nanoseconds.interval, interval.lower > 0, interval.upper >= 30 * interval.lower {
            return PlainDuration.text(nanoseconds.median) + " " + brackets(interval) { PlainDuration.text($0) }
        }
        let (median, brackets, unit) = parts(nanoseconds)
        return median + " " + unit + (brackets.map { " " + $0 } ?? "")
    }

    /// `[0.98, 1.02] ns`: two times around a third, in the unit of that, with as many digits as tell them apart; each in its own
    /// unit where they are so far apart that one of them would read as zero: `33.0 µs to 11.4 ms`.
    static func between(_ least: Double, _ greatest: Double, around middle: MedianEstimate) -> String {
        guard least <= 0 || greatest < 100 * least else {
            return PlainDuration.rough(least) + " to " + PlainDuration.rough(greatest)
        }
        var estimate = middle
        estimate.interval = Interval(lower: least, upper: greatest, confidence: 1)
        let (median, brackets, unit) = parts(estimate)
        return (brackets ?? median) + " " + unit
    }

    private static func parts(_ nanoseconds: MedianEstimate) -> (median: String, brackets: String?, unit: String) {
        let unit = PlainDuration.Unit(fitting: nanoseconds.median)
        let scaled = nanoseconds.mapped { $0 / unit.rawValue }
        let decimals = decimals(scaled, isNanoseconds: unit == .nanoseconds)
        func number(_ value: Double) -> String { PlainNumber.fixed(value, decimals: decimals) }
        return (number(scaled.median), scaled.interval.map { brackets($0, number) }, unit.symbol)
    }

    /// Decimals up to the second digit of the interval’s width; fewer where the interval has zero in it, so that not even the sign
    /// is known.
    private static func decimals(_ estimate: MedianEstimate, isNanoseconds: Bool) -> Int {
        func upTo(_ digits: Int, of value: Double) -> Int {
            guard value > 0, value.isFinite else { return 0 }
            let exponent = Int(log10(PlainNumber.rounded(value, digits: digits)).rounded(.down))
            return min(max(digits - 1 - exponent, 0), 12)
        }
        let shown = [estimate.median, estimate.interval?.lower, estimate.interval?.upper]
        let three = upTo(3, of: shown.compactMap { $0.map(abs) }.max() ?? 0)
        guard let interval = estimate.interval else {
            // Without an interval nothing bears out less than a hundredth of a nanosecond, which is no cycle of any processor.
            return isNanoseconds ? min(three, 2) : three
        }
        let width = interval.upper - interval.lower
        guard width > 0 else { return three }
        guard interval.contains(0) else {
            // More than three where the ends would otherwise look alike.
            return max(min(three, upTo(2, of: width)), min(upTo(1, of: width), three + 3))
        }
        // As few as leave each end on its own side of zero.
        let ends = [interval.lower, interval.upper].filter { $0 != 0 }
        let fewest = max(upTo(1, of: width), 1)
        return min(
            three, (fewest...12).first { count in ends.allSatisfy { abs($0) * pow(10, Double(count)) >= 0.5 } } ?? 12)
    }

    /// `[1.21, 1.27] ms`: the interval alone; nil when there is none.
    static func interval(_ nanoseconds: MedianEstimate) -> String? {
        let unit = PlainDuration.Unit(fitting: nanoseconds.median)
        return nanoseconds.interval.map { brackets($0) { PlainDuration.number($0, in: unit) } + " " + unit.symbol }
    }

    /// `1.35× [1.30, 1.41]`.
    static func ratio(_ estimate: MedianEstimate) -> String {
        PlainNumber.times(estimate.median) + (estimate.interval.map { " " + brackets($0) } ?? "")
    }

    /// A contender's ratio to the best: `1×` for the best itself, nil where no block has both.
    static func toBest(_ place: Ranking.Place) -> String? {
        place.isBest ? "1×" : place.ratioToBest.map { ratio($0) }
    }

    /// The ratio turned over, so that “B is 0.74 of A” is told as “A is 1.35 × B”: the interval's ends change places.
    static func reciprocal(_ ratio: MedianEstimate) -> MedianEstimate {
        var turned = ratio
        turned.median = 1 / ratio.median
        turned.interval = ratio.interval.map {
            Interval(lower: 1 / $0.upper, upper: 1 / $0.lower, confidence: $0.confidence)
        }
        return turned
    }

    /// A percentile, or “–” where the count does not support it.
    static func percentile(_ percentile: Percentile?) -> String {
        percentile?.value.map { PlainDuration.text($0) } ?? "–"
    }

    static func reason(_ percentile: Percentile?) -> String? {
        guard case .unavailable(let reason)? = percentile else { return nil }
        return reason
    }
}

extension MedianEstimate {
    /// The median alone, for where there is no room for more.
    var withoutInterval: MedianEstimate {
        var copy = self
        copy.interval = nil
        return copy
    }
}
