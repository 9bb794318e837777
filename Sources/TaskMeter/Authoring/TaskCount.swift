/// How many tasks a trial submits: one number for a whole benchmark, or one for each combination of its parameters.
///
/// ```swift
/// tasks: 2_000
/// tasks: .by { $0[bytes] < 1_000_000 ? 2_000 : 500 }
/// ```
/// Large and small work may so share a name, and each still take a trial of a bearable length.
public struct TaskCount: Sendable, ExpressibleByIntegerLiteral {
    private let count: @Sendable (Parameters) -> Int

    private init(_ count: @escaping @Sendable (Parameters) -> Int) { self.count = count }

    /// One number, at least 1, for all combinations of parameters.
    public init(_ count: Int) { self.init { _ in count } }

    /// One number, written as it is.
    public init(integerLiteral count: Int) { self.init(count) }

    /// A number that depends on the parameters.
    public static func by(_ count: @escaping @Sendable (Parameters) -> Int) -> TaskCount { TaskCount(count) }

    func callAsFunction(_ parameters: Parameters) -> Int { count(parameters) }
}
