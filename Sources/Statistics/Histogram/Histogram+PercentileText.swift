extension Histogram {
    /// The percentile distribution as the text that HdrHistogram tools print and plot (`.hgrm`), character for character as
    /// the Java library prints it.
    ///
    /// ```
    ///        Value     Percentile TotalCount 1/(1-Percentile)
    ///
    ///        0.007 0.000000000000          1           1.00
    ///     7000.063 0.100000000000       1001           1.11
    ///        …
    ///  5003804.671 1.000000000000      10005
    /// #[Mean    =   234681.090, StdDeviation   =   219887.409]
    /// #[Max     =  5003804.671, Total count    =        10005]
    /// #[Buckets =           32, SubBuckets     =         2048]
    /// ```
    ///
    /// Each row says that the share *Percentile* of all values, in truth *TotalCount* of them, do not exceed *Value*. Shares
    /// come in ticks, as many for each halving of the distance to 1: with five, 0, 0.1, … 0.4, then 0.5, 0.55, … 0.7, then
    /// 0.75, and so on, until the highest bucket is reached; a row of it ends the table. A bucket that passes several
    /// ticks has a row for each, the highest bucket for one. The percentile that you look for is hardly ever among the
    /// ticks, and mean and deviation cannot be computed from the rows: ask the histogram itself (`value(at:)`).
    ///
    /// No values make a table without rows, whose count says 0.
    ///
    /// - Parameters:
    ///   - unit: how many units of the values make one of the text: 1,000,000 for nanoseconds shown in milliseconds.
    ///   - ticksPerHalfDistance: rows for each halving, at least 1.
    package func percentileText(unit: Int = 1, ticksPerHalfDistance: Int = 5) -> String {
        precondition(unit >= 1 && ticksPerHalfDistance >= 1)
        let digits = shape.significantDigits
        func shown(_ value: Double) -> String { column(value / Double(unit), decimals: digits, width: 12) }

        var text = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
        var tick = PercentileTick(perHalfDistance: ticksPerHalfDistance)
        var reached = 0
        for bucket in buckets {
            reached += bucket.count
            let value = shown(Double(bucket.values.upperBound))
            let count = column(String(reached), width: 10)
            let beyond = Double(totalCount - reached) / Double(totalCount)
            while beyond <= tick.beyond {
                let share = column(1 - tick.beyond, decimals: 12, width: 2)
                text += "\(value) \(share) \(count) \(column(1 / tick.beyond, decimals: 2, width: 14))\n"
                tick.advance()
                if reached == totalCount { break }
            }
            if reached == totalCount { text += "\(value) 1.000000000000 \(count)\n" }
        }

        // “Buckets” are levels there, and “SubBuckets” the buckets of the first.
        let levels = shape.levels(upTo: encodedHighest)
        let subBuckets = shape.buckets(ofLevels: 1)
        text += "#[Mean    = \(shown(mean ?? 0)), StdDeviation   = \(shown(standardDeviation ?? 0))]\n"
        text +=
            "#[Max     = \(shown(Double(maximum ?? 0))), Total count    = \(column(String(totalCount), width: 12))]\n"
        text +=
            "#[Buckets = \(column(String(levels), width: 12)), SubBuckets     = \(column(String(subBuckets), width: 12))]\n"
        return text
    }
}

/// A place on the way from 0 to 1 which has the same number of steps in each half of what is left.
private struct PercentileTick {
    private let perHalfDistance: Int
    private var step = 0
    private var half = 1.0

    init(perHalfDistance: Int) { self.perHalfDistance = perHalfDistance }

    /// The share that lies beyond: ½ʰ · (1 − s/2n) for step s of n in half h. It is computed, not summed up, and not as 1 − p, so
    /// that whole shares meet their tick and steps never become too small to be steps.
    var beyond: Double { half * (Double(2 * perHalfDistance - step) / Double(2 * perHalfDistance)) }

    mutating func advance() {
        step += 1
        if step == perHalfDistance { (step, half) = (0, half / 2) }
    }
}

/// A number with so many decimals, a half rounded up, at the right of a column, in no locale.
///
/// - Parameter value: 0 or more, below 2⁶⁴.
private func column(_ value: Double, decimals: Int, width: Int) -> String {
    let power = (0..<decimals).reduce(1) { power, _ in power * 10 }
    var whole = UInt64(value)
    var fraction = Int(((value - Double(whole)) * Double(power)).rounded())
    if fraction == power { (whole, fraction) = (whole + 1, 0) }
    return column("\(whole).\(String(fraction + power).dropFirst())", width: width)
}

private func column(_ text: String, width: Int) -> String {
    String(repeating: " ", count: max(width - text.utf8.count, 0)) + text
}
