import Clocks
import Recording
import Results
import Threading

/// One execution of a benchmark that observes, inside the suite's process: prepare, observe, tear down.
///
/// The body runs on a thread of its own, so that one that hangs does not keep the trial from telling so.
struct ObservationExecution {
    var assignment: TrialAssignment
    var benchmark: Benchmark.Observations
    var costs: TrialCosts

    private var clock: MonotonicClock { assignment.clock }

    /// What the body told, and how it ended.
    private struct Course {
        var told: [String: Reading] = [:]
        var hasEnded = false
        var error: (any Error)?
    }

    /// Executes the trial and tells of it. Threads of a body that hangs may still run afterwards.
    func run() throws(TrialFailure) {
        assignment.writer.send(.phase(.prepare))
        let observation: Observing
        do { observation = try benchmark.prepare(assignment.parameters) } catch {
            throw TrialFailure(sentence: "the benchmark could not be prepared: \(error)")
        }
        let recorder: TaskRecorder
        do {
            recorder = try TaskRecorder(
                path: assignment.recordsPath, benchmark: assignment.testCase.id.description, trial: assignment.trial,
                expectedTasks: 0, clock: clock)
        } catch { throw TrialFailure(sentence: "no place for task records: \(error)") }

        let course = Monitor(Course())
        let observer = Observer(clock: clock, tasks: recorder, deadline: assignment.deadline) { metric, reading in
            course.withLock { $0.told[metric.name] = reading }
        }
        assignment.writer.send(.phase(.measure))
        var costs = costs
        costs.begin()
        recorder.note(measureBegin: clock.now())
        let refusal = startThread(named: "observing") {
            var failure: (any Error)?
            do { try observation.body(observer) } catch { failure = error }
            course.withLock { [failure] in
                $0.error = failure
                $0.hasEnded = true
            }
            course.wakeAll()
        }
        guard refusal == 0 else { throw TrialFailure(sentence: "the system refused a thread: \(errnoText(refusal))") }
        let hasEnded = course.wait(within: assignment.left) { $0.hasEnded }
        recorder.note(measureEnd: clock.now())
        costs.end()

        assignment.writer.send(.phase(.tearDown))
        guard hasEnded else { throw TrialFailure(sentence: "the observation did not end within the time limit") }
        let (told, error) = course.withLock { ($0.told, $0.error) }
        if let error { throw TrialFailure(sentence: "the observation failed: \(error)") }
        if let stranger = told.keys.sorted().first(where: { name in !benchmark.metrics.contains { $0.name == name } }) {
            throw TrialFailure(sentence: "it told “\(stranger)”, which it was not declared to observe")
        }
        assignment.tell(
            costs.readings
                + benchmark.metrics.map { ($0, told[$0.name] ?? .notCounted(reason: "the benchmark did not tell it")) },
            iterations: 1)
        assignment.writer.send(
            .finished(SuiteMessage.Finished(tasksMeant: recorder.submittedTasks, allEnded: true)))
    }
}
