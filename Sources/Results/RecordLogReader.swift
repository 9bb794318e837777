/// Reads the log of task records, of a process that ended well or was killed at any moment.
package struct RecordLogReader {
    /// What every log says of itself.
    package let log: LogReader
    package let measureBegin: Instant?
    package let measureEnd: Instant?
    package let faults: RecordingFaults
    package let warmupTasks: Int

    private let reasons: [UInt8]

    package var benchmark: BenchmarkID { log.benchmark }
    package var trial: Int { log.trial }

    package init(_ path: String) throws(ResultsError) {
        typealias Header = RecordLogLayout.Header
        log = try LogReader(path, .tasks)
        let header = log.header
        func instant(_ offset: Int) -> Instant? {
            LogReader.time(header, offset).flatMap { $0 == 0 ? nil : Instant(sinceOrigin: $0) }
        }
        measureBegin = instant(Header.measureBegin)
        measureEnd = instant(Header.measureEnd)
        faults = RecordingFaults(
            endedWithoutBegin: LogReader.count(header, Header.endedWithoutBegin),
            begunTwice: LogReader.count(header, Header.begunTwice),
            endedTwice: LogReader.count(header, Header.endedTwice),
            unknownTask: LogReader.count(header, Header.unknownTask))
        warmupTasks = Int(LogReader.load(header, Header.warmupTasks, as: UInt32.self))
        let length = min(
            Int(LogReader.load(header, Header.reasonsLength, as: UInt32.self)), Header.reasonsCapacity)
        reasons = Array(header[Header.reasons..<Header.reasons + length])
    }

    /// How far the records of a log are.
    package struct Completeness: Hashable, Sendable {
        /// Begin and end are stored.
        package var ended = 0
        /// The begin is stored, and no end.
        package var begun = 0
        /// Only the submission is stored.
        package var submitted = 0
        /// The ID was given out, and nothing was stored of the task: a kill came between, the file was cut off or could
        /// not grow.
        package var missing = 0

        package init(ended: Int = 0, begun: Int = 0, submitted: Int = 0, missing: Int = 0) {
            self.ended = ended
            self.begun = begun
            self.submitted = submitted
            self.missing = missing
        }
    }

    /// Calls `body` with each record that was submitted, in the order of IDs. A moment that can only be damage counts as not stored.
    @discardableResult
    package func forEachRecord(_ body: (TaskRecord) throws(ResultsError) -> Void) throws(ResultsError) -> Completeness {
        var found = Completeness()
        try log.forEachChunk { bytes, first, count throws(ResultsError) in
            for index in 0..<count {
                guard let record = record(bytes, at: index * RecordLogLayout.recordSize, id: TaskID(first + index))
                else { continue }
                if record.end != nil {
                    found.ended += 1
                } else if record.begin != nil {
                    found.begun += 1
                } else {
                    found.submitted += 1
                }
                try body(record)
            }
        }
        found.missing = max(log.issued - found.ended - found.begun - found.submitted, 0)
        return found
    }

    private func record(_ bytes: [UInt8], at offset: Int, id: TaskID) -> TaskRecord? {
        typealias Record = RecordLogLayout.Record
        func isDone(_ moment: Int) -> Bool {
            LogReader.load(bytes, offset + moment, as: UInt32.self) == LogLayout.Moment.done
        }
        func instant(_ field: Int) -> Instant? {
            LogReader.time(bytes, offset + field).map(Instant.init(sinceOrigin:))
        }
        guard isDone(Record.isSubmitted), let due = instant(Record.due), let submitted = instant(Record.submitted)
        else { return nil }
        let begin = isDone(Record.hasBegun) ? instant(Record.begin) : nil
        let begun = begin != nil
        let end = begun && isDone(Record.hasEnded) ? instant(Record.end) : nil
        let ended = end != nil
        return TaskRecord(
            id: id, due: due, submitted: submitted, begin: begin, end: end,
            worker: begun ? Int(LogReader.load(bytes, offset + Record.worker, as: UInt32.self)) : nil,
            status: ended ? status(bytes, offset) : .unfinished,
            bytes: LogReader.load(bytes, offset + Record.bytes, as: Int64.self))
    }

    private func status(_ bytes: [UInt8], _ offset: Int) -> TaskStatus {
        switch LogReader.load(bytes, offset + RecordLogLayout.Record.status, as: UInt32.self) {
        case RecordLogLayout.Status.ok: return .ok
        case RecordLogLayout.Status.cancelled: return .cancelled
        default:
            let place = Int(LogReader.load(bytes, offset + RecordLogLayout.Record.reason, as: UInt32.self))
            return .failed(reason: reason(place))
        }
    }

    private func reason(_ place: Int) -> String {
        guard place > 0, place + 1 <= reasons.count else { return "the reason was not kept: too many different ones" }
        let length = Int(LogReader.load(reasons, place - 1, as: UInt16.self))
        return String(
            decoding: reasons[min(place + 1, reasons.count)..<min(place + 1 + length, reasons.count)], as: UTF8.self)
    }
}
