import Glibc
import Recording
import Results
import Strategies

/// One execution of one benchmark, inside the suite's process: prepare, warm up, measure, tear down.
struct TrialExecution {
    var testCase: BenchmarkCase
    var quick: Bool
    var trial: Int
    var seed: UInt64
    var clock: MonotonicClock
    /// When the trial gives up waiting for its tasks.
    var deadline: Instant
    var recordsPath: String
    var scratchFolder: String
    var writer: SuiteMessageWriter

    /// What went wrong, in a sentence.
    struct Failure: Error {
        var sentence: String
    }

    /// Executes the trial and tells of it. Threads of tasks that never end may still run afterwards.
    func run() throws(Failure) {
        writer.send(.phase(.prepare))
        let work: Work
        do {
            work = try testCase.benchmark.prepare(Parameters(testCase.values, seed: seed, scratchFolder: scratchFolder))
        } catch {
            throw Failure(sentence: "the benchmark could not be prepared: \(error)")
        }
        let strategy = testCase.strategy()
        let tasks = testCase.tasks(quick: quick)

        writer.send(.phase(.warmUp))
        let warmupTasks = testCase.warmupTasks(quick: quick)
        let warmup = try recorder(path: nil, tasks: warmupTasks)
        guard execute(warmupTasks, of: work, by: strategy, recording: warmup) else {
            throw Failure(sentence: "the warm-up did not end within the time limit")
        }

        let recorder = try recorder(path: recordsPath, tasks: tasks)
        recorder.note(warmupTasks: warmupTasks)
        writer.send(.phase(.measure))
        let processorTimeBefore = processorTime()
        recorder.note(measureBegin: clock.now())
        let allDone = execute(tasks, of: work, by: strategy, recording: recorder)
        recorder.note(measureEnd: clock.now())
        let processorTimeSpent = processorTime() - processorTimeBefore

        writer.send(.phase(.tearDown))
        report(recorder, processorTimeSpent)
        // Tasks that hang may still use what tear-down would take from under them.
        var shutDown = false
        if allDone {
            shutDown = strategy.shutDown(within: max(left(), .seconds(1)))
            work.tearDown()
        }
        writer.send(.finished(SuiteMessage.Finished(tasksMeant: tasks, shutDown: shutDown)))
    }

    private func recorder(path: String?, tasks: Int) throws(Failure) -> TaskRecorder {
        do {
            return try TaskRecorder(
                path: path, benchmark: testCase.id.description, trial: trial, expectedTasks: tasks, clock: clock)
        } catch {
            throw Failure(sentence: "no place for task records: \(error)")
        }
    }

    private func left() -> Nanoseconds { max(deadline - clock.now(), .zero) }

    /// Submits tasks as the benchmark's load says, and waits until all have ended.
    ///
    /// - Returns: false when the deadline came first.
    private func execute(
        _ count: Int, of work: Work, by strategy: any Strategy, recording recorder: TaskRecorder
    ) -> Bool {
        let slots: Slots? = if case .inFlight(let most) = testCase.benchmark.load { Slots(most) } else { nil }
        let endingLater = PendingJobs()
        for _ in 0..<count {
            if let slots, !slots.take(within: left()) { return false }
            let id = recorder.submit()
            switch work.task {
            case .returning(let task):
                strategy.submit {
                    perform(task, id, recorder)
                    slots?.giveBack()
                }
            case .endingLater(let task):
                endingLater.enter()
                strategy.submit {
                    begin(task, id, recorder) {
                        slots?.giveBack()
                        endingLater.leave()
                    }
                }
            }
        }
        return strategy.waitUntilAllDone(within: left())
            && endingLater.waitUntilNone(within: left())
    }

    /// Sends what the trial as a whole cost, from the records of its tasks.
    private func report(_ recorder: TaskRecorder, _ processorTime: Nanoseconds) {
        var ended = 0
        var first: Instant?
        var last: Instant?
        for number in 0..<recorder.submittedTasks {
            guard let record = recorder[TaskID(number)] else { continue }
            first = min(first ?? record.submitted, record.submitted)
            guard let end = record.end else { continue }
            ended += 1
            last = max(last ?? end, end)
        }
        var samples: [(Metric, Double)] = [(.peakResidentMemory, peakResidentMemory())]
        if let first, let last, last > first {
            let elapsed = last - first
            samples =
                [
                    (.throughput, Double(ended) / elapsed.seconds), (.elapsed, Double(elapsed.count)),
                    (.processorTime, Double(processorTime.count)),
                ] + samples
        }
        for (number, (metric, value)) in samples.enumerated() {
            writer.send(
                .sample(
                    Sample(number: number, metric: metric.name, unit: metric.unit, value: value, iterations: ended)))
        }
    }

    private func processorTime() -> Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    private func peakResidentMemory() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(0), &usage)
        return Double(usage.ru_maxrss) * 1024  // the kernel counts KiB
    }
}

/// Runs one task between its begin and its end.
// hot path: what lies between the two reads of the clock is the work and nothing else
private func perform(_ task: @Sendable (TaskContext) throws -> Void, _ id: TaskID, _ recorder: TaskRecorder) {
    recorder.begin(id)
    do {
        try task(TaskContext(id: id, recorder: recorder))
        recorder.end(id, .ok)
    } catch {
        recorder.end(id, status(error))
    }
}

/// Begins one task, whose end will be told.
///
/// - Parameter ended: called once, after the end that counts.
private func begin(
    _ task: @Sendable (TaskContext, TaskEnding) throws -> Void, _ id: TaskID, _ recorder: TaskRecorder,
    ended: @escaping @Sendable () -> Void
) {
    let ending = TaskEnding { status in
        if recorder.end(id, status) { ended() }
    }
    recorder.begin(id)
    do {
        try task(TaskContext(id: id, recorder: recorder), ending)
    } catch {
        ending(status(error))
    }
}

private func status(_ error: any Error) -> TaskStatus {
    error is CancellationError ? .cancelled : .failed(reason: "\(error)")
}
