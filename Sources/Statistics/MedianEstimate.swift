import Glibc

/// A confidence interval and the confidence that it really reaches, which is never less than what was asked for.
package struct Interval: Hashable, Sendable, Codable {
    package var lower: Double
    package var upper: Double
    package var confidence: Double

    package init(lower: Double, upper: Double, confidence: Double) {
        self.lower = lower
        self.upper = upper
        self.confidence = confidence
    }

    package func contains(_ value: Double) -> Bool { lower <= value && value <= upper }
}

/// A median over independent values, with its exact interval where the values are many enough.
package struct MedianEstimate: Hashable, Sendable, Codable {
    package var median: Double
    /// Nil when `count` values cannot support the confidence asked for; `doubt` then says why.
    package var interval: Interval?
    package var count: Int
    /// Why there is no interval; nil when there is one.
    package var doubt: String?

    /// The median of independent values and its order-statistic interval.
    ///
    /// The interval runs from the k-th smallest to the k-th largest value, k being the largest for which
    /// 1 − 2·P(Binomial(n, ½) < k) is still at least `confidence`. It assumes nothing of the distribution but that
    /// the values are independent and come from the same one (Conover, “Practical Nonparametric Statistics”, 3.2).
    ///
    /// - Returns: nil for no values, or where one is not a number.
    package init?(of values: [Double], confidence: Double = 0.95) {
        guard !values.contains(where: \.isNaN), let median = Statistics.median(values) else { return nil }
        self.median = median
        count = values.count
        let sorted = values.sorted()

        // Both are scaled by 2^spare, for ½ⁿ alone would underflow to nothing from 1,075 values on.
        var spare = max(values.count - 1000, 0)
        var below = 0.0  // P(Binomial(n, ½) < k)
        var term = pow(0.5, Double(values.count - spare))  // P(Binomial(n, ½) = k)
        var rank = 0
        var reached = 0.0
        while rank < values.count / 2 {
            while spare > 0, term > 1 {
                let halvings = min(spare, 500)
                (below, term) = (scalbn(below, -halvings), scalbn(term, -halvings))
                spare -= halvings
            }
            let next = below + term
            let confidenceOfNext = 1 - 2 * scalbn(next, -spare)
            guard confidenceOfNext >= confidence else { break }
            rank += 1
            below = next
            reached = confidenceOfNext
            term *= Double(values.count - rank + 1) / Double(rank)
        }
        if rank > 0 {
            interval = Interval(
                lower: sorted[rank - 1], upper: sorted[sorted.count - rank], confidence: reached)
        } else {
            let have = values.count == 1 ? "1 trial" : "\(values.count) trials"
            let need = Self.valuesNeeded(confidence: confidence)
            doubt = "\(have) cannot support an interval of \(percentText(confidence)); \(need) can"
        }
    }

    /// The fewest values for which the range from smallest to largest reaches a confidence: 6 for 95 %.
    package static func valuesNeeded(confidence: Double) -> Int {
        var count = 2
        while 1 - 2 * pow(0.5, Double(count)) < confidence { count += 1 }
        return count
    }

    /// The same estimate under an increasing function, such as a change of unit or the exponential.
    package func mapped(_ transform: (Double) -> Double) -> MedianEstimate {
        var copy = self
        copy.median = transform(median)
        copy.interval = interval.map {
            Interval(lower: transform($0.lower), upper: transform($0.upper), confidence: $0.confidence)
        }
        return copy
    }
}

/// `95 %`, `99.2 %`: a share with at most one decimal.
func percentText(_ share: Double) -> String {
    let tenths = (share * 1000).rounded(.down) / 10
    return tenths == tenths.rounded() ? "\(Int(tenths)) %" : "\(tenths) %"
}
