import Results

/// Decides what an exact trial of a sampled benchmark executes next, where instructions are counted and not time.
///
/// A value that knows no emulator: whoever executes it asks for the `next` batch, counts it, and tells what it `took`, until
/// there is none. Nothing in it depends on time, so that a trial does the same each time:
///
/// - Warm-up: single iterations, until there were enough of them, or those after the first executed enough. What only a
///   first iteration does, such as making a table, is over then.
/// - Growth: batches of twice as many iterations each, until one executes enough twice in a row, since once can be what only
///   a first time does, or until it has the most that there may be.
/// - Measuring: as many times as there are repeats, an empty batch and one of work, of the same number of iterations.
package struct ExactPlan: Sendable {
    package struct Settings: Hashable, Sendable {
        /// The most iterations of the warm-up.
        package var warmUpIterations = 20
        /// Instructions after which the warm-up is enough, those of the first iteration not among them.
        package var warmUpInstructions = 2_000_000
        /// Instructions after which a batch is large enough.
        package var batchInstructions = 1_000_000
        /// The most iterations of a batch; fewer where a benchmark allows for fewer.
        package var mostIterations = 1_000
        /// How often work and nothing are counted, each.
        package var repeats = 5

        package init() {}
    }

    package enum Batch: Hashable, Sendable {
        case work(iterations: Int)
        case empty(iterations: Int)
    }

    package enum Stage: Hashable, Sendable { case warmUp, growth, measuring, over }

    /// One repeat: what the work of a batch took, without what surrounds it.
    package struct Repeat: Hashable, Sendable {
        package var iterations: Int
        package var net: ExactCounts
    }

    package let settings: Settings
    package private(set) var stage = Stage.warmUp
    /// Iterations of a batch from here on.
    package private(set) var iterations = 1
    /// What was measured, in order.
    package private(set) var repeats: [Repeat] = []

    private var warmedIterations = 0
    private var warmedInstructions = 0
    /// Batches in a row that executed enough.
    private var crossings = 0
    /// The empty batch of the repeat that is under way.
    private var empty: ExactCounts?

    package init(_ settings: Settings = Settings()) { self.settings = settings }

    /// What to execute now; nil at the end.
    package var next: Batch? {
        switch stage {
        case .warmUp, .growth: .work(iterations: iterations)
        case .measuring: empty == nil ? .empty(iterations: iterations) : .work(iterations: iterations)
        case .over: nil
        }
    }

    /// Takes in what the batch that was `next` executed.
    ///
    /// What the whole process executed decides, since iterations may run on other threads than the one that marks.
    package mutating func took(_ counts: ExactCounts) {
        let instructions = counts.process.instructions
        crossings = instructions >= settings.batchInstructions ? crossings + 1 : 0
        switch stage {
        case .warmUp:
            if warmedIterations > 0 { warmedInstructions += instructions }
            warmedIterations += 1
            if warmedIterations >= settings.warmUpIterations || warmedInstructions >= settings.warmUpInstructions {
                stage = .growth
                if crossings >= 2 || iterations >= settings.mostIterations { measure() }
            }
        case .growth:
            if crossings >= 2 || iterations >= settings.mostIterations {
                measure()
            } else if crossings == 0 {
                iterations = min(2 * iterations, settings.mostIterations)
            }
        case .measuring:
            guard let surroundings = empty else {
                empty = counts
                return
            }
            repeats.append(Repeat(iterations: iterations, net: counts - surroundings))
            empty = nil
            if repeats.count >= settings.repeats { stage = .over }
        case .over: break
        }
    }

    private mutating func measure() { stage = settings.repeats > 0 ? .measuring : .over }
}

/// What an exact trial says of one event: how often it happens in an iteration.
package struct ExactResult: Hashable, Sendable {
    /// The median of the repeats, in events of an iteration.
    package var perIteration: Reading
    /// How far repeats differ: the largest less the smallest, as a share of the median; 0 when all are the same. Nil
    /// where there is no median, or it is 0 and they differ.
    package var spread: Double?

    /// - Parameter values: events of an iteration, one reading of each repeat.
    package init(_ values: [Reading]) {
        // A repeat that could not be counted, because another thread came between, takes no part while others could.
        let numbers = values.compactMap(\.value).sorted()
        guard let smallest = numbers.first, let largest = numbers.last else {
            perIteration = values.first ?? .notCounted(reason: "no repeat was counted")
            return
        }
        let middle = numbers.count / 2
        let median = numbers.count % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2
        perIteration = .measured(median)
        spread = largest == smallest ? 0 : median == 0 ? nil : (largest - smallest) / abs(median)
    }
}

extension ExactPlan {
    /// The result of what was measured, of one event.
    package func result(_ event: ExactCounts.Event, of scope: ExactCounts.Scope) -> ExactResult {
        ExactResult(
            repeats.map { taken in
                taken.net.reading(event, of: scope).map { $0 / Double(taken.iterations) }
            })
    }
}
