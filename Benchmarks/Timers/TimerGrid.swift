import Results

/// When a repeating timer is due: at an origin and a whole number of periods. The points of the grid are counted from 0, the
/// first is due one period after the origin.
package struct TimerGrid: Equatable, Sendable {
    package var origin: Instant
    package var period: Nanoseconds
    /// How many points there are.
    package var count: Int

    package init(origin: Instant, period: Nanoseconds, count: Int) {
        (self.origin, self.period, self.count) = (origin, period, count)
    }

    /// When a point is due.
    package func due(_ point: Int) -> Instant {
        Instant(sinceOrigin: origin.sinceOrigin + Int64(point + 1) * period.count)
    }

    /// When the last point is due.
    package var end: Instant { due(count - 1) }

    /// How many points are due at a moment or before.
    package func pointsDue(by moment: Instant) -> Int {
        min(max(Int((moment - origin).count / period.count), 0), count)
    }
}

/// A call of a timer's handler.
package struct Firing: Equatable, Sendable {
    package var moment: Instant
    /// For how many points of the grid it stands: more than one where the timer fell behind and merged them into one call.
    package var points: Int

    package init(moment: Instant, points: Int = 1) { (self.moment, self.points) = (moment, points) }
}

/// How the firings of a timer served the points of its grid, each firing those after the ones served before.
///
/// Also points that were merged into a later firing have a lateness: that of the firing that serves them. Else a timer that
/// merges would look punctual because it leaves out its worst (coordinated omission).
package struct TimerCourse: Equatable, Sendable {
    /// A point that was served.
    package struct Point: Equatable, Sendable {
        package var due: Instant
        /// When its firing came.
        package var moment: Instant
        /// Whether that firing stands for a later point as well.
        package var isMerged: Bool

        /// Below zero when the firing came too early.
        package var lateness: Nanoseconds { moment - due }
    }

    /// In order; points that no firing served lie behind them.
    package var points: [Point] = []
    /// Points that no firing served.
    package var missed: Int

    /// - Parameters:
    ///   - firings: in order of time. Those after the last point are left out.
    ///   - warmUp: so many points, the first of the grid, are left out.
    package init(_ firings: [Firing], of grid: TimerGrid, warmUp: Int = 0) {
        var next = 0
        points.reserveCapacity(grid.count)
        for firing in firings {
            let end = min(next + max(firing.points, 1), grid.count)
            for point in next..<end where point >= warmUp {
                points.append(Point(due: grid.due(point), moment: firing.moment, isMerged: point < end - 1))
            }
            next = end
        }
        missed = grid.count - max(next, warmUp)
    }

    /// Points that were merged into the firing of a later one.
    package var merged: Int { points.count(where: \.isMerged) }

    /// Points whose firing came before they were due.
    package var early: Int { points.count { $0.lateness < .zero } }

    package var greatestLateness: Nanoseconds? { points.map(\.lateness).max() }

    /// The lateness at a percentile among all points, of nearest rank, where a missed point counts as later than every other.
    /// Nil when it lies among the missed.
    package func lateness(percentile: Double) -> Nanoseconds? {
        let all = points.count + missed
        guard all > 0 else { return nil }
        let rank = max(Int((percentile * Double(all)).rounded(.up)), 1)
        return rank <= points.count ? points.map(\.lateness).sorted()[rank - 1] : nil
    }

    /// By how much lateness grows with each period, in nanoseconds: the median of the last third of the points less that of
    /// the first third, by the periods between them. A timer with absolute due times has none; one that sleeps for a period
    /// again and again adds the lateness of every sleep. Nil with fewer than three points.
    package var driftPerPeriod: Double? {
        let third = points.count / 3
        guard third > 0 else { return nil }
        func median(_ part: ArraySlice<Point>) -> Double {
            let sorted = part.map { Double($0.lateness.count) }.sorted()
            return (sorted[(third - 1) / 2] + sorted[third / 2]) / 2
        }
        return (median(points.suffix(third)) - median(points.prefix(third))) / Double(points.count - third)
    }
}
