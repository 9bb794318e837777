import Results
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

    /// An open loop of given arrivals: as many tasks as there are moments, each so long after the begin, ascending.
    case scheduled([Nanoseconds])

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

    /// Whether tasks come by a schedule.
    var isOpen: Bool {
        switch self {
        case .open, .scheduled: true
        case .burst, .inFlight: false
        }
    }

    /// The schedule of so many tasks; nil where there is none.
    func schedule(_ count: Int, seed: UInt64) -> ArrivalSchedule? {
        switch self {
        case .open(let rate, let arrivals):
            ArrivalSchedule(count: count, perSecond: rate, arrivals.process, seed: seed)
        case .scheduled(let moments): ArrivalSchedule(offsets: moments.prefix(count).map(\.count))
        case .burst, .inFlight: nil
        }
    }

    /// Whether tasks wait for one another's end before they come.
    var isClosed: Bool { if case .inFlight = self { true } else { false } }

    /// In words, for a report.
    var text: String {
        switch self {
        case .burst: return "burst: all tasks are submitted at once"
        case .inFlight(let count): return "closed loop: at most \(count) tasks in flight"
        case .scheduled(let moments):
            return
                "open loop: \(PlainNumber.counted(moments.count, "task")) arrive at given moments, whatever becomes of others"
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
