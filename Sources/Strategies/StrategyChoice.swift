/// A strategy by name: what a benchmark's `strategy` axis is made of.
public struct StrategyChoice: Hashable, Sendable {
    /// Its value on the axis, such as `pool-8`. It is part of benchmarks' identities: never change what a name means.
    public let name: String
    /// What it is, and what it does with work that blocks, in a sentence or two.
    public let note: String
    private let make: @Sendable () throws -> any Strategy

    /// - Parameter make: called once in each trial, before its warm-up. It throws when the strategy cannot be what its name
    ///   says, such as when the system refuses threads: the trial then fails with that reason.
    public init(_ name: String, note: String, make: @escaping @Sendable () throws -> any Strategy) {
        self.name = name
        self.note = note
        self.make = make
    }

    /// A new strategy of this kind, with threads of its own where it has any.
    ///
    /// - Throws: what `make` throws, when the strategy cannot be made as its name says.
    public func callAsFunction() throws -> any Strategy { try make() }

    /// Choices of one name are the same choice.
    public static func == (left: StrategyChoice, right: StrategyChoice) -> Bool { left.name == right.name }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Every strategy that TaskMeter brings, in the order in which reports list them.
    ///
    /// - Parameter workers: width of the concurrent queue and of the pool.
    public static func all(workers: Int) -> [StrategyChoice] {
        [
            .serialQueue, .globalQueue, .concurrentQueue(width: workers), .threadPerTask, .residentThread,
            .pool(workers: workers), .cooperativePool,
        ]
    }
}
