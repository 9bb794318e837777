/// How tasks fare as more of them arrive: what a contender made of each rate, and up to which it kept up.
package struct LoadCurve: Sendable {
    /// What is known at one rate. Times are in nanoseconds.
    package struct Point: Hashable, Sendable {
        /// Tasks a second that the load asks for.
        package var rate: Double
        /// Tasks a second that ended well, the median over trials.
        package var throughput: Double?
        /// Tasks that ended well by those that arrived in the same time: 1 where all were kept up with.
        package var kept: Double?
        package var responseP50: Double?
        package var responseP99: Double?
        /// How late tasks were submitted.
        package var lagP99: Double?

        package init(
            rate: Double, throughput: Double? = nil, kept: Double? = nil, responseP50: Double? = nil,
            responseP99: Double? = nil, lagP99: Double? = nil
        ) {
            self.rate = rate
            self.throughput = throughput
            self.kept = kept
            self.responseP50 = responseP50
            self.responseP99 = responseP99
            self.lagP99 = lagP99
        }
    }

    /// In which way a rate was not kept.
    package enum Breach: Hashable, Sendable {
        /// The share of what arrived that ended well.
        case behind(Double)
        /// The share of the response that the generator was late: it was no such rate.
        case lateGenerator(Double)
        /// The response in times of that at the lowest rate.
        case slow(Double)
        /// Nothing can be said.
        case untold
    }

    /// The knee of the curve.
    package struct Knee: Hashable, Sendable {
        /// A rate that was not kept, and why.
        package struct Broken: Hashable, Sendable {
            package var rate: Double
            package var breach: Breach
        }

        /// The highest rate that was kept with all lower ones; nil where not even the lowest was.
        package var rate: Double?
        /// The first rate that was not kept; nil where all were.
        package var broken: Broken?

        package init(rate: Double? = nil, broken: (rate: Double, breach: Breach)? = nil) {
            self.rate = rate
            self.broken = broken.map { Broken(rate: $0.rate, breach: $0.breach) }
        }
    }

    /// The least share of what arrives that has to end well.
    package static let leastKept = 0.99
    /// The share of the p99 response below which the p99 lag has to be.
    package static let mostLag = 0.1
    /// How many times the p99 response at the lowest rate that of a rate may be.
    package static let mostResponse = 10.0

    package var name: String
    /// From the lowest rate to the highest.
    package var points: [Point]

    package init(name: String, points: [Point]) {
        self.name = name
        self.points = points.sorted { $0.rate < $1.rate }
    }

    /// The highest rate up to which each was kept: at least 99 % of what arrived ended well, the p99 lag of the generator is below 10 % of
    /// the p99 response, and that is at most ten times the one at the lowest rate.
    package var knee: Knee {
        var knee = Knee()
        for point in points {
            if let breach = Self.breach(point, lowest: points.first?.responseP99) {
                knee.broken = Knee.Broken(rate: point.rate, breach: breach)
                break
            }
            knee.rate = point.rate
        }
        return knee
    }

    /// In which way a rate was not kept; nil where it was.
    package static func breach(_ point: Point, lowest: Double?) -> Breach? {
        guard let kept = point.kept else { return .untold }
        if kept < leastKept { return .behind(kept) }
        guard let response = point.responseP99, let lowest, let lag = point.lagP99, response > 0 else { return .untold }
        if lag >= mostLag * response { return .lateGenerator(lag / response) }
        return response > mostResponse * lowest ? .slow(response / lowest) : nil
    }
}
