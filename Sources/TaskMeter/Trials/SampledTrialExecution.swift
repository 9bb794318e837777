import Clocks
import Dispatch
import Probes
import Recording
import Results
import Strategies
import Threading

/// One execution of a sampled benchmark, inside the suite's process: prepare, calibrate, warm up, measure, tear down.
///
/// Three parts of the process take part. The main thread prepares, and then serves the main actor, on which iterations
/// may run. The place of the iterations executes batch after batch. A thread between them waits for its end, no longer
/// than the deadline, and is the only one that speaks to the runner.
struct SampledTrialExecution: Sendable {
    var assignment: TrialAssignment
    var benchmark: Benchmark.Samples

    private var clock: MonotonicClock { assignment.clock }
    private var writer: SuiteMessageWriter { assignment.writer }

    /// Executes the trial and tells of it. Call it on the main thread.
    ///
    /// - Parameter end: ends the process; called with why the trial failed, or nil.
    func run(end: @escaping @Sendable (TrialFailure?) -> Never) throws(TrialFailure) -> Never {
        writer.send(.phase(.prepare))
        let iteration: Iteration
        do { iteration = try benchmark.prepare(assignment.parameters) } catch {
            throw TrialFailure(sentence: "the benchmark could not be prepared: \(error)")
        }
        let refusal = startThread(named: "conducting") {
            do throws(TrialFailure) {
                try conduct(iteration)
                end(nil)
            } catch {
                end(error)
            }
        }
        guard refusal == 0 else { throw TrialFailure(sentence: "\(ThreadRefusal(reason: errnoText(refusal)))") }
        dispatchMain()
    }

    private func conduct(_ iteration: Iteration) throws(TrialFailure) {
        let quality = ClockQuality(clock)
        assignment.tell(
            [(.clockCost, quality.readCost), (.clockResolution, quality.smallestStep.map(Double.init))], iterations: 1)
        writer.send(.phase(.warmUp))
        let costs = MeasuredCosts()
        let session = try session(iteration, quality, costs)
        let ending = Monitor<SamplingEnding?>(nil)
        do {
            try iteration.execute(session) { told in
                ending.withLock { $0 = told }
                ending.wakeOne()
            }
        } catch {
            throw TrialFailure(sentence: "\(error)")
        }
        // Iterations that hang may still use what tear-down would take from under them.
        guard ending.wait(within: assignment.left, until: { $0 != nil }), let ended = ending.withLock({ $0 }) else {
            throw TrialFailure(sentence: "its iterations did not end within the time limit")
        }
        writer.send(.phase(.tearDown))
        let plan = ended.session.plan
        let spent = costs.spent
        assignment.tell(
            [
                (.processorTime, spent.map { Double($0.processorTime.count) }),
                (.peakResidentMemory, ProcessCosts.peakResidentMemory()),
                (.warmUpSteady, plan.becameSteady.map { $0 ? 1 : 0 }),
                (.involuntarySwitches, spent?.scheduler.involuntarySwitches.map(Double.init)),
                (.migrations, spent?.scheduler.migrations.map(Double.init)),
            ], iterations: ended.session.measuredIterations)
        DispatchQueue.main.sync { iteration.tearDown() }
        if let error = ended.error { throw TrialFailure(sentence: "an iteration failed: \(error)") }
        writer.send(.finished(SuiteMessage.Finished(tasksMeant: 0, allEnded: true)))
    }

    private func session(
        _ iteration: Iteration, _ quality: ClockQuality, _ costs: MeasuredCosts
    ) throws(TrialFailure) -> SamplingSession {
        var sampling = assignment.quick ? benchmark.sampling.quick : benchmark.sampling
        if let limit = assignment.samplingLimit { sampling = sampling.within(limit) }
        // Warm-up, calibration and what begins before the end must fit into the trial's time as well.
        sampling = sampling.within(Nanoseconds(max(assignment.left.count / 2, 1)))
        let log: SampleLog
        do {
            log = try SampleLog(
                path: assignment.recordsPath, benchmark: assignment.testCase.id.description, trial: assignment.trial,
                clock: clock)
        } catch {
            throw TrialFailure(sentence: "no place for samples: \(error)")
        }
        let writer = writer
        return SamplingSession(
            SamplingPlan.Settings(
                target: quality.shortestSample, resolution: Nanoseconds(quality.smallestStep ?? 0),
                samples: sampling.samples, duration: sampling.duration,
                mostIterations: sampling.grouping == .everyIteration ? 1 : iteration.mostIterations),
            clock: clock, log: log,
            events: SamplingSession.Events(
                // Told between two batches, while the thread that otherwise speaks only waits.
                measuringBegins: {
                    writer.send(.phase(.measure))
                    costs.begin()
                }, measuringEnded: { costs.end() }))
    }
}

/// What measuring cost the process, read just before its first sample and just after its last.
private final class MeasuredCosts: Sendable {
    struct Costs {
        var processorTime: Nanoseconds
        var scheduler: SchedulerCounts
    }

    private let readings = Monitor<(begin: Costs?, end: Costs?)>((nil, nil))

    func begin() {
        let scheduler = SchedulerCounts()
        readings.withLock { $0.begin = Costs(processorTime: ProcessCosts.processorTime(), scheduler: scheduler) }
    }

    func end() {
        let processorTime = ProcessCosts.processorTime()
        readings.withLock { $0.end = Costs(processorTime: processorTime, scheduler: SchedulerCounts()) }
    }

    /// Nil when measuring did not begin, or did not end.
    var spent: Costs? {
        readings.withLock { readings in
            guard let begin = readings.begin, let end = readings.end else { return nil }
            return Costs(
                processorTime: end.processorTime - begin.processorTime, scheduler: end.scheduler - begin.scheduler)
        }
    }
}
