/// A strategy by name: what a benchmark's `strategy` axis is made of.
public struct StrategyChoice: Hashable, Sendable {
    /// Its value on the axis, such as `pool-8`. It is part of benchmarks' identities: never change what a name means.
    public let name: String
    /// What it is, and what it does with work that blocks, in a sentence or two.
    public let note: String
    /// What it promises; nil for a strategy that does not say.
    public let traits: StrategyTraits?
    private let make: @Sendable () throws -> any Strategy

    /// - Parameters:
    ///   - name: its value on the axis.
    ///   - note: what it is, and what it does with work that blocks, in a sentence or two.
    ///   - traits: what it promises.
    ///   - make: called once in each trial, before its warm-up. It throws when the strategy cannot be what its name
    ///     says, such as when the system refuses threads: the trial then fails with that reason.
    public init(
        _ name: String, note: String, traits: StrategyTraits? = nil,
        make: @escaping @Sendable () throws -> any Strategy
    ) {
        self.name = name
        self.note = note
        self.traits = traits
        self.make = make
    }

    /// A strategy of TaskMeter's own: its note is what it is, and what becomes of others when a job blocks.
    init(
        _ name: String, _ what: String, _ ordering: StrategyTraits.Ordering, _ width: StrategyTraits.Width,
        whenBlocked: String, submitting: String, make: @escaping @Sendable () throws -> any Strategy
    ) {
        self.init(
            name, note: what + " " + whenBlocked,
            traits: StrategyTraits(
                ordering: ordering, width: width, whenBlocked: whenBlocked, submitting: submitting),
            make: make)
    }

    /// A new strategy of this kind, with threads of its own where it has any.
    ///
    /// - Throws: what `make` throws, when the strategy cannot be made as its name says.
    public func callAsFunction() throws -> any Strategy { try make() }

    /// Choices of one name are the same choice.
    public static func == (left: StrategyChoice, right: StrategyChoice) -> Bool { left.name == right.name }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The seven strategies that most programs choose from, in the order in which reports list them.
    ///
    /// - Parameter workers: width of the concurrent queue and of the pool.
    public static func usual(workers: Int) -> [StrategyChoice] {
        [
            .serialQueue, .globalQueue, .concurrentQueue(width: workers), .threadPerTask, .residentThread,
            .pool(workers: workers), .cooperativePool,
        ]
    }

    /// Every strategy that TaskMeter brings, of one kind after the other.
    ///
    /// - Parameter workers: width of those that have a width to choose, and the length of the chain of queues.
    public static func all(workers: Int) -> [StrategyChoice] {
        let dispatchQueues: [StrategyChoice] = [
            .serialQueue, .concurrentQueue, .concurrentQueue(width: workers), .globalQueue,
            .globalQueue(qos: .background), .globalQueue(qos: .utility), .globalQueue(qos: .userInitiated),
            .globalQueue(qos: .userInteractive), .targetQueues(workers), .targetChain(workers), .concurrentPerform,
            .limitedQueue(places: workers), .operationQueue, .operationQueue(width: workers),
        ]
        let threads: [StrategyChoice] = [
            .threadPerTask, .residentThread, .residentThreadRunLoopSource, .residentThreadRunLoopSlices,
            .pool(workers: workers), .elasticPool(upTo: workers), .stealingPool(workers: workers),
        ]
        let swiftConcurrency: [StrategyChoice] = [
            .cooperativePool, .taskGroup, .actor, .serialExecutor, .taskExecutor(workers: workers),
        ]
        return dispatchQueues + threads + swiftConcurrency + [.inline]
    }
}
