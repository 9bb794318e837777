/// `tasks.csv`: one row a task, in the order in which trials ended and tasks were submitted.
package enum TaskCSV {
    package static let columns = [
        "benchmark", "trial", "task_id", "worker", "due_ns", "submitted_ns", "begin_ns", "end_ns", "wait_ns",
        "spent_ns", "status", "bytes", "reason",
    ]

    package final class Writer {
        private let file: AppendingFile
        package private(set) var rows = 0

        package init(creating path: String) throws(ResultsError) {
            file = try AppendingFile(creating: path)
            file.append(CSV.row(columns))
            try file.flush()
        }

        /// Appends the records of a trial's log, writes them out, and adds them up.
        package func append(_ log: RecordLogReader) throws(ResultsError) -> TaskTotals {
            var totals = TaskTotals()
            let prefix = Self.prefix(benchmark: log.benchmark, trial: log.trial)
            let found = try log.forEachRecord { record throws(ResultsError) in
                totals.add(record)
                try append(prefix, record)
            }
            totals.missing = found.missing
            try file.flush()
            return totals
        }

        /// Appends records that come from elsewhere, and writes them out.
        package func append(
            benchmark: BenchmarkID, trial: Int, _ records: some Sequence<TaskRecord>
        ) throws(ResultsError) {
            let prefix = Self.prefix(benchmark: benchmark, trial: trial)
            for record in records { try append(prefix, record) }
            try file.flush()
        }

        private static func prefix(benchmark: BenchmarkID, trial: Int) -> [UInt8] {
            CSV.field(benchmark.description) + Array(",\(trial),".utf8)
        }

        private func append(_ prefix: [UInt8], _ record: TaskRecord) throws(ResultsError) {
            let comma = UInt8(ascii: ",")
            file.append(prefix)
            file.append(Int64(record.id.number))
            file.append(byte: comma)
            append(record.worker.map(Int64.init))
            file.append(record.due.sinceOrigin)
            file.append(byte: comma)
            file.append(record.submitted.sinceOrigin)
            file.append(byte: comma)
            append(record.begin?.sinceOrigin)
            append(record.end?.sinceOrigin)
            append(record.wait?.count)
            append(record.spent?.count)
            file.append(record.status.word)
            file.append(byte: comma)
            file.append(record.bytes)
            file.append(byte: comma)
            if case .failed(let reason) = record.status { file.append(CSV.field(reason)) }
            file.append(byte: UInt8(ascii: "\n"))
            rows += 1
            try file.flushIfFull()
        }

        private func append(_ number: Int64?) {
            if let number { file.append(number) }
            file.append(byte: UInt8(ascii: ","))
        }
    }

    package final class Reader {
        private let reader: CSVReader
        private var benchmarkBytes: ArraySlice<UInt8> = []
        private var benchmark: BenchmarkID?

        /// Whether the file ends in the middle of a row.
        package var tornRow: Bool { reader.tornRow }

        package init(_ path: String) throws(ResultsError) { reader = try CSVReader(path, columns: columns) }

        package struct Row {
            package var benchmark: BenchmarkID
            package var trial: Int
            package var record: TaskRecord
        }

        package func next() throws(ResultsError) -> Row? {
            guard try reader.next() else { return nil }
            guard reader.fieldCount >= columns.count else {
                throw reader.malformed("\(reader.fieldCount) fields where \(columns.count) belong")
            }
            // Neighbours nearly always belong to the same benchmark: its identity is parsed once.
            if benchmark == nil || reader.bytes(0) != benchmarkBytes {
                benchmarkBytes = ArraySlice(Array(reader.bytes(0)))
                guard let id = BenchmarkID(reader.text(0)) else {
                    throw reader.malformed("“\(reader.text(0))” is not of the form suite/name[axis=value,…]")
                }
                benchmark = id
            }
            let begin = try reader.integer(6, "begin_ns").map(Instant.init(sinceOrigin:))
            let end = try reader.integer(7, "end_ns").map(Instant.init(sinceOrigin:))
            let record = TaskRecord(
                id: TaskID(Int(try reader.requiredInteger(2, "task_id"))),
                due: Instant(sinceOrigin: try reader.requiredInteger(4, "due_ns")),
                submitted: Instant(sinceOrigin: try reader.requiredInteger(5, "submitted_ns")),
                begin: begin, end: end, worker: try reader.integer(3, "worker").map(Int.init),
                status: try status(), bytes: try reader.integer(11, "bytes") ?? 0)
            guard try reader.integer(8, "wait_ns") == record.wait?.count,
                try reader.integer(9, "spent_ns") == record.spent?.count
            else { throw reader.malformed("wait_ns or spent_ns does not agree with begin_ns and end_ns") }
            return Row(benchmark: benchmark!, trial: Int(try reader.requiredInteger(1, "trial")), record: record)
        }

        private func status() throws(ResultsError) -> TaskStatus {
            switch reader.bytes(10).first {
            case UInt8(ascii: "o"): return .ok
            case UInt8(ascii: "c"): return .cancelled
            case UInt8(ascii: "u"): return .unfinished
            case UInt8(ascii: "f"): return .failed(reason: reader.text(12))
            default: throw reader.malformed("“\(reader.text(10))” is not a status")
            }
        }
    }
}

extension TaskStatus {
    /// The word for it in CSV.
    package var word: String {
        switch self {
        case .ok: "ok"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .unfinished: "unfinished"
        }
    }
}
