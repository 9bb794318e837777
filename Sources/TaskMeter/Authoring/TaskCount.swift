import Results

/// How many tasks a trial submits: one number for a whole benchmark, one for each combination of its parameters, or as many as it takes
/// to fill a time.
///
/// ```swift
/// tasks: 2_000
/// tasks: .by { $0[bytes] < 1_000_000 ? 2_000 : 500 }
/// ```
/// Large and small work may so share a name, and each still take a trial of a bearable length.
public struct TaskCount: Sendable, ExpressibleByIntegerLiteral {
    private let length: @Sendable (Parameters) -> TrialLength

    private init(_ length: @escaping @Sendable (Parameters) -> TrialLength) { self.length = length }

    /// One number, at least 1, for all combinations of parameters.
    public init(_ count: Int) { self.init { _ in .tasks(count) } }

    /// One number, written as it is.
    public init(integerLiteral count: Int) { self.init(count) }

    /// A number that depends on the parameters.
    public static func by(_ count: @escaping @Sendable (Parameters) -> Int) -> TaskCount {
        TaskCount { .tasks(count($0)) }
    }

    /// As many as a closed loop comes to in this time; those that are under way then still end. A tenth of it with `--quick`.
    public static func during(_ time: Nanoseconds) -> TaskCount { TaskCount { _ in .during(time) } }

    func callAsFunction(_ parameters: Parameters) -> TrialLength { length(parameters) }
}

/// When a trial submits no more tasks.
enum TrialLength: Hashable, Sendable {
    /// After so many.
    case tasks(Int)
    /// After this time.
    case during(Nanoseconds)

    /// A tenth, rounded up.
    var quick: TrialLength {
        switch self {
        case .tasks(let count): .tasks((count + 9) / 10)
        case .during(let time): .during(Nanoseconds((time.count + 9) / 10))
        }
    }

    var isEmpty: Bool {
        switch self {
        case .tasks(let count): count < 1
        case .during(let time): time <= .zero
        }
    }

    /// How many tasks it is; nil when that will only be seen.
    var count: Int? { if case .tasks(let count) = self { count } else { nil } }
    /// How long it lasts; nil when that will only be seen.
    var time: Nanoseconds? { if case .during(let time) = self { time } else { nil } }
}
