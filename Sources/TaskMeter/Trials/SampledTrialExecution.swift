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
            [
                (.clockCost, .measured(quality.readCost)),
                (
                    .clockResolution,
                    quality.smallestStep.map { .measured(Double($0)) }
                        ?? .notCounted(reason: "all readings of the clock were alike")
                ),
            ], iterations: 1)
        writer.send(.phase(.warmUp))
        let costs = Monitor(ProcessCosts())
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
        let steady: [(Metric, Reading)] =
            ended.session.plan.becameSteady
            .map { [(.warmUpSteady, .measured($0 ? 1 : 0))] } ?? []
        var costsOfThread: [(Metric, Reading)] = []
        if let reason = reasonAgainstThreadCosts(iteration) {
            costsOfThread = Metric.ofThread.map { ($0, .unsupported(reason: reason)) }
        }
        assignment.tell(
            steady + costs.withLock { $0.readings } + costsOfThread + ended.costs,
            iterations: ended.session.measuredIterations)
        DispatchQueue.main.sync { iteration.tearDown() }
        if let error = ended.error { throw TrialFailure(sentence: "an iteration failed: \(error)") }
        writer.send(.finished(SuiteMessage.Finished(tasksMeant: 0, allEnded: true)))
    }

    private func session(
        _ iteration: Iteration, _ quality: ClockQuality, _ costs: Monitor<ProcessCosts>
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
        let hasThreadCosts = reasonAgainstThreadCosts(iteration) == nil
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
            probes: { hasThreadCosts ? [ThreadCosts()] : [] })
    }

    /// Why what the kernel counts for a thread says nothing of these iterations; nil when it does.
    private func reasonAgainstThreadCosts(_ iteration: Iteration) -> String? {
        if iteration.maySuspend { return "its iterations may suspend and go on on another thread" }
        return iteration.measuresWindows
            ? "its iterations measure windows of their own, which are shorter than reading this takes" : nil
    }
}
