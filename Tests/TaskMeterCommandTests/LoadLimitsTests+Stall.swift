import Analysis
import FoundationEssentials
import Results
import Statistics
import Testing

/// What becomes of a stall of 1 s within 10 s, in one run that holds both loops (see `Benchmarks/Loads/Stalled.swift`).
///
/// What is expected is computed from what was recorded. A request that was due at d, while nothing was answered until the moment e,
/// took e − d at least. Of n requests at a rate r, n/100 lie beyond p99: those that were due in the first n/(100·r) of the stall s,
/// for they waited longest. So p99 = s − n/(100·r), here 1 s − 10,000/(100·1,000/s) = 0.9 s, and r·s of n, a tenth, are late.
extension LoadLimitsTests {
    private struct Stall {
        var records: [TaskRecord]
        /// The last end before nothing ended for longest, and the first after it.
        var begin: Instant
        var end: Instant
        var length: Nanoseconds { end - begin }
        /// In ascending order.
        var responses: [Int64] { records.compactMap { $0.response?.count }.sorted() }
    }

    private func description(_ name: String) throws -> BenchmarkDescription {
        try #require(data.run.benchmarks.first { $0.id.name == name }, "the run has no \(name)")
    }

    private func stall(_ name: String) throws -> Stall {
        let id = try description(name).id
        try #require(data.trials.count { $0.benchmark == id } == 1, "a run with --trials has more than one")
        let reader = try TaskCSV.Reader(data.folder.tasksFile)
        var records: [TaskRecord] = []
        while let row = try reader.next() {
            if row.benchmark == id { records.append(row.record) }
        }
        #expect(!records.isEmpty && records.allSatisfy { $0.status == .ok })
        let ends = records.compactMap(\.end).sorted()
        let (begin, end) = try #require(zip(ends, ends.dropFirst()).max { $0.1 - $0.0 < $1.1 - $1.0 })
        let stall = Stall(records: records, begin: begin, end: end)
        #expect(stall.length > .milliseconds(990) && stall.length < .milliseconds(1_500), "\(stall.length)")
        return stall
    }

    /// The value of nearest rank.
    private static func percentile(_ share: Double, _ sorted: [Int64]) -> Double {
        Double(sorted[max(Int((share * Double(sorted.count)).rounded(.up)), 1) - 1])
    }

    @Test("shows that the tail of an open loop is the stall that the requests met, as arithmetic says")
    func stallInAnOpenLoop() throws {
        let stall = try stall("stall-open")
        try #require(stall.records.count == 10_000)
        let late = stall.records.filter { $0.due > stall.begin && $0.due < stall.end }
        // One is due each millisecond.
        #expect(abs(Double(late.count) - Double(stall.length.count) / 1e6) <= 1, "\(late.count) of \(stall.length)")
        let bounds = stall.records.map { $0.due > stall.begin ? max((stall.end - $0.due).count, 0) : 0 }.sorted()
        let least = Self.percentile(0.99, bounds)
        #expect(abs(least - (Double(stall.length.count) - 100e6)) <= 1e6, "\(least)")
        let responses = stall.responses
        let p99 = Self.percentile(0.99, responses)
        print("open loop: \(late.count) late, p99 \(p99 / 1e6) ms of \(least / 1e6) ms, max \(responses[9_999])")
        // Those that had been sent when the server stood still were answered first; what is left over is its way back.
        #expect(p99 >= least - 3e6 && p99 <= least + 250e6)
        let tail = try #require(data.responseTail(of: try description("stall-open")))
        #expect(tail.correction == nil)
        let told = try #require(tail.percentiles.first { $0.statistic == .p99 }?.estimate).median
        #expect(abs(told - p99) <= 1)
    }

    /// For a wait w, a closed loop of the usual response u would have sent requests that waited w − u, w − 2u… The wait for the stall adds
    /// s/u to the n that were sent, most of them between its length and nothing, evenly: p99 = s − 0.01·(n·u + s), and n·u + s is the
    /// length of the trial, 10 s, so far as all others took u: 0.9 s again.
    @Test(
        "shows that the same stall is one request of a closed loop, far beyond its p99, and that the correction brings it back"
    )
    func stallInAClosedLoop() throws {
        let stall = try stall("stall-closed")
        let responses = stall.responses
        let raw = Self.percentile(0.99, responses)
        #expect(raw < 100e6 && responses.last.map { $0 > 980_000_000 } == true)
        #expect(responses.count { $0 > 500_000_000 } == 1)
        let tail = try #require(data.responseTail(of: try description("stall-closed")))
        let told = try #require(tail.percentiles.first { $0.statistic == .p99 }?.estimate).median
        #expect(abs(told - raw) <= 1)
        let correction = try #require(tail.correction)
        let usual = correction.expectedInterval.count
        let all = responses.flatMap { response in
            [response] + stride(from: response - usual, through: usual, by: -Int(usual)).map { $0 }
        }.sorted()
        let expected = Self.percentile(0.99, all)
        let corrected = Double(try #require(correction.histogram.value(at: 0.99)))
        print("closed loop: p99 \(raw / 1e6) ms, corrected \(corrected / 1e6) ms of \(expected / 1e6) ms")
        // The histogram keeps three digits.
        #expect(abs(corrected - expected) <= 0.002 * expected)
        #expect(corrected > 800e6 && corrected <= Double(responses.last ?? 0) * 1.001)
    }

    @Test("has both loops in one report")
    func bothLoops() throws {
        let page = try String(contentsOfFile: data.folder.reportFile, encoding: .utf8)
        for text in ["stall-open", "stall-closed", "curl-multi, corrected"] { #expect(page.contains(text)) }
    }
}
