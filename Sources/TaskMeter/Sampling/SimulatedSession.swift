import Clocks
import Probes
import Results

/// A plan of batches in execution, in a process that runs under the simulator of caches and branch prediction.
///
/// The plan is that of counting instructions. While it measures, no counts are read between batches, which would fill the
/// simulated caches with the instrument's own; it needs none there.
struct SimulatedSession: BatchSession {
    private var plan: ExactPlan
    private let clock: MonotonicClock
    private let file: String

    /// - Parameters:
    ///   - mostIterations: the most iterations that a batch may have.
    ///   - file: where valgrind writes counts.
    init(clock: MonotonicClock, mostIterations: Int, countsTo file: String) {
        var settings = ExactPlan.Settings()
        settings.mostIterations = min(settings.mostIterations, mostIterations)
        plan = ExactPlan(settings)
        self.clock = clock
        self.file = file
    }

    /// - Throws: what a body threw, or an `ExactRefusal` where nothing is simulated.
    mutating func drive(
        _ batches: Batches, isolation: isolated (any Actor)?
    ) async throws -> [(Metric, Reading)] {
        guard case .synchronous(let work, let empty) = batches else {
            throw ExactRefusal("iterations that may suspend are not simulated")
        }
        let counter = try SimulatedBatches(countsTo: file)
        let meter = BatchMeter(clock, [counter])
        /// While it measures: batches with the brackets that are theirs.
        var measured: [(batch: ExactPlan.Batch, brackets: Range<Int>)] = []
        measured.reserveCapacity(2 * plan.settings.repeats)
        while let batch = plan.next {
            let first = counter.brackets
            switch batch {
            case .work(let iterations): _ = try work(iterations, meter)
            case .empty(let iterations): _ = try empty(iterations, meter)
            }
            let brackets = first..<counter.brackets
            if plan.stage == .measuring {
                measured.append((batch, brackets))
                plan.took(ExactCounts(instructions: 0))
            } else {
                plan.took(ExactCounts(instructions: try counter.take(brackets).instructions))
            }
        }
        var repeats: [SimulatedMetrics.Repeat] = []
        var surroundings: SimulatedCounts?
        for (batch, brackets) in measured {
            let counts = try counter.take(brackets)
            switch batch {
            case .empty: surroundings = counts
            case .work(let iterations):
                guard let empty = surroundings else { continue }
                repeats.append(SimulatedMetrics.Repeat(iterations: iterations, work: counts, empty: empty))
            }
        }
        return SimulatedMetrics.readings(of: repeats)
    }
}

extension ExactCounts {
    /// What the plan needs to know of a batch.
    fileprivate init(instructions: Int) {
        let tally = Tally(instructions: instructions, branches: nil, calls: [:])
        self.init(thread: tally, process: tally)
    }
}
