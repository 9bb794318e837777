/// `phases.csv`: one row a named instant in a task, in the order in which trials ended and phases were marked.
package enum PhaseCSV {
    /// Those that every run has; `bytes` follows them in runs that were made since there is that column.
    package static let columns = ["benchmark", "trial", "task_id", "phase", "at_ns"]

    package final class Writer {
        private let file: AppendingFile

        package init(creating path: String) throws(ResultsError) {
            file = try AppendingFile(creating: path)
            file.append(CSV.row(columns + ["bytes"]))
            try file.flush()
        }

        /// Appends the marks of a trial's log, and writes them out.
        package func append(_ log: PhaseLogReader) throws(ResultsError) {
            let prefix = Self.prefix(log.benchmark, log.trial)
            try log.forEachMark { mark throws(ResultsError) in try append(prefix, mark) }
            try file.flush()
        }

        /// Appends marks that come from elsewhere, and writes them out.
        package func append(
            benchmark: BenchmarkID, trial: Int, _ marks: some Sequence<PhaseMark>
        ) throws(ResultsError) {
            let prefix = Self.prefix(benchmark, trial)
            for mark in marks { try append(prefix, mark) }
            try file.flush()
        }

        private static func prefix(_ benchmark: BenchmarkID, _ trial: Int) -> [UInt8] {
            CSV.field(benchmark.description) + Array(",\(trial),".utf8)
        }

        private func append(_ prefix: [UInt8], _ mark: PhaseMark) throws(ResultsError) {
            file.append(prefix)
            file.append(Int64(mark.task.number))
            file.append(byte: UInt8(ascii: ","))
            file.append(CSV.field(mark.phase))
            file.append(byte: UInt8(ascii: ","))
            file.append(mark.at.sinceOrigin)
            file.append(byte: UInt8(ascii: ","))
            if let bytes = mark.bytes { file.append(bytes) }
            file.append(byte: UInt8(ascii: "\n"))
            try file.flushIfFull()
        }
    }

    /// Reads row by row. Phases are numbers here, in the order in which the file first names them.
    package final class Reader {
        package struct Row: Hashable, Sendable {
            package var trial: Int
            package var task: Int
            /// Its place in `phases`.
            package var phase: Int
            /// Nanoseconds since the run's origin.
            package var at: Int64
        }

        /// Names of the phases so far.
        package private(set) var phases: [String] = []

        private let reader: CSVReader
        private var numbers: [ArraySlice<UInt8>: Int] = [:]
        private var names: [ArraySlice<UInt8>] = []
        /// Which phase came after each: the first guess for the next row, so that hardly any name is looked up.
        private var next: [Int] = []
        private var previous = 0

        package init(_ path: String) throws(ResultsError) { reader = try CSVReader(path, columns: columns) }

        package func nextRow() throws(ResultsError) -> Row? {
            guard try reader.next() else { return nil }
            guard reader.fieldCount >= columns.count else { throw reader.malformed("this is not a phase of a task") }
            return Row(
                trial: Int(try reader.requiredInteger(1, "trial")), task: Int(try reader.requiredInteger(2, "task_id")),
                phase: phase(reader.bytes(3)), at: try reader.requiredInteger(4, "at_ns"))
        }

        package func malformed(_ detail: String) -> ResultsError { reader.malformed(detail) }

        private func phase(_ name: ArraySlice<UInt8>) -> Int {
            if next.indices.contains(previous), names[next[previous]] == name {
                previous = next[previous]
                return previous
            }
            let number = numbers[name] ?? phases.count
            if number == phases.count {
                // A copy, for a slice keeps all of the row.
                let copy = ArraySlice(Array(name))
                numbers[copy] = number
                names.append(copy)
                next.append(number)
                phases.append(String(decoding: copy, as: UTF8.self))
            }
            next[previous] = number
            previous = number
            return number
        }
    }

    package struct Row: Hashable, Sendable {
        package var benchmark: BenchmarkID
        package var trial: Int
        package var mark: PhaseMark
    }

    /// Calls `body` with each whole row of the file.
    package static func forEachRow(_ path: String, _ body: (Row) throws(ResultsError) -> Void) throws(ResultsError) {
        let reader = try CSVReader(path, columns: columns)
        while try reader.next() {
            guard reader.fieldCount >= columns.count, let benchmark = BenchmarkID(reader.text(0)) else {
                throw reader.malformed("this is not a phase of a task")
            }
            try body(
                Row(
                    benchmark: benchmark, trial: Int(try reader.requiredInteger(1, "trial")),
                    mark: PhaseMark(
                        task: TaskID(Int(try reader.requiredInteger(2, "task_id"))), phase: reader.text(3),
                        at: Instant(sinceOrigin: try reader.requiredInteger(4, "at_ns")),
                        bytes: reader.fieldCount > 5 ? try reader.integer(5, "bytes") : nil)))
        }
    }
}
