import Clocks
import Probes
import Recording
import Results
import Statistics
import Strategies

/// One execution of a benchmark of tasks, inside the suite's process: prepare, warm up, measure, tear down.
struct TrialExecution {
    var assignment: TrialAssignment
    var benchmark: Benchmark.Tasks
    var choice: StrategyChoice
    var costs: TrialCosts

    private typealias Failure = TrialFailure
    private static let longestWarmup = Nanoseconds.seconds(2)
    private var clock: MonotonicClock { assignment.clock }
    private var writer: SuiteMessageWriter { assignment.writer }

    /// Executes the trial and tells of it. Threads of tasks that never end may still run afterwards.
    func run() throws(TrialFailure) {
        writer.send(.phase(.prepare))
        let work: Work
        do { work = try benchmark.prepare(assignment.parameters) } catch {
            throw Failure(sentence: "the benchmark could not be prepared: \(error)")
        }
        // Before the strategy is made: threads inherit it, and all strategies' threads must sleep as precisely.
        let load = benchmark.load(assignment.parameters)
        if load.isOpen { ArrivalClock.sharpenTimers() }
        let strategy: any Strategy
        do { strategy = try choice() } catch {
            throw Failure(sentence: "the strategy \(choice.name) could not be made: \(error)")
        }
        if case .driving = work.task, choice.traits?.width != .submitters {
            throw Failure(
                sentence: "its tasks are driven by a loop of their own, and so need `strategies: [.inline]`")
        }
        let length = assignment.testCase.length(quick: assignment.quick)

        writer.send(.phase(.warmUp))
        let warmupTasks = assignment.testCase.warmupTasks(quick: assignment.quick)
        let warmup = try recorder(path: nil, tasks: warmupTasks)
        let counters = assignment.counters.flatMap { request in
            assignment.mode == .events ? TaskCounters(request.sourceForTasks, request.events) : nil
        }
        let marker = assignment.mode == .exact ? try marker() : nil
        let bodies = marker.map { ExactTasks($0) }
        // Where nobody said how many tasks fit in a time, nor does anybody know how long the warm-up's take.
        let warmupLimit = length.time != nil || load.isOpen ? Self.longestWarmup : nil
        guard
            try execute(
                .tasks(warmupTasks), of: work, by: strategy, recording: warmup, TaskProbes(), within: warmupLimit)
        else {
            throw Failure(sentence: "the warm-up did not end within the time limit")
        }

        // Told before the recorder is made: the runner wakes up to read it, and shall sleep again when tasks run.
        writer.send(.phase(.measure))
        let recorder = try recorder(path: assignment.recordsPath, tasks: length.count ?? 0)
        recorder.note(warmupTasks: warmupTasks)
        var costs = costs
        costs.begin()
        recorder.note(measureBegin: clock.now())
        marker?.begin()
        let allDone = try execute(
            length, of: work, by: strategy, recording: recorder,
            TaskProbes(counters: counters, bodies: bodies))
        let exact = marker?.end()
        recorder.note(measureEnd: clock.now())
        costs.end()

        writer.send(.phase(.tearDown))
        assignment.tell(
            costs.readings + exactProcess(exact, marker, counted: bodies?.counted ?? 0)
                + exactBodies(bodies, of: work),
            iterations: recorder.submittedTasks)
        if let counters {
            let group = counters.readings(CounterSurroundings.current())
            assignment.tell(
                zip(group.events, group.readings).map { ($0.metric(.task), $1) }
                    + group.ratios(.task).map { ($0.metric, $0.reading) },
                iterations: counters.totals.counted)
        }
        // Tasks that hang may still use what tear-down would take from under them.
        if allDone {
            if !strategy.shutDown(within: max(assignment.left, .seconds(1))) {
                print("the strategy \(choice.name) did not shut down in time")
            }
            work.tearDown()
        }
        writer.send(
            .finished(SuiteMessage.Finished(tasksMeant: length.count ?? recorder.submittedTasks, allEnded: allDone)))
    }

    private func recorder(path: String?, tasks: Int) throws(Failure) -> TaskRecorder {
        do {
            return try TaskRecorder(
                path: path, benchmark: assignment.testCase.id.description, trial: assignment.trial,
                expectedTasks: tasks, clock: clock)
        } catch {
            throw Failure(sentence: "no place for task records: \(error)")
        }
    }

    private func exactProcess(
        _ counts: ExactCounts?, _ marker: ExactMarker?, counted: Int
    ) -> [(Metric, Reading)] {
        guard let counts, let marker else { return [] }
        return ExactMetrics.readings(of: counts.withoutCounting(counted, ExactTasks.cost(marker)), .process)
    }

    private func exactBodies(_ bodies: ExactTasks?, of work: Work) -> [(Metric, Reading)] {
        guard let bodies else { return [] }
        guard case .returning = work.task else {
            return ExactMetrics.metrics(.thread).map {
                ($0, .unsupported(reason: "its tasks go on after they have returned, on whatever thread"))
            }
        }
        return bodies.readings()
    }

    private func marker() throws(Failure) -> ExactMarker {
        do throws(ExactRefusal) { return try ExactMarker() } catch { throw Failure(sentence: error.reason) }
    }

    /// When the tasks of an open loop are due; nil for other loads.
    private func arrivals(_ count: Int, by load: Load) -> ArrivalClock? {
        // The trials of a block are paired: they meet the same arrivals.
        let seed = ArrivalSchedule.seed(ofRun: assignment.seed, block: assignment.block)
        return load.schedule(count, seed: seed).map { ArrivalClock($0, clock: clock) }
    }

    /// Submits tasks as the benchmark's load says, and waits until all have ended.
    ///
    /// - Parameter limit: when no more tasks are submitted although there should be more; nil for never.
    /// - Returns: false when the deadline came first.
    private func execute(
        _ length: TrialLength, of work: Work, by strategy: any Strategy, recording recorder: TaskRecorder,
        _ probes: TaskProbes, within limit: Nanoseconds? = nil
    ) throws(Failure) -> Bool {
        let load = benchmark.load(assignment.parameters)
        let arrivals = length.count.flatMap { self.arrivals($0, by: load) }
        if case .driving(let loop) = work.task {
            let tasks = TaskSource(
                length, within: limit, load, arrivals, recording: recorder, until: assignment.deadline)
            do { try loop(tasks) } catch { throw Failure(sentence: "its loop failed: \(error)") }
            return tasks.areDone
        }
        let close = (length.time ?? limit).map { clock.now() + $0 }
        let slots: Slots? = if case .inFlight(let most) = load { Slots(most) } else { nil }
        let endingLater = PendingJobs()
        for number in 0..<(length.count ?? Int.max) {
            if let slots, !slots.take(within: assignment.left) { return false }
            var due: Instant?
            if let arrivals {
                due = arrivals.wait(for: number, until: min(close ?? assignment.deadline, assignment.deadline))
                if due == nil {
                    if assignment.left == .zero { return false }
                    break
                }
            } else {
                // Those of a burst and of a closed loop follow one another at once.
                if number % 64 == 0, assignment.left == .zero { return false }
                if let close, clock.now() >= close {
                    slots?.giveBack()
                    break
                }
            }
            let id = recorder.submit(due: due)
            switch work.task {
            case .returning(let task):
                strategy.submit {
                    if probes.isEmpty {
                        perform(task, id, recorder)
                    } else {
                        perform(task, id, recorder, probes)
                    }
                    slots?.giveBack()
                }
            case .driving: break
            case .endingLater(let task):
                endingLater.enter()
                strategy.submit {
                    let mark = probes.counters?.begin()
                    begin(task, id, recorder) {
                        if let mark { probes.counters?.end(mark) }
                        slots?.giveBack()
                        endingLater.leave()
                    }
                }
            }
            if arrivals != nil { recorder.mark(id, accepted) }
        }
        return strategy.waitUntilAllDone(within: assignment.left)
            && endingLater.waitUntilNone(within: assignment.left)
    }
}

/// When the strategy had taken a task of an open loop, and the one who submits it could go on.
private let accepted = Phase(PhaseMark.acceptedPhase)

/// Runs one task between its begin and its end.
// hot path: what lies between the two reads of the clock is the work and nothing else
private func perform(_ task: @Sendable (TaskContext) throws -> Void, _ id: TaskID, _ recorder: TaskRecorder) {
    recorder.begin(id)
    do {
        try task(TaskContext(id: id, recorder: recorder))
        recorder.end(id, .ok)
    } catch {
        // The task has ended; putting its error into words is not its work.
        let end = recorder.clock.now()
        recorder.end(id, status(error), at: end)
    }
}

/// What is counted of each task by itself, where that was asked for.
private struct TaskProbes: Sendable {
    var counters: TaskCounters?
    /// Under the emulator.
    var bodies: ExactTasks?

    var isEmpty: Bool { counters == nil && bodies == nil }
}

/// The same, and counts: events around all that is recorded of the task, instructions of its body alone.
private func perform(
    _ task: @Sendable @escaping (TaskContext) throws -> Void, _ id: TaskID, _ recorder: TaskRecorder,
    _ probes: TaskProbes
) {
    let mark = probes.counters?.begin()
    if let bodies = probes.bodies {
        perform({ context in try bodies.count { try task(context) } }, id, recorder)
    } else {
        perform(task, id, recorder)
    }
    if let mark { probes.counters?.end(mark) }
}

/// Begins one task, whose end will be told.
///
/// - Parameter ended: called once, after the end that counts.
private func begin(
    _ task: @Sendable (TaskContext, TaskEnding) throws -> Void, _ id: TaskID, _ recorder: TaskRecorder,
    ended: @escaping @Sendable () -> Void
) {
    let ending = TaskEnding { status, moment in
        if recorder.end(id, status, at: moment ?? recorder.clock.now()) { ended() }
    }
    recorder.begin(id)
    do {
        try task(TaskContext(id: id, recorder: recorder), ending)
    } catch {
        let end = recorder.clock.now()
        if recorder.end(id, status(error), at: end) { ended() }
    }
}

private func status(_ error: any Error) -> TaskStatus {
    error is CancellationError ? .cancelled : .failed(reason: "\(error)")
}
