import Clocks
import Probes
import Recording
import Results

/// A plan in execution: hands out its batches and keeps what they took.
package struct SamplingSession: Sendable {
    /// Called on the measuring thread between two batches.
    package struct Events: Sendable {
        var measuringBegins: @Sendable () -> Void
        var measuringEnded: @Sendable () -> Void

        package init(
            measuringBegins: @escaping @Sendable () -> Void = {}, measuringEnded: @escaping @Sendable () -> Void = {}
        ) {
            self.measuringBegins = measuringBegins
            self.measuringEnded = measuringEnded
        }
    }

    let clock: MonotonicClock
    package private(set) var plan: SamplingPlan
    /// Iterations of the body that were measured.
    package private(set) var measuredIterations = 0
    private let log: SampleLog
    private let events: Events
    /// Makes what the batches are measured with; called where they are executed.
    private let makeMeter: @Sendable () -> BatchMeter

    package init(
        _ settings: SamplingPlan.Settings, clock: MonotonicClock, log: SampleLog, events: Events = Events(),
        probes: @escaping @Sendable () -> [any BatchProbe] = { [] }
    ) {
        makeMeter = { BatchMeter(clock, probes()) }
        self.clock = clock
        self.log = log
        self.events = events
        plan = SamplingPlan(settings, start: clock.now())
    }

    /// What to execute now; nil at the end.
    var next: SamplingPlan.Batch? { plan.next }

    /// Takes in what a batch took; while measuring it is a sample.
    // hot path: no allocation, no lock, no call that can block (but where the log's next window must be mapped)
    mutating func took(_ batch: SamplingPlan.Batch, _ timed: TimedBatch, _ meter: BatchMeter) {
        let stage = plan.stage
        if stage != .measuring {
            meter.settle(.unmeasured, iterations: 0)
        } else {
            switch batch {
            case .work(let iterations):
                measuredIterations += iterations
                meter.settle(.work, iterations: iterations)
                log.append(.work, begin: timed.begin, elapsed: timed.elapsed, iterations: iterations)
            case .empty(let iterations):
                meter.settle(.empty, iterations: iterations)
                log.append(.empty, begin: timed.begin, elapsed: timed.elapsed, iterations: iterations)
            }
        }
        plan.took(timed.elapsed, until: timed.end)
        guard plan.stage != stage else { return }
        if plan.stage == .measuring { events.measuringBegins() }
        if plan.stage == .over { events.measuringEnded() }
    }
}

extension SamplingSession: BatchSession {
    package mutating func drive(
        _ batches: Batches, isolation: isolated (any Actor)?
    ) async throws -> [(Metric, Reading)] {
        let meter = makeMeter()
        switch batches {
        case .synchronous(let work, let empty):
            while let batch = next {
                switch batch {
                case .work(let iterations): took(batch, try work(iterations, meter), meter)
                case .empty(let iterations): took(batch, try empty(iterations, meter), meter)
                }
            }
        case .asynchronous(let work, let empty):
            while let batch = next {
                switch batch {
                case .work(let iterations): took(batch, try await work(iterations, meter, isolation), meter)
                case .empty(let iterations): took(batch, try await empty(iterations, meter, isolation), meter)
                }
            }
        }
        return meter.readings
    }
}
