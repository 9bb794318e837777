import Clocks
import Recording
import Results
import TaskMeter
import TestSupport

/// What came of an iteration that was executed for a short while.
struct SampledIteration {
    struct Row {
        var series: SampleSeries
        var begin: Instant
        var elapsed: Nanoseconds
        var iterations: Int
    }

    var ending: SamplingEnding
    /// What is in the log, in its order.
    var rows: [Row] = []

    /// Executes an iteration as a trial does, in a session of its own.
    init(
        _ iteration: Iteration, samples: Int = 20, duration: Nanoseconds = .seconds(10),
        target: Nanoseconds = .microseconds(30), everyIteration: Bool = false
    ) async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/samples"
        let clock = MonotonicClock()
        let log = try SampleLog(path: path, benchmark: "S/n", trial: 3, clock: clock)
        let settings = SamplingPlan.Settings(
            target: target, resolution: Nanoseconds(20), samples: samples, duration: duration,
            mostIterations: everyIteration ? 1 : iteration.mostIterations)
        let session = SamplingSession(settings, clock: clock, log: log)
        ending = try await withCheckedThrowingContinuation { continuation in
            do { try iteration.execute(session) { continuation.resume(returning: $0) } } catch {
                continuation.resume(throwing: error)
            }
        }
        try SampleLogReader(path).forEachSample { series, begin, elapsed, iterations throws(ResultsError) in
            rows.append(Row(series: series, begin: begin, elapsed: elapsed, iterations: iterations))
        }
    }

    var work: [Row] { rows.filter { $0.series == .work } }
    var empty: [Row] { rows.filter { $0.series == .empty } }

    /// Nanoseconds of an iteration of work: the least of all samples, which nothing disturbed.
    var least: Double { work.map { Double($0.elapsed.count) / Double($0.iterations) }.min() ?? .nan }
}
