/// What a strategy promises of order, width, blocking and cost, as data: for tables, and for tests that hold it to
/// that.
public struct StrategyTraits: Hashable, Sendable {
    /// In which order jobs begin.
    public enum Ordering: String, Hashable, Sendable, CaseIterable {
        /// A job is taken up only after all that were submitted before it. Where several run at once, two that were
        /// taken up one after the other may reach their first instructions in either order.
        case submission
        /// No order is promised.
        case none
    }

    /// How many jobs run at once, at most.
    public enum Width: Hashable, Sendable, CustomStringConvertible {
        /// One at a time.
        case one
        /// So many.
        case fixed(Int)
        /// One for each logical processor that the process may use.
        case cores
        /// As `cores` at first; one more each second while all that run are blocked, up to so many.
        case growing(to: Int)
        /// As many as there are.
        case unbounded
        /// As many as there are threads that submit.
        case submitters

        /// The width in words, such as “4 at once”.
        public var description: String {
            switch self {
            case .one: "one at a time"
            case .fixed(1): "one at a time"
            case .fixed(let count): "\(count) at once"
            case .cores: "one per core"
            case .growing(let most): "one per core at first, one more each second while all block, up to \(most)"
            case .unbounded: "all at once"
            case .submitters: "one per submitting thread"
            }
        }
    }

    /// In which order jobs begin.
    public var ordering: Ordering
    /// How many jobs run at once, at most.
    public var width: Width
    /// What becomes of the others when a job blocks: a sentence or two.
    public var whenBlocked: String
    /// What a submit takes, such as “an allocation and a lock”: a clause.
    public var submitting: String

    /// Order, width and cost of a submit in a sentence, for a report: “Order: that of submission; 8 at once; a submit takes a lock.”
    public var text: String {
        "Order: \(ordering == .submission ? "that of submission" : "none promised"); \(width); a submit takes \(submitting)."
    }

    /// Traits of a strategy.
    ///
    /// - Parameters:
    ///   - ordering: in which order jobs begin.
    ///   - width: how many jobs run at once, at most.
    ///   - whenBlocked: what becomes of the others when a job blocks: a sentence or two.
    ///   - submitting: what a submit takes: a clause.
    public init(ordering: Ordering, width: Width, whenBlocked: String, submitting: String) {
        self.ordering = ordering
        self.width = width
        self.whenBlocked = whenBlocked
        self.submitting = submitting
    }
}
