/// How the tasks of a trial arrive.
public enum Load: Hashable, Sendable {
    /// All at once, as fast as they can be submitted: what queues up is seen as wait.
    case burst
    /// A closed loop: the next task is submitted when fewer than this many have not ended.
    case inFlight(Int)

    /// In words, for a report.
    var text: String {
        switch self {
        case .burst: "burst: all tasks are submitted at once"
        case .inFlight(let count): "closed loop: at most \(count) tasks in flight"
        }
    }
}
