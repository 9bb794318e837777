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

    /// `1.23 ms [1.20, 1.30]`: both ends in the unit of the median.
    static func duration(_ nanoseconds: MedianEstimate) -> String {
        let unit = PlainDuration.Unit(fitting: nanoseconds.median)
        return PlainDuration.text(nanoseconds.median)
            + (nanoseconds.interval.map { " " + brackets($0) { PlainDuration.number($0, in: unit) } } ?? "")
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
