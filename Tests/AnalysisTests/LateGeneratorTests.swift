import Analysis
import Results
import TestSupport
import Testing

@Suite("The doubt about late arrivals") struct LateGeneratorTests {
    /// The sentence of the doubt about tasks that all are submitted so late, and have ended so long after they were due, in microseconds.
    private func sentence(late: Int64, response: Int64, tasks: Int = 1_000) throws -> String? {
        let name = "S/n[strategy=a]"
        var run = try PhasedRun([name], trials: 1)
        try run.add(
            name,
            (0..<tasks).map { number in
                let due = Int64(number) * 1_000_000
                let submitted = due + late * 1_000
                return .init(due: due, submitted: submitted, begin: submitted, end: due + response * 1_000)
            })
        let data = try RunData.load(run.runFolder)
        return data.summaries().first?.doubts?.first { $0.kind == .lateGenerator }?.sentence
    }

    @Test(
        "comes when p99 of the lag is above half a millisecond and above a tenth of the response",
        arguments: [
            (late: 501, response: 1_000, isDoubted: true), (late: 500, response: 1_000, isDoubted: false),
            (late: 1_001, response: 10_000, isDoubted: true), (late: 1_000, response: 10_000, isDoubted: false),
            (late: 600, response: 7_000, isDoubted: false), (late: 1, response: 2, isDoubted: false),
        ] as [(late: Int64, response: Int64, isDoubted: Bool)])
    func limits(_ late: Int64, _ response: Int64, _ isDoubted: Bool) throws {
        #expect((try sentence(late: late, response: response) != nil) == isDoubted)
    }

    @Test("says by how much, and is judged by p90 where there are too few tasks for p99, and by nothing with fewer")
    func words() throws {
        let start = "Tasks were submitted up to 2.00 ms after they were due"
        let many = try #require(try sentence(late: 2_000, response: 5_000))
        #expect(many.hasPrefix("\(start) (p99), where responses take 5.00 ms: "), "\(many)")
        let some = try #require(try sentence(late: 2_000, response: 5_000, tasks: 999))
        #expect(some.hasPrefix("\(start) (p90), where responses take 5.00 ms: "), "\(some)")
        #expect(try sentence(late: 2_000, response: 5_000, tasks: 99) == nil)
    }

    @Test("is not about a few late ones beyond the percentile")
    func few() throws {
        let name = "S/n[strategy=a]"
        var run = try PhasedRun([name], trials: 1)
        // Of 1,000, ten may lie beyond p99.
        try run.add(
            name,
            (0..<1_000).map { number in
                let due = Int64(number) * 1_000_000
                let submitted = due + (number < 10 ? 50_000_000 : 1_000)
                return .init(due: due, submitted: submitted, begin: submitted, end: submitted + 1_000_000)
            })
        let data = try RunData.load(run.runFolder)
        #expect(data.summaries().first?.doubts?.contains { $0.kind == .lateGenerator } == false)
    }
}
