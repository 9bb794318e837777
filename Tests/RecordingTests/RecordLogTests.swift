import ChildProcesses
import Clocks
import Glibc
import Recording
import Results
import TestSupport
import Testing

@Suite struct RecordLogTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/trial.log" }
    private typealias Layout = RecordLogLayout

    private func records(_ path: String) throws -> (log: RecordLogReader, records: [TaskRecord]) {
        let log = try RecordLogReader(path)
        var records: [TaskRecord] = []
        try log.forEachRecord { records.append($0) }
        return (log, records)
    }

    private func recorder(expectedTasks: Int = 0) throws -> TaskRecorder {
        try TaskRecorder(
            path: path, benchmark: "S/n[strategy=pool-8]", trial: 7, expectedTasks: expectedTasks,
            clock: MonotonicClock())
    }

    @Test("a log says of its trial what its recorder knew, while the recorder still lives")
    func roundTrip() throws {
        let recorder = try recorder()
        recorder.note(measureBegin: Instant(sinceOrigin: 5), measureEnd: Instant(sinceOrigin: 9), warmupTasks: 3)
        let statuses: [TaskStatus] = [
            .ok, .cancelled, .failed(reason: "größer"), .failed(reason: ""), .ok, .failed(reason: "größer"),
        ]
        for status in statuses {
            let task = recorder.submit()
            recorder.begin(task)
            recorder.add(bytes: 11, to: task)
            recorder.end(task, status)
        }
        recorder.begin(recorder.submit())
        _ = recorder.submit()
        recorder.end(TaskID(99))
        let (log, records) = try records(path)
        #expect(log.benchmark.description == "S/n[strategy=pool-8]" && log.trial == 7)
        #expect(log.measureBegin == Instant(sinceOrigin: 5) && log.measureEnd == Instant(sinceOrigin: 9))
        #expect(log.warmupTasks == 3 && log.log.issued == 8 && log.log.lost == 0)
        #expect(log.faults == RecordingFaults(unknownTask: 1))
        #expect(records.map(\.status) == statuses + [.unfinished, .unfinished])
        #expect(records.indices.allSatisfy { records[$0] == recorder[TaskID($0)] })
    }

    @Test("a log of more records than one read takes is whole and in order")
    func large() throws {
        let recorder = try recorder()
        for _ in 0..<50_000 {
            let task = recorder.submit()
            recorder.begin(task)
            recorder.end(task)
        }
        let (_, records) = try records(path)
        #expect(records.map(\.id.number) == Array(0..<50_000))
        #expect(records.allSatisfy { $0.status == .ok })
    }

    @Test("a process that is killed loses none of the tasks that it recorded")
    func killed() async throws {
        let path = path
        try await onOwnThread {
            let helper = try HelperProcess("record-and-wait", path, "40000")
            try #require(helper.line() == "ready")
            #expect(helper.killAndWait() == .signalled(SIGKILL))
        }
        let (log, records) = try records(path)
        #expect(log.benchmark.description == "S/killed[strategy=pool-8]" && log.trial == 3 && log.warmupTasks == 5)
        #expect(log.measureBegin != nil && log.measureEnd == nil)
        #expect(log.faults == RecordingFaults(endedWithoutBegin: 1))
        #expect(records.count == 40_000)
        var wrong = 0
        for record in records {
            let number = record.id.number
            let expected: TaskStatus =
                switch number % 4 {
                case 2: .ok
                case 3: .failed(reason: "reason \(number % 3)")
                default: .unfinished
                }
            if record.status != expected || (record.begin == nil) != (number % 4 == 0) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test("a process that is killed while it records leaves a log in which no record contradicts itself")
    func killedAtWork() async throws {
        let path = path
        try await onOwnThread {
            let helper = try HelperProcess("record-for-ever", path)
            try #require(helper.line() == "ready")
            #expect(helper.killAndWait() == .signalled(SIGKILL))
        }
        let (log, records) = try records(path)
        #expect(records.count >= 10_000)
        // Four threads: each may have been cut off between an ID and its record.
        #expect(log.log.issued - records.count <= 4)
        #expect(records.count { $0.status == .unfinished } <= 4)
        #expect(log.faults == .none)
        let contradictions = records.count { record in
            guard let begin = record.begin else { return record.status != .unfinished }
            guard let end = record.end else { return record.submitted > begin || record.status != .unfinished }
            let isKnown = record.status == .ok || record.status == .failed(reason: "fifth")
            return !isKnown || record.submitted > begin || begin > end || record.submitted.sinceOrigin <= 0
        }
        #expect(contradictions == 0)
    }

    @Test("a log that may not grow loses records with their number, and the process goes on")
    func limited() async throws {
        let path = path
        // Room for the header and one window of 16,384 records.
        let limit = LogLayout.headerSize + 16_384 * Layout.recordSize
        let (line, status) = try await onOwnThread {
            let helper = try HelperProcess("record-with-limit", path, "\(limit)", "20000")
            return (helper.line(), helper.child.waitUntilExit())
        }
        #expect(status == .exited(0))
        #expect(line == "20000 \(20_000 - 16_384) 0 File too large")
        let (log, records) = try records(path)
        #expect(log.log.issued == 20_000 && log.log.lost == 20_000 - 16_384)
        #expect(records.count == 16_384 && records.allSatisfy { $0.status == .ok && $0.bytes == 1 })
    }

    @Test("where addresses are few the logs leave most of them to the program", arguments: [500, 1_100, 2_000, 4_500])
    func fewAddresses(_ mebibytes: Int) async throws {
        let path = path
        let (line, status) = try await onOwnThread {
            let helper = try HelperProcess("record-in-little-space", path, "\(mebibytes)")
            return (helper.line(), helper.child.waitUntilExit())
        }
        #expect(status == .exited(0))
        #expect(line == "most 0" || line == "sanitized")
    }

    @Test("a hundred thousand tasks with phases and samples are recorded without one allocation")
    func allocations() async throws {
        let path = path
        let line = try await onOwnThread {
            let helper = try HelperProcess("count-allocations", path, "100000")
            defer { _ = helper.child.waitUntilExit() }
            return helper.line()
        }
        // “0 of 1234”: the second number shows that the count counts; under a sanitizer nothing is counted.
        let numbers = try #require(line).split(separator: " ").compactMap { Int($0) }
        #expect(numbers.count == 2 && numbers[0] == 0 && (numbers[1] > 10 || numbers[1] == -1), "\(line ?? "")")
    }

    @Test("a log that cannot be created says why")
    func cannotCreate() {
        #expect(throws: ResultsError.self) {
            try TaskRecorder(
                path: "/nowhere/x.log", benchmark: "S/n", trial: 0, expectedTasks: 0, clock: MonotonicClock())
        }
    }

    @Test("a log that is cut off gives the records that are whole", arguments: [0, 1, 63, 64, 65, 130, 64 * 99 + 63])
    func truncated(_ length: Int) throws {
        let recorder = try recorder()
        for _ in 0..<100 {
            let task = recorder.submit()
            recorder.begin(task)
            recorder.end(task)
        }
        let bytes = folder.bytes(of: "trial.log")
        let cut = folder.write(bytes.prefix(LogLayout.headerSize + length), to: "cut.log")
        #expect(try records(cut).records.count == length / 64)
        let found = try RecordLogReader(cut).forEachRecord { _ in }
        #expect(found == .init(ended: length / 64, missing: 100 - length / 64))
    }

    @Test("a log tells how many records are whole, begun, submitted, and given an ID only")
    func completeness() throws {
        let recorder = try recorder()
        for number in 0..<10 {
            let task = recorder.submit()
            if number >= 3 { recorder.begin(task) }
            if number >= 5 { recorder.end(task) }
        }
        var bytes = Array(folder.bytes(of: "trial.log"))
        // As a kill leaves it that came between the ID and the record; and as a loss of power leaves a header that is
        // older than the records.
        for (issued, missing) in [(UInt64(12), 2), (4, 0)] {
            withUnsafeBytes(of: issued) {
                bytes.replaceSubrange(LogLayout.Header.issued..<LogLayout.Header.issued + 8, with: $0)
            }
            let found = try RecordLogReader(folder.write(bytes, to: "changed.log")).forEachRecord { _ in }
            #expect(found == .init(ended: 5, begun: 2, submitted: 3, missing: missing))
        }
    }

    @Test("what is no log, or has no whole header, is refused", arguments: [0, 1, 8, 100, 65_535])
    func noLog(_ length: Int) throws {
        _ = try recorder()
        let bytes = folder.bytes(of: "trial.log")
        let cut = folder.write(bytes.prefix(length), to: "cut.log")
        let error = #expect(throws: ResultsError.self) { try RecordLogReader(cut) }
        guard case .truncated = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: ResultsError.self) { try RecordLogReader(folder.write(Array(bytes.reversed()), to: "other")) }
        #expect(throws: ResultsError.self) { try RecordLogReader(folder.path + "/none") }
    }

    @Test("a log of a newer schema is refused by its number")
    func newer() throws {
        _ = try recorder()
        var bytes = folder.bytes(of: "trial.log")
        bytes[LogLayout.Header.schema] = 2
        let newer = folder.write(bytes, to: "newer.log")
        #expect(throws: ResultsError.newerSchema(path: newer, found: 2)) { try RecordLogReader(newer) }
    }

    /// A log of one record with a state and values made by hand.
    private func handMade(
        submitted: UInt32 = LogLayout.Moment.done, begun: UInt32 = 0, ended: UInt32 = 0, status: UInt32 = 0,
        reason: UInt32 = 0, issued: UInt64 = 1, due: Int64 = 10, end: Int64 = 30
    ) throws
        -> [TaskRecord]
    {
        _ = try recorder()
        var bytes = Array(folder.bytes(of: "trial.log").prefix(LogLayout.headerSize))
        func store<Value: FixedWidthInteger>(_ value: Value, _ offset: Int, in bytes: inout [UInt8]) {
            withUnsafeBytes(of: value) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
        }
        store(issued, LogLayout.Header.issued, in: &bytes)
        var record = [UInt8](repeating: 0, count: Layout.recordSize)
        store(submitted, Layout.Record.isSubmitted, in: &record)
        store(begun, Layout.Record.hasBegun, in: &record)
        store(ended, Layout.Record.hasEnded, in: &record)
        store(UInt32(2), Layout.Record.worker, in: &record)
        store(due, Layout.Record.due, in: &record)
        store(Int64(11), Layout.Record.submitted, in: &record)
        store(Int64(20), Layout.Record.begin, in: &record)
        store(end, Layout.Record.end, in: &record)
        store(Int64(5), Layout.Record.bytes, in: &record)
        store(status, Layout.Record.status, in: &record)
        store(reason, Layout.Record.reason, in: &record)
        return try records(folder.write(bytes + record, to: "made.log")).records
    }

    @Test("a record that a kill cut in half reads as the state before")
    func halves() throws {
        let (claimed, done) = (LogLayout.Moment.claimed, LogLayout.Moment.done)
        func expected(begin: Int64?, end: Int64?, _ status: TaskStatus) -> [TaskRecord] {
            [
                TaskRecord(
                    id: TaskID(0), due: Instant(sinceOrigin: 10), submitted: Instant(sinceOrigin: 11),
                    begin: begin.map(Instant.init(sinceOrigin:)), end: end.map(Instant.init(sinceOrigin:)),
                    worker: begin == nil ? nil : 2, status: status, bytes: 5)
            ]
        }
        #expect(try handMade(submitted: 0) == [])
        #expect(try handMade() == expected(begin: nil, end: nil, .unfinished))
        #expect(try handMade(begun: claimed) == expected(begin: nil, end: nil, .unfinished))
        #expect(try handMade(begun: done) == expected(begin: 20, end: nil, .unfinished))
        #expect(
            try handMade(begun: done, ended: claimed, status: Layout.Status.ok)
                == expected(begin: 20, end: nil, .unfinished))
        #expect(
            try handMade(begun: done, ended: done, status: Layout.Status.ok) == expected(begin: 20, end: 30, .ok))
    }

    @Test(
        "numbers that damage put into a log cannot make its reader go astray", arguments: [1, 2, 60_000, 61_440, .max])
    func damaged(_ reason: UInt32) throws {
        let done = LogLayout.Moment.done
        let failed = Layout.Status.failed
        let records = try handMade(begun: done, ended: done, status: failed, reason: reason, issued: .max)
        #expect(records.count == 1)
        #expect(records[0].status == .failed(reason: "the reason was not kept: too many different ones"))
    }

    @Test("a moment that only damage can have put there is none: no difference of moments overflows")
    func damagedMoments() throws {
        let done = LogLayout.Moment.done
        for moment in [Int64.min, .max] {
            let record = try #require(try handMade(begun: done, ended: done, status: 1, end: moment).first)
            #expect(record.end == nil && record.spent == nil && record.status == .unfinished)
            #expect(record.wait == Nanoseconds(9))
            #expect(try handMade(begun: done, ended: done, status: 1, due: moment) == [])
        }
    }
}
