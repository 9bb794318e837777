import Analysis
import FoundationEssentials
import Glibc
import Results
import Statistics
import Testing

/// The run of the suite Harness whose figures are checked: `make bench-harness` names the one that it made just before.
let harnessRun = getenv("TASKMETER_HARNESS_RUN").map { RunFolder(String(cString: $0)) }

/// What TaskMeter promises of its own cost. Figures of one run only, paired by block: what ran in a block ran at nearly the
/// same time. They are printed, kept or not.
@Suite("A run of the suite Harness", .enabled(if: harnessRun != nil, "TASKMETER_HARNESS_RUN names no run"), .serialized)
struct HarnessLimitsTests {
    private let data: RunData

    init() throws { data = try RunData.load(harnessRun ?? RunFolder("")) }

    private static let clockPair = "Harness/clock-pair[source=run,threads=1]"
    private static let beginEnd = "Harness/begin-end[threads=1]"

    /// The time of an iteration by block, less that of an empty one.
    private func times(_ benchmark: String) throws -> [Int: Double] {
        let id = try #require(BenchmarkID(benchmark))
        let times = data.completedTrials(of: id).compactMap { trial in
            data.iterationTime(of: trial).map { (trial.block, $0) }
        }
        try #require(!times.isEmpty, "the run has no completed trial of \(benchmark)")
        return Dictionary(times, uniquingKeysWith: { first, _ in first })
    }

    private func estimate(_ benchmark: String) throws -> MedianEstimate {
        try #require(MedianEstimate(of: Array(times(benchmark).values)))
    }

    private func ratio(_ benchmark: String, over other: String) throws -> MedianEstimate {
        let (above, below) = (try times(benchmark), try times(other))
        let ratio = try #require(
            MedianEstimate(of: above.compactMap { block, value in below[block].map { value / $0 } }))
        print("\(benchmark) / \(other): \(text(ratio))")
        return ratio
    }

    private func text(_ estimate: MedianEstimate) -> String {
        func rounded(_ value: Double) -> String { "\((value * 1_000).rounded() / 1_000)" }
        return rounded(estimate.median)
            + (estimate.interval.map { " [\(rounded($0.lower)), \(rounded($0.upper))]" } ?? "")
            + " of \(estimate.count) trials"
    }

    @Test("shows every figure")
    func figures() throws {
        for benchmark in data.run.benchmarks where benchmark.sampling != nil {
            print("\(benchmark.id): \(text(try estimate(benchmark.id.description))) ns")
        }
    }

    @Test("shows that begin and end cost at most 1.3 times what reading the clock twice costs")
    func oneThread() throws { #expect(try ratio(Self.beginEnd, over: Self.clockPair).median <= 1.3) }

    @Test("shows that they cost at most 1.5 times of that with a second thread that records at once")
    func twoThreads() throws {
        let ratio = try ratio("Harness/begin-end[threads=2]", over: "Harness/clock-pair[source=run,threads=2]")
        #expect(ratio.median <= 1.5)
    }

    @Test("shows that UserDefaults costs more than 10,000 times as much")
    func defaults() throws {
        #expect(try ratio("Harness/naive-defaults[keys=1]", over: Self.beginEnd).median >= 10_000)
    }

    @Test("shows that all that the kernel counts for a thread is read around a sample in at most 3 µs")
    func systemCosts() throws { #expect(try estimate("Harness/system-costs").median <= 3_000) }

    /// Bursts through an elastic pool took 1.6 times of what two threads in C did when this was written, those through a pool of two 1.4.
    @Test(
        "shows that a hand-over to our own threads takes at most 1.5 times of what as many threads in C, or libdispatch, do",
        arguments: ["resident-thread", "pool-2", "elastic-pool-2", "stealing-pool-2"], [1, 1_000])
    func handOver(_ way: String, _ jobs: Int) throws {
        func benchmark(_ way: String) -> String { "Harness/hand-over[way=\(way),jobs=\(jobs)]" }
        // The better of the two by its median: the least of several in each block would be nobody's time.
        func best(_ rivals: [String]) throws -> String {
            try #require(rivals.map(benchmark).min { try estimate($0).median < estimate($1).median })
        }
        // One thread in C wakes nobody else, and shares its lock with the submitter alone: for pools it is told, and no limit.
        let isOne = way == "resident-thread" || jobs == 1
        let ratio = try ratio(
            benchmark(way), over: try best(isOne ? ["c", "serial-queue", "global-queue"] : ["c-2", "global-queue"]))
        if !isOne { _ = try self.ratio(benchmark(way), over: benchmark("c")) }
        withKnownIssue("bursts through an elastic pool are slower", isIntermittent: true) {
            #expect(ratio.median <= 1.5)
        } when: {
            way == "elastic-pool-2" && jobs == 1_000
        }
    }

    private static let countersByPAPI = "Harness/counters[by=papi]"

    @Test(
        "shows that a set of PAPI read through TaskMeter costs at most 1.2 times what PAPI_read costs",
        .enabled(if: hasCounters, "the run was made where no counters could be read"))
    func counters() throws {
        #expect(try ratio(Self.countersByPAPI, over: "Harness/counters[by=PAPI_read]").median <= 1.2)
        _ = try ratio("Harness/counters[by=perf]", over: "Harness/counters[by=PAPI_read]")
    }

    private static var hasCounters: Bool {
        harnessRun.flatMap { try? RunData.load($0) }?.run.benchmarks.contains { $0.id.description == countersByPAPI }
            ?? false
    }

    @Test("reads nothing of an empty body: at most a nanosecond, with an interval that covers zero")
    func empty() throws {
        let empty = try estimate("Harness/empty")
        #expect(abs(empty.median) <= 1)
        #expect(try #require(empty.interval).contains(0), "\(text(empty))")
    }

    @Test("could take a million samples a second with the clock alone")
    func samples() throws { #expect(try estimate("Harness/sample").median <= 1_000) }

    @Test(
        "reads a known time of 1 µs to 1 %, and one of 100 µs to 0.2 %", arguments: [(1_000, 0.01), (100_000, 0.002)])
    func knownTimes(_ length: Int, _ tolerance: Double) throws {
        let id = try #require(BenchmarkID("Harness/spin[ns=\(length)]"))
        let known = try knownTimes(of: id)
        let errors = data.completedTrials(of: id).compactMap { trial -> Double? in
            guard let time = data.iterationTime(of: trial), let range = known[trial.number] else { return nil }
            // Where the machine changed its pace during the trial, anything between the two is right.
            return time / min(max(time, range.lowerBound), range.upperBound) - 1
        }
        let error = try #require(MedianEstimate(of: errors))
        print("\(id): reads too much by \(text(error.mapped { $0 * 100 })), in percent")
        #expect(abs(error.median) <= tolerance)
    }

    /// What the suite printed: `true LENGTH FROM TO`, for each trial below a line with its number.
    private func knownTimes(of benchmark: BenchmarkID) throws -> [Int: ClosedRange<Double>] {
        var trial = -1
        var known: [Int: ClosedRange<Double>] = [:]
        for line in try String(contentsOfFile: data.folder.logFile, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.hasPrefix("=== trial "), words.count == 5 {
                trial = words[4] == benchmark.description ? Int(words[2]) ?? -1 : -1
            } else if words.first == "true", words.count == 4, let from = Double(words[2]), let to = Double(words[3]) {
                known[trial] = from...to
            }
        }
        return known
    }
}
