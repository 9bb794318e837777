import Results
import TestSupport
import Testing

@Suite struct TaskCSVTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/tasks.csv" }
    private let benchmark = BenchmarkID(
        suite: "S", name: "n", parameters: [.init(axis: "strategy", value: "pool-8"), .init(axis: "a", value: "1")])

    private func record(
        _ number: Int, due: Int64 = 10, submitted: Int64 = 12, begin: Int64? = 20, end: Int64? = 50, worker: Int? = 1,
        _ status: TaskStatus = .ok, bytes: Int64 = 0
    ) -> TaskRecord {
        TaskRecord(
            id: TaskID(number), due: Instant(sinceOrigin: due), submitted: Instant(sinceOrigin: submitted),
            begin: begin.map(Instant.init(sinceOrigin:)), end: end.map(Instant.init(sinceOrigin:)), worker: worker,
            status: status, bytes: bytes)
    }

    private func readAll() throws -> [TaskRecord] {
        let reader = try TaskCSV.Reader(path)
        var records: [TaskRecord] = []
        while let row = try reader.next() {
            #expect(row.benchmark == benchmark && row.trial == 4)
            records.append(row.record)
        }
        return records
    }

    @Test("lag, wait and spent add up to the response, to the nanosecond")
    func sum() throws {
        let record = record(0, due: -7, submitted: 1_000_000_000_003, begin: 2_000_000_000_007, end: 2_000_000_000_008)
        let wait = try #require(record.wait)
        let spent = try #require(record.spent)
        #expect(record.lag + wait + spent == record.response)
        #expect(record.lag.count == 1_000_000_000_010 && spent.count == 1)
    }

    @Test("records of every kind read back as they were written")
    func roundTrip() throws {
        let records = [
            record(0), record(1, .cancelled, bytes: .max),
            record(2, .failed(reason: "HTTP 500, \"Server\"\nsecond line\r"), bytes: -1),
            record(3, end: nil, .unfinished), record(4, begin: nil, end: nil, worker: nil, .unfinished),
            record(5, due: 0, submitted: 0, begin: .max, end: .max), record(6, .failed(reason: "")),
        ]
        let writer = try TaskCSV.Writer(creating: path)
        try writer.append(benchmark: benchmark, trial: 4, records)
        #expect(writer.rows == records.count)
        #expect(try readAll() == records)
    }

    @Test("a row stands in the file as the format says")
    func format() throws {
        let writer = try TaskCSV.Writer(creating: path)
        try writer.append(benchmark: benchmark, trial: 4, [record(7, .failed(reason: "a,b"), bytes: 9)])
        #expect(
            folder.text(of: "tasks.csv") == """
                benchmark,trial,task_id,worker,due_ns,submitted_ns,begin_ns,end_ns,wait_ns,spent_ns,status,bytes,reason
                "S/n[strategy=pool-8,a=1]",4,7,1,10,12,20,50,8,30,failed,9,"a,b"

                """)
    }

    @Test(
        "a row that contradicts itself or is no record is refused with its line",
        arguments: [
            "s/n,4,0,1,10,12,20,50,9,30,ok,0,", "s/n,4,0,1,10,12,20,50,8,31,ok,0,", "s/n,4,0,1,10,12,20,,8,30,ok,0,",
            "s/n,4,0,1,10,12,20,50,8,30,bad,0,", "s/n,4,0,1,10,12,20,50,8,30,,0,",
            "s/n,four,0,1,10,12,20,50,8,30,ok,0,",
            "s/n,4,0,1,10,12,2x,50,8,30,ok,0,", "n,4,0,1,10,12,20,50,8,30,ok,0,", "s/n,4,0,1,,12,20,50,8,30,ok,0,",
            "s/n,4,0", "",
        ])
    func malformed(_ row: String) throws {
        let good = "s/n,4,0,1,10,12,20,50,8,30,ok,0,\n"
        folder.write(TaskCSV.columns.joined(separator: ",") + "\n" + good + row + "\n", to: "tasks.csv")
        let reader = try TaskCSV.Reader(path)
        #expect(try reader.next() != nil)
        let error = try #require(throws: ResultsError.self) { try reader.next() }
        guard case .malformed(path, 3, _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("a file that a kill cut off gives its whole rows")
    func torn() throws {
        let writer = try TaskCSV.Writer(creating: path)
        try writer.append(benchmark: benchmark, trial: 4, (0..<10).map { record($0) })
        let bytes = folder.bytes(of: "tasks.csv")
        folder.write(bytes.dropLast(5), to: "tasks.csv")
        #expect(try readAll().count == 9)
        folder.write(bytes.prefix(20), to: "tasks.csv")
        #expect(try readAll().isEmpty)
        folder.write([], to: "tasks.csv")
        #expect(try readAll().isEmpty)
    }

    @Test("trials and samples read back as they were written")
    func trialsAndSamples() throws {
        let trials = [
            Trial(
                benchmark: benchmark, number: 0, block: 1, status: .completed, started: Instant(sinceOrigin: 5),
                measureBegin: Instant(sinceOrigin: 7), measureEnd: Instant(sinceOrigin: 9),
                tasks: TaskCounts(submitted: 10, ok: 1, failed: 2, cancelled: 3, unfinished: 4),
                faults: RecordingFaults(endedWithoutBegin: 1, begunTwice: 2, endedTwice: 3, unknownTask: 4),
                warmupTasks: 6),
            Trial(
                benchmark: benchmark, number: 1, block: 1, status: .failed, reason: "exit 1, \"why\"\nlast line",
                started: Instant(sinceOrigin: 6)),
        ]
        let trialWriter = try TrialCSV.Writer(creating: folder.path + "/trials.csv")
        for trial in trials { try trialWriter.append(trial) }
        #expect(try TrialCSV.read(folder.path + "/trials.csv") == trials)

        let values = [
            0, 1, -1.5, 0.1, 1e-9, 123_456_789.25, 1e300, .leastNonzeroMagnitude, 9_007_199_254_740_992, 1e15 + 2, -0.0,
        ]
        let samples = values.enumerated().map {
            Sample(number: $0.offset, metric: "m,\"1\"", unit: "1/s", value: $0.element, iterations: 3)
        }
        let sampleWriter = try SampleCSV.Writer(creating: folder.path + "/samples.csv")
        try sampleWriter.append(benchmark: benchmark, trial: 2, samples)
        let rows = try SampleCSV.read(folder.path + "/samples.csv")
        #expect(rows.map(\.sample) == samples)
        #expect(rows.allSatisfy { $0.benchmark == benchmark && $0.trial == 2 })
    }

    @Test("a sample that is no finite number is refused", arguments: ["nan", "inf", "-inf", "", "1e999", "x"])
    func notFinite(_ value: String) throws {
        let text = SampleCSV.columns.joined(separator: ",") + "\ns/n,0,0,m,ns,\(value),1\n"
        #expect(throws: ResultsError.self) { try SampleCSV.read(folder.write(text, to: "samples.csv")) }
    }
}
