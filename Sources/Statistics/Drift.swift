import Glibc

/// Whether values rise or fall over the time in which they were measured, and by how much.
///
/// The Mann–Kendall test (Mann, 1945; Kendall, 1975), which asks only whether later values tend to be larger, and the
/// Theil–Sen slope, the median of the slopes between all pairs (Sen, “Estimates of the Regression Coefficient Based on
/// Kendall’s Tau”, 1968). Both are unmoved by a few wild values.
///
/// Values that hang together wander, and a wandering series looks like one that drifts: of AR(1) series with ρ = 0.5 and no
/// drift, the plain test calls every fifth one drifting at a nominal 5 %. Two things keep the promise here:
/// - Of many values, the medians of at most 32 blocks are tested. A block that is long against the
///   memory of the series leaves little of it between neighbours, and a trend loses next to nothing.
/// - For what is left the variance of the score is raised as for an AR(1) series of the ρ that the medians show about
///   their trend line (the factor of Hamed & Rao, “A Modified Mann–Kendall Trend Test for Autocorrelated Data”, 1998,
///   with rₖ = ρᵏ). Their own proposal, all lags that look significant, called 10 to 20 % of such series drifting.
package struct Drift: Hashable, Sendable, Codable {
    package var count: Int
    /// The medians that were tested: as many as there are values, up to 32.
    package var blocks: Int
    /// Mann and Kendall’s S: pairs of medians that rise less pairs that fall.
    package var score: Int
    /// The correlation of neighbouring medians about their trend line, in 0…0.99.
    package var dependence: Double
    /// How often a series without drift would look like this or worse; nil for too few values.
    package var pValue: Double?
    /// Theil and Sen’s slope: what one value more brings. Nil for less than two values.
    package var slope: Double?
    /// An interval for the slope by Sen’s method, with the raised variance; nil where the values are too few for one, which
    /// may be so with a p-value of which nothing follows.
    package var slopeInterval: Interval?
    /// Why there is no p-value, or why it is to be taken with care; nil when there is no such reason.
    package var doubt: String?

    /// By how much the last value differs from the first, along the trend line.
    package var change: Double? { slope.map { $0 * Double(count - 1) } }

    /// The fewest values for which it says anything.
    package static let valuesNeeded = 10

    private static let mostBlocks = 32

    /// - Parameters:
    ///   - values: in the order in which they were measured, at about equal distances.
    ///   - confidence: of the slope’s interval.
    /// - Returns: nil for no values, or where one is not a finite number.
    package init?(of values: [Double], confidence: Double = 0.95) {
        guard !values.isEmpty, values.allSatisfy(\.isFinite) else { return nil }
        let (positions, medians) = Self.blockMedians(values)
        let (score, variance) = Self.mannKendall(medians)
        let slopes = Self.slopes(medians, at: positions)
        count = values.count
        blocks = medians.count
        self.score = score
        slope = slopes.isEmpty ? nil : quantile(0.5, ofSorted: slopes)
        dependence = 0
        guard values.count >= Self.valuesNeeded else {
            doubt =
                "\(valuesText(values.count)) cannot tell drift from values that hang together; \(Self.valuesNeeded) can"
            return
        }
        guard variance > 0, let slope else {
            pValue = 1
            doubt = "the \(blocks) values tested are all equal"
            return
        }
        dependence = Self.dependence(zip(positions, medians).map { $1 - slope * $0 })
        let raised = (variance * Self.inflation(count: blocks, dependence: dependence)).squareRoot()
        // By one towards 0, for S moves in steps of 2 (without ties).
        pValue = normalTwoSided(Double(max(abs(score) - 1, 0)) / raised)

        let reach = -normalQuantile((1 - confidence) / 2) * raised
        let lower = ((Double(slopes.count) - reach) / 2).rounded(.down)  // as a rank counted from 1
        if lower >= 1 {
            slopeInterval = Interval(
                lower: slopes[Int(lower) - 1], upper: slopes[slopes.count - Int(lower)], confidence: confidence)
        }
        if blocks == values.count {
            doubt =
                "of \(values.count) values, ones that hang together strongly wander like this without drift more often than "
                + "the p-value says; \(Self.mostBlocks + 1) values or more can be told"
        }
    }

    // MARK: - The parts, as pure functions

    /// The medians of at most 32 blocks that differ in length by at most one, and where their middles lie.
    private static func blockMedians(_ values: [Double]) -> (positions: [Double], medians: [Double]) {
        let length = (values.count + mostBlocks - 1) / mostBlocks
        let blocks = (values.count + length - 1) / length
        var positions: [Double] = []
        var medians: [Double] = []
        for block in 0..<blocks {
            let range = block * values.count / blocks..<(block + 1) * values.count / blocks
            positions.append(Double(range.lowerBound + range.upperBound - 1) / 2)
            medians.append(median(Array(values[range]))!)
        }
        return (positions, medians)
    }

    /// Mann and Kendall’s S and its variance for values in random order, ties counted.
    static func mannKendall(_ values: [Double]) -> (score: Int, variance: Double) {
        var score = 0
        for later in values.indices {
            for earlier in 0..<later {
                score += values[later] > values[earlier] ? 1 : values[later] < values[earlier] ? -1 : 0
            }
        }
        func term(_ count: Int) -> Double { Double(count) * Double(count - 1) * Double(2 * count + 5) }
        let ties = Dictionary(grouping: values, by: { $0 }).values.reduce(0) { $0 + term($1.count) }
        return (score, (term(values.count) - ties) / 18)
    }

    /// The slopes between all pairs, ascending.
    static func slopes(_ values: [Double], at positions: [Double]) -> [Double] {
        values.indices.flatMap { later in
            (0..<later).map { (values[later] - values[$0]) / (positions[later] - positions[$0]) }
        }.sorted()
    }

    /// The correlation of neighbours among what is left about a trend line, by ranks.
    ///
    /// r₁ about a line is too small by about (2 + 4ρ) / n (Kendall, “Note on Bias in the Estimation of Autocorrelation”,
    /// 1954, for the mean; a line costs as much again). Turned over that is (n·r₁ + 2) / (n − 4); with 3 and 6 in place of 2 and
    /// 4, false alarms in simulations stay at 5 % for lesser ρ and at 7 % for ρ = 0.5.
    private static func dependence(_ residuals: [Double]) -> Double {
        let count = Double(residuals.count)
        guard let neighbours = autocorrelations(of: midranks(residuals).ranks, through: 1)?[1] else { return 0 }
        return min(max((count * neighbours + 3) / (count - 6), 0), 0.99)
    }

    /// By how much the variance of S is larger for an AR(1) series than for independent values.
    private static func inflation(count: Int, dependence: Double) -> Double {
        let n = Double(count)
        var sum = 0.0
        for lag in 1..<count {
            let left = n - Double(lag)
            sum += left * (left - 1) * (left - 2) * pow(dependence, Double(lag))
        }
        return 1 + 2 * sum / (n * (n - 1) * (n - 2))
    }
}
