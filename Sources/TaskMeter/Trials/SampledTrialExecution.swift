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
    /// What the whole process is asked for.
    var costs: TrialCosts

    var clock: MonotonicClock { assignment.clock }
    var writer: SuiteMessageWriter { assignment.writer }

    /// Executes the trial and tells of it. Call it on the main thread.
    ///
    /// - Parameter end: ends the process; called with why the trial failed, or nil.
    func run(end: @escaping @Sendable (TrialFailure?) -> Never) throws(TrialFailure) -> Never {
        writer.send(.phase(.prepare))
        let iteration: Iteration
        do { iteration = try benchmark.prepare(assignment.parameters) } catch {
            throw TrialFailure(sentence: "the benchmark could not be prepared: \(error)")
        }
        if assignment.mode == .simulated {
            try simulate(iteration)
            end(nil)
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
        guard assignment.mode != .exact else { return try conductExactly(iteration) }
        let quality = ClockQuality(clock)
        if assignment.mode == .timed { tell(quality) }
        writer.send(.phase(.warmUp))
        let costs = Monitor(costs)
        let ended = try execute(iteration, try session(iteration, quality, costs))
        writer.send(.phase(.tearDown))
        if assignment.mode == .timed, let steady = ended.session.plan.becameSteady {
            assignment.tell([(.warmUpSteady, .measured(steady ? 1 : 0))], iterations: 1)
        }
        var ofProcess = costs.withLock { $0.readings }
        // Where the measuring thread tells what the batches allocate, the process would tell of the instrument as well; but what is
        // live, and what is left, only the process knows.
        if assignment.mode == .allocations, !iteration.maySuspend {
            ofProcess.removeAll { $0.0.name.hasPrefix("process_") }
        }
        if assignment.mode == .timed, !ended.costs.isEmpty {
            // The probes themselves read files and counters around each batch.
            ofProcess = ofProcess.map { metric, reading in
                [.readCalls, .readBytes].contains(metric)
                    ? (metric, .unsupported(reason: "the instrument itself reads around each batch"))
                    : (metric, reading)
            }
        }
        assignment.tell(
            ofProcess + probes.absences(iteration) + ended.costs, iterations: ended.session.measuredIterations)
        try conclude(iteration, ended.error)
    }

    /// Counts under the emulator: iterations as the plan asks for them, whatever time they take.
    private func conductExactly(_ iteration: Iteration) throws(TrialFailure) {
        writer.send(.phase(.measure))
        let everyIteration = benchmark.sampling.grouping == .everyIteration
        let ended = try execute(
            iteration,
            ExactSession(
                clock: clock, mostIterations: everyIteration ? 1 : iteration.mostIterations,
                // Iterations that suspend may go on on another thread.
                scope: iteration.maySuspend ? .process : .thread))
        writer.send(.phase(.tearDown))
        assignment.tell(ended.costs, iterations: 1)
        try conclude(iteration, ended.error)
    }

    /// Has a session's batches executed where the iterations belong, and waits for their end.
    func execute<Session: BatchSession>(
        _ iteration: Iteration, _ session: Session
    ) throws(TrialFailure) -> BatchEnding<Session> {
        let ending = Monitor<BatchEnding<Session>?>(nil)
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
        return ended
    }

    private func conclude(_ iteration: Iteration, _ error: (any Error)?) throws(TrialFailure) {
        DispatchQueue.main.sync { iteration.tearDown() }
        try finish(error)
    }

    /// Tells the end, or why it is none.
    func finish(_ error: (any Error)?) throws(TrialFailure) {
        if let refusal = error as? ExactRefusal { throw TrialFailure(sentence: refusal.reason) }
        if let error { throw TrialFailure(sentence: "an iteration failed: \(error)") }
        writer.send(.finished(SuiteMessage.Finished(tasksMeant: 0, allEnded: true)))
    }

    private func tell(_ quality: ClockQuality) {
        assignment.tell(
            [
                (.clockCost, .measured(quality.readCost)),
                (
                    .clockResolution,
                    quality.smallestStep.map { .measured(Double($0)) }
                        ?? .notCounted(reason: "all readings of the clock were alike")
                ),
            ], iterations: 1)
    }

    private var probes: ThreadProbes { ThreadProbes(mode: assignment.mode, counters: assignment.counters) }

    private func session(
        _ iteration: Iteration, _ quality: ClockQuality, _ costs: Monitor<TrialCosts>
    ) throws(TrialFailure) -> SamplingSession {
        var sampling = assignment.quick ? benchmark.sampling.quick : benchmark.sampling
        if let limit = assignment.samplingLimit { sampling = sampling.within(limit) }
        // Warm-up, calibration and what begins before the end must fit into the trial's time as well.
        sampling = sampling.within(Nanoseconds(max(assignment.left.count / 2, 1)))
        let log: SampleLog
        do {
            log = try SampleLog(
                // What is counted disturbs times: a trial that counts keeps none.
                path: assignment.mode == .timed ? assignment.recordsPath : nil,
                benchmark: assignment.testCase.id.description, trial: assignment.trial, clock: clock)
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
                    costs.withLock { $0.begin() }
                }, measuringEnded: { costs.withLock { $0.end() } }),
            probes: probes.maker(iteration))
    }
}
