/// How many values lie beyond Tukey's fences. They are labelled and counted, never removed: a benchmark's slow iterations
/// are what its users will meet, and an instrument that drops them measures something else.
///
/// The inner fences stand 1.5, the outer ones 3 times the quartiles' distance beyond the quartiles (Tukey, “Exploratory
/// Data Analysis”, 1977), which are taken by definition 7 of Hyndman & Fan. Of normal values about 0.7 % are mild and two in a
/// million severe; of log-normal ones many more, with nothing wrong: a label is a question, not an accusation.
package struct Outliers: Hashable, Sendable, Codable {
    /// Where a value lies.
    package enum Label: String, Hashable, Sendable, Codable {
        /// Below the lower outer fence.
        case lowSevere
        /// Between the two lower fences.
        case lowMild
        /// Not an outlier.
        case inside
        case highMild
        case highSevere
    }

    package var count: Int
    package var lowerQuartile: Double
    package var upperQuartile: Double
    package var lowSevere = 0
    package var lowMild = 0
    package var highMild = 0
    package var highSevere = 0
    /// Why the labels mean little here; nil when they mean what they usually do.
    package var doubt: String?

    package var total: Int { lowSevere + lowMild + highMild + highSevere }

    /// Counts the outliers among values.
    ///
    /// - Returns: nil for no values, or where one is not a finite number.
    package init?(in values: [Double]) {
        guard !values.isEmpty, values.allSatisfy(\.isFinite) else { return nil }
        let sorted = values.sorted()
        count = values.count
        lowerQuartile = quantile(0.25, ofSorted: sorted)
        upperQuartile = quantile(0.75, ofSorted: sorted)
        for value in values {
            switch label(value) {
            case .lowSevere: lowSevere += 1
            case .lowMild: lowMild += 1
            case .inside: break
            case .highMild: highMild += 1
            case .highSevere: highSevere += 1
            }
        }
        if total > 0, lowerQuartile == upperQuartile {
            doubt = "the middle half of the values is one value, so that every other counts as an outlier"
        }
    }

    /// Where a value lies; one on a fence is still inside it.
    package func label(_ value: Double) -> Label {
        let reach = upperQuartile - lowerQuartile
        if value < lowerQuartile - 3 * reach { return .lowSevere }
        if value < lowerQuartile - 1.5 * reach { return .lowMild }
        if value > upperQuartile + 3 * reach { return .highSevere }
        if value > upperQuartile + 1.5 * reach { return .highMild }
        return .inside
    }
}
