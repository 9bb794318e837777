import Clocks
import Probes
import Recording
import Results

/// What the runner asked of one trial, and the way back to it.
struct TrialAssignment: Sendable {
    var testCase: BenchmarkCase
    var quick: Bool
    /// What the trial is made for.
    var mode: Trial.Mode
    var counters: CounterRequest?
    var trial: Int
    /// Trials of one block are compared in pairs.
    var block: Int
    var seed: UInt64
    var clock: MonotonicClock
    /// When the trial gives up waiting for its tasks or iterations.
    var deadline: Instant
    var recordsPath: String
    /// The most time that a sampled benchmark may measure for; nil for as long as it was declared with.
    var samplingLimit: Nanoseconds?
    var scratchFolder: String
    /// Where the simulator writes counts; nil where there is none.
    var countsFile: String?
    var writer: SuiteMessageWriter

    var parameters: Parameters {
        Parameters(
            testCase.values, seed: seed, scratchFolder: scratchFolder, isQuick: quick, clock: clock)
    }

    var left: Nanoseconds { max(deadline - clock.now(), .zero) }

    /// Sends what is known of the trial as a whole.
    ///
    /// - Parameter iterations: how many tasks or iterations the readings speak of.
    func tell(_ readings: [(Metric, Reading)], iterations: Int) {
        for (metric, reading) in readings { writer.send(.sample(Sample(metric, reading, iterations: iterations))) }
    }
}

/// Events that a trial is asked to count.
struct CounterRequest: Sendable {
    var events: [CounterEvent]
    /// What counts them for a thread.
    var backend: CounterChoice.Backend

    /// What counts for threads of which there may be thousands: the kernel where it knows all events, for PAPI becomes slower
    /// with each thread.
    var sourceForTasks: any CounterSource {
        CounterChoice(events.allSatisfy { $0.perf != nil } ? .perf : backend, because: "").source
    }
}

/// Why a trial came to no good end, in a sentence.
struct TrialFailure: Error {
    var sentence: String
}
