import Glibc

/// Reads a record log, of a process that ended well or was killed at any moment.
package struct RecordLogReader {
    package let path: String
    package let benchmark: BenchmarkID
    package let trial: Int
    /// When the log was made: after warm-up, just before the measured part.
    package let started: Instant
    package let measureBegin: Instant?
    package let measureEnd: Instant?
    package let faults: RecordingFaults
    package let warmupTasks: Int
    /// IDs that were given out; the records of the last few may not have been stored any more.
    package let issued: Int

    /// Records that could not be kept because the file could not grow.
    package let lost: Int

    private let reasons: [UInt8]

    package init(_ path: String) throws(ResultsError) {
        typealias Header = RecordLogLayout.Header
        self.path = path
        let file = try Self.open(path)
        defer { close(file) }
        let header = try Self.read(file, path, offset: 0, count: RecordLogLayout.headerSize)
        guard header.count == RecordLogLayout.headerSize, header.starts(with: RecordLogLayout.magic) else {
            throw .truncated(path: path, detail: "it has no whole header of a record log")
        }
        let schema = Self.load(header, Header.schema, as: UInt32.self)
        guard schema == RecordLogLayout.schema,
            Self.load(header, Header.recordSize, as: UInt32.self) == UInt32(RecordLogLayout.recordSize)
        else { throw .newerSchema(path: path, found: Int(schema)) }

        func instant(_ offset: Int) -> Instant? {
            let value = Self.load(header, offset, as: Int64.self)
            return value == 0 ? nil : Instant(sinceOrigin: value)
        }
        func count(_ offset: Int) -> Int { Int(clamping: Self.load(header, offset, as: UInt64.self)) }

        let length = min(
            Int(Self.load(header, Header.benchmarkLength, as: UInt32.self)), Header.benchmarkCapacity)
        let name = String(decoding: header[Header.benchmark..<Header.benchmark + length], as: UTF8.self)
        guard let benchmark = BenchmarkID(name) else {
            throw .malformed(path: path, line: 1, detail: "“\(name)” is not the identity of a benchmark")
        }
        self.benchmark = benchmark
        trial = Int(Self.load(header, Header.trial, as: UInt32.self))
        started = Instant(sinceOrigin: Self.load(header, Header.started, as: Int64.self))
        measureBegin = instant(Header.measureBegin)
        measureEnd = instant(Header.measureEnd)
        faults = RecordingFaults(
            endedWithoutBegin: count(Header.endedWithoutBegin), begunTwice: count(Header.begunTwice),
            endedTwice: count(Header.endedTwice), unknownTask: count(Header.unknownTask))
        warmupTasks = Int(Self.load(header, Header.warmupTasks, as: UInt32.self))
        issued = count(Header.issued)
        lost = count(Header.lost)
        let reasonsLength = min(
            Int(Self.load(header, Header.reasonsLength, as: UInt32.self)), Header.reasonsCapacity)
        reasons = Array(header[Header.reasons..<Header.reasons + reasonsLength])
    }

    /// Calls `body` with each record that was submitted, in the order of IDs, through a buffer of 1 MiB.
    package func forEachRecord(_ body: (TaskRecord) throws(ResultsError) -> Void) throws(ResultsError) {
        let file = try Self.open(path)
        defer { close(file) }
        let size = RecordLogLayout.recordSize
        let perChunk = (1 << 20) / size
        var first = 0
        while first < issued {
            let wanted = min(perChunk, issued - first)
            let chunk = try Self.read(
                file, path, offset: RecordLogLayout.headerSize + first * size, count: wanted * size)
            for index in 0..<chunk.count / size {
                if let record = record(chunk, at: index * size, id: TaskID(first + index)) { try body(record) }
            }
            if chunk.count < wanted * size { return }
            first += wanted
        }
    }

    private func record(_ bytes: [UInt8], at offset: Int, id: TaskID) -> TaskRecord? {
        typealias Record = RecordLogLayout.Record
        func isDone(_ moment: Int) -> Bool {
            Self.load(bytes, offset + moment, as: UInt32.self) == RecordLogLayout.Moment.done
        }
        guard isDone(Record.isSubmitted) else { return nil }
        func instant(_ field: Int) -> Instant {
            Instant(sinceOrigin: Self.load(bytes, offset + field, as: Int64.self))
        }
        let begun = isDone(Record.hasBegun)
        let ended = begun && isDone(Record.hasEnded)
        return TaskRecord(
            id: id, due: instant(Record.due), submitted: instant(Record.submitted),
            begin: begun ? instant(Record.begin) : nil, end: ended ? instant(Record.end) : nil,
            worker: begun ? Int(Self.load(bytes, offset + Record.worker, as: UInt32.self)) : nil,
            status: ended ? status(bytes, offset) : .unfinished,
            bytes: Self.load(bytes, offset + Record.bytes, as: Int64.self))
    }

    private func status(_ bytes: [UInt8], _ offset: Int) -> TaskStatus {
        switch Self.load(bytes, offset + RecordLogLayout.Record.status, as: UInt32.self) {
        case RecordLogLayout.Status.ok: return .ok
        case RecordLogLayout.Status.cancelled: return .cancelled
        default:
            let place = Int(Self.load(bytes, offset + RecordLogLayout.Record.reason, as: UInt32.self))
            return .failed(reason: reason(place))
        }
    }

    private func reason(_ place: Int) -> String {
        guard place > 0, place + 1 <= reasons.count else { return "the reason was not kept: too many different ones" }
        let length = Int(Self.load(reasons, place - 1, as: UInt16.self))
        return String(
            decoding: reasons[min(place + 1, reasons.count)..<min(place + 1 + length, reasons.count)], as: UTF8.self)
    }

    private static func load<Value: FixedWidthInteger>(_ bytes: [UInt8], _ offset: Int, as: Value.Type) -> Value {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }

    private static func open(_ path: String) throws(ResultsError) -> Int32 {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .cannotRead(path: path, reason: errnoText()) }
        return file
    }

    /// Reads `count` bytes, or as many as there are.
    private static func read(
        _ file: Int32, _ path: String, offset: Int, count: Int
    ) throws(ResultsError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(file, $0.baseAddress! + done, count - done, off_t(offset + done))
            }
            if got < 0 {
                if errno == EINTR { continue }
                throw .cannotRead(path: path, reason: errnoText())
            }
            if got == 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }
}
