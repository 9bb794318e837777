import Clocks
import FoundationEssentials
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
        let strategy: any Strategy
        do { strategy = try testCase.strategy() } catch {
            throw Failure(sentence: "the strategy \(testCase.strategy.name) could not be made: \(error)")
        }
        let tasks = testCase.tasks(quick: quick)

        writer.send(.phase(.warmUp))
        let warmupTasks = testCase.warmupTasks(quick: quick)
        let warmup = try recorder(path: nil, tasks: warmupTasks)
        guard execute(warmupTasks, of: work, by: strategy, recording: warmup) else {
            throw Failure(sentence: "the warm-up did not end within the time limit")
        }

        // Told before the recorder is made: the runner wakes up to read it, and shall sleep again when tasks run.
        writer.send(.phase(.measure))
        let recorder = try recorder(path: recordsPath, tasks: tasks)
        recorder.note(warmupTasks: warmupTasks)
        let processorTimeBefore = processorTime()
        recorder.note(measureBegin: clock.now())
        let allDone = execute(tasks, of: work, by: strategy, recording: recorder)
        recorder.note(measureEnd: clock.now())
        let processorTimeSpent = processorTime() - processorTimeBefore

        writer.send(.phase(.tearDown))
        report(processorTimeSpent, tasks: recorder.submittedTasks)
        // Tasks that hang may still use what tear-down would take from under them.
        if allDone {
            if !strategy.shutDown(within: max(left(), .seconds(1))) {
                print("the strategy \(testCase.strategy.name) did not shut down in time")
            }
            work.tearDown()
        }
        writer.send(.finished(SuiteMessage.Finished(tasksMeant: tasks, allEnded: allDone)))
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

    /// Sends what the trial as a whole cost. What its tasks took the runner reads from their records.
    private func report(_ processorTime: Nanoseconds, tasks: Int) {
        var samples = [(Metric.processorTime, Double(processorTime.count))]
        if let bytes = peakResidentMemory() { samples.append((.peakResidentMemory, bytes)) }
        for (number, (metric, value)) in samples.enumerated() {
            writer.send(
                .sample(
                    Sample(number: number, metric: metric.name, unit: metric.unit, value: value, iterations: tasks)))
        }
    }

    private func processorTime() -> Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The most memory that this program had resident, in bytes; nil where the kernel does not tell.
    ///
    /// Not `ru_maxrss`: that still holds the peak of the process that forked this one, from before its exec.
    private func peakResidentMemory() -> Double? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return kibibytes * 1024
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
        // The task has ended; putting its error into words is not its work.
        let end = recorder.clock.now()
        recorder.end(id, status(error), at: end)
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
        let end = recorder.clock.now()
        if recorder.end(id, status(error), at: end) { ended() }
    }
}

private func status(_ error: any Error) -> TaskStatus {
    error is CancellationError ? .cancelled : .failed(reason: "\(error)")
}
