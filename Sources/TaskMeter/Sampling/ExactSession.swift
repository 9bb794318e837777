import Clocks
import Probes
import Results

/// An exact plan in execution, in a process that runs under the emulator.
struct ExactSession: BatchSession {
    private var plan: ExactPlan
    private let clock: MonotonicClock
    private let scope: ExactCounts.Scope

    /// - Parameters:
    ///   - mostIterations: the most iterations that a batch may have.
    ///   - scope: whose instructions are told.
    init(clock: MonotonicClock, mostIterations: Int, scope: ExactCounts.Scope) {
        var settings = ExactPlan.Settings()
        settings.mostIterations = min(settings.mostIterations, mostIterations)
        plan = ExactPlan(settings)
        self.clock = clock
        self.scope = scope
    }

    /// - Throws: what a body threw, or an `ExactRefusal` where nothing counts.
    mutating func drive(
        _ batches: Batches, isolation: isolated (any Actor)?
    ) async throws -> [(Metric, Reading)] {
        let counter = try ExactBatches()
        let meter = BatchMeter(clock, [counter])
        switch batches {
        case .synchronous(let work, let empty):
            while let batch = plan.next {
                switch batch {
                case .work(let iterations): _ = try work(iterations, meter)
                case .empty(let iterations): _ = try empty(iterations, meter)
                }
                plan.took(counter.take())
            }
        case .asynchronous(let work, let empty):
            while let batch = plan.next {
                switch batch {
                case .work(let iterations): _ = try await work(iterations, meter, isolation)
                case .empty(let iterations): _ = try await empty(iterations, meter, isolation)
                }
                plan.took(counter.take())
            }
        }
        return ExactMetrics.readings(of: plan, scope)
    }
}
