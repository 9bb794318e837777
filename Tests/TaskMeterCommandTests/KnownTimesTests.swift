import ChildProcesses
import FoundationEssentials
import Results
import Statistics
import TestSupport
import Testing

/// What the instrument reads of code whose time is known. The limits are far wider than what it reaches on a machine that
/// does nothing else (0.1 % of a spin of a microsecond and of 100 µs): they would tell of a sample that is divided by the
/// wrong number of iterations, of a body that was removed, of an overhead that is not subtracted.
@Suite("Known times")
struct KnownTimesTests {
    @Test("an empty body reads as nothing, and a spin as long as it is")
    func areRead() throws {
        let folder = TemporaryFolder()
        let output = try Product.run(
            "run", "--suite", Product.buildFolder + "/KnownTimes", "--skip", "empty-each", "--trials", "5", "--output",
            folder.path, "--no-report")
        #expect(output.status == .exited(0), "\(output.errors)")
        let rows = try SampleCSV.read(folder.latest.samplesFile)
        /// The median over trials of each trial's median less that of its empty batches, in nanoseconds an iteration.
        func time(_ benchmark: String) -> Double {
            let trials = Dictionary(grouping: rows.filter { $0.benchmark.description == benchmark }, by: \.trial).values
            func median(_ trial: [SampleCSV.Row], _ metric: Metric) -> Double {
                let values = trial.map(\.sample).filter { $0.metric == metric.name }
                    .map { ($0.value ?? .nan) / Double($0.iterations) }.sorted()
                return values.isEmpty ? .nan : values[values.count / 2]
            }
            let times = trials.map { median($0, .iterationTime) - median($0, .emptyTime) }.sorted()
            return times.isEmpty ? .nan : times[times.count / 2]
        }
        for empty in ["empty", "empty-on-main", "empty-prepared", "empty-window"] {
            #expect(abs(time("KnownTimes/" + empty)) < 5, "\(empty) reads \(time("KnownTimes/" + empty)) ns")
        }
        #expect(abs(time("KnownTimes/empty-async")) < 20)
        for length in ["1000", "100000"] {
            let time = time("KnownTimes/spin[ns=\(length)]")
            let expected = try #require(Double(length))
            #expect(abs(time / expected - 1) < 0.1, "a spin of \(length) ns reads \(time) ns")
        }
    }
}
