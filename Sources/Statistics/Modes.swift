/// Whether values gather about more than one place: two code paths, a clock that changes its speed, a cache that sometimes
/// helps. Of such values a mean or a median describes none.
///
/// Hartigan’s dip test. Its p-value is how often as many independent values of the *uniform* distribution, which of those
/// with one mode is the hardest to tell from several, have a larger dip. It is meant for that question alone: it finds two clumps with
/// a gap between them, and not a small clump that sits on the flank of a large one.
///
/// Before the test, and said in the result:
/// - **Equal values are spread.** Values read from a clock that ticks lie on a grid, and every tick is a mode of its own. So the
///   values that share a tick are spread evenly over its width: over the usual distance to the next value there is, or the
///   tick that the caller knows.
/// - **Values that hang together are thinned.** Neighbours that resemble each other make clumps by chance. So
///   only every k-th value is tested, k being their autocorrelation time (of ranks, rounded).
package struct Modes: Hashable, Sendable, Codable {
    package var count: Int
    /// How many were tested after thinning.
    package var tested: Int
    /// The width over which equal values were spread; nil where all differ.
    package var tick: Double?
    /// The dip of the values tested; nil for too few.
    package var dip: Double?
    /// How often values with one mode would dip so far, at the most; never below 0.0001, where the table ends. Nil for too few.
    package var pValue: Double?
    /// Why there is no p-value; nil when there is one.
    package var doubt: String?

    /// The fewest values that are tested.
    package static let valuesNeeded = 10
    /// The fewest different values that are tested.
    package static let differentValuesNeeded = 5

    /// - Parameters:
    ///   - values: in the order in which they were measured.
    ///   - tick: the least difference that the clock can show, if it is known.
    /// - Returns: nil for no values, or where one is not a finite number.
    package init?(of values: [Double], tick: Double? = nil) {
        guard !values.isEmpty, values.allSatisfy(\.isFinite) else { return nil }
        count = values.count
        let kept = Self.thinned(values)
        tested = kept.count
        guard tested >= Self.valuesNeeded else {
            doubt =
                tested == count
                ? "\(valuesText(count)) cannot show whether there are several modes; \(Self.valuesNeeded) can"
                : "\(count) values that hang together, worth some \(tested), cannot show whether there are several modes; "
                    + "\(Self.valuesNeeded) independent ones can"
            return
        }
        let (spread, width, different) = Self.spread(kept.sorted(), tick: tick)
        self.tick = width
        guard different >= Self.differentValuesNeeded else {
            doubt =
                different == 1
                ? "all values are equal"
                : "only \(different) different values: what they measure is coarser than its modes could be"
            return
        }
        let dip = Statistics.dip(ofSorted: spread)
        self.dip = dip
        pValue = DipTable.pValue(dip: dip, count: tested)
    }

    /// Every k-th value, k being the autocorrelation time of the ranks.
    private static func thinned(_ values: [Double]) -> [Double] {
        guard let time = EffectiveSampleSize(of: midranks(values).ranks)?.autocorrelationTime else { return values }
        return stride(from: 0, to: values.count, by: max(Int(time.rounded()), 1)).map { values[$0] }
    }

    /// Ascending values of which those that are equal are spread evenly about their place, over the width of a tick; that
    /// width, if there were any; and how many different ones there were.
    ///
    /// The tick is the median, over all values, of the distance to the nearest one that differs: on a grid that is its
    /// mesh, even where gaps in the tails are wider and one or two values lie off the grid.
    private static func spread(_ sorted: [Double], tick: Double?) -> (values: [Double], tick: Double?, different: Int) {
        var groups: [Range<Int>] = []
        for index in sorted.indices {
            if let last = groups.last, sorted[last.lowerBound] == sorted[index] {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
        guard groups.count > 1, groups.count < sorted.count else { return (sorted, nil, groups.count) }
        let places = groups.map { sorted[$0.lowerBound] }
        let width: Double
        if let tick {
            width = tick
        } else {
            var distances = groups.indices.flatMap { group in
                let before = group > 0 ? places[group] - places[group - 1] : .infinity
                let after = group + 1 < places.count ? places[group + 1] - places[group] : .infinity
                return Array(repeating: min(before, after), count: groups[group].count)
            }
            width = select(distances.count / 2, in: &distances)
        }
        let values = zip(groups, places).flatMap { group, place in
            (0..<group.count).map { place + width * ((Double($0) + 0.5) / Double(group.count) - 0.5) }
        }
        return (values.sorted(), width, groups.count)
    }
}
