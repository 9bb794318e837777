import Statistics
import Words

/// How the tasks of a trial arrive.
public enum Load: Hashable, Sendable {
    /// All at once, as fast as they can be submitted: what queues up is seen as wait.
    case burst
    /// A closed loop: the next task is submitted when fewer than this many have not ended.
    case inFlight(Int)
    /// An open loop: tasks arrive by a schedule, whatever becomes of those before them. Each is due at a time of its own, from which its
    /// response counts, so that nobody's stall hides what others would have met (“coordinated omission”).
    ///
    /// The schedule is drawn before the first task from the run's seed, and is the same for every strategy.
    case open(perSecond: Double, Arrivals = .poisson)

    /// How the arrivals of an open loop are spread over time.
    public enum Arrivals: Hashable, Sendable {
        /// At equal distances.
        case uniform
        /// Independently of one another, as those of many users: some come close together.
        case poisson
        /// So many at once, at equal distances.
        case bursts(of: Int)

        var process: ArrivalProcess {
            switch self {
            case .uniform: .uniform
            case .poisson: .poisson
            case .bursts(let size): .bursts(of: size)
            }
        }
    }

    /// In words, for a report.
    var text: String {
        switch self {
        case .burst: return "burst: all tasks are submitted at once"
        case .inFlight(let count): return "closed loop: at most \(count) tasks in flight"
        case .open(let rate, let arrivals):
            let spread =
                switch arrivals {
                case .uniform: "at equal distances"
                case .poisson: "as a Poisson process"
                case .bursts(let size): "in bursts of \(size)"
                }
            return
                "open loop: \(PlainNumber.significant(rate)) tasks a second arrive \(spread), whatever becomes of others"
        }
    }
}
