/// `samples.csv`: one row a sample, in the order in which they were taken.
///
/// What could not be measured has a row too: its value is empty, its status says why in a word and its reason in a sentence.
package enum SampleCSV {
    package static let columns = [
        "benchmark", "trial", "sample", "metric", "unit", "value", "iterations", "at_ns", "status", "share", "reason",
        "remedy",
    ]
    /// Columns that every version of the file has; the others came later.
    private static let requiredColumns = Array(columns.prefix(7))

    package final class Writer {
        private let file: AppendingFile

        package init(creating path: String) throws(ResultsError) {
            file = try AppendingFile(creating: path)
            file.append(CSV.row(columns))
            try file.flush()
        }

        package func append(benchmark: BenchmarkID, trial: Int, _ samples: [Sample]) throws(ResultsError) {
            for sample in samples {
                file.append(
                    CSV.row([
                        benchmark.description, "\(trial)", "\(sample.number)", sample.metric, sample.unit,
                        sample.value.map(plainText) ?? "", "\(sample.iterations)",
                        sample.at.map { "\($0.sinceOrigin)" } ?? "", sample.reading.status.rawValue,
                        sample.reading.share.map(plainText) ?? "", sample.reading.reason ?? "",
                        sample.reading.remedy ?? "",
                    ]))
            }
            try file.flush()
        }

        /// Copies the samples of a trial out of its log, in their order and as they were read, and writes them out.
        package func append(_ log: SampleLogReader) throws(ResultsError) -> SampleTotals {
            let prefix = CSV.field(log.benchmark.description) + Array(",\(log.trial),".utf8)
            func middle(_ series: SampleSeries) -> [UInt8] {
                Array(",\(series.metric.name),\(series.metric.unit),".utf8)
            }
            let (work, empty) = (middle(.work), middle(.empty))
            let comma = UInt8(ascii: ",")
            let measured = Array(",\(Reading.Status.measured.rawValue),,,\n".utf8)
            var totals = SampleTotals()
            try log.forEachSample { series, begin, elapsed, iterations throws(ResultsError) in
                file.append(prefix)
                file.append(Int64(totals.samples))
                file.append(series == .work ? work : empty)
                file.append(elapsed.count)
                file.append(byte: comma)
                file.append(Int64(iterations))
                file.append(byte: comma)
                file.append(begin.sinceOrigin)
                file.append(measured)
                totals.add(series, begin, elapsed)
                try file.flushIfFull()
            }
            try file.flush()
            return totals
        }
    }

    package struct Row {
        package var benchmark: BenchmarkID
        package var trial: Int
        package var sample: Sample
    }

    /// Reads the file row by row, in one pass, however many samples it holds.
    package final class Reader {
        private let reader: CSVReader
        private var benchmarkBytes: ArraySlice<UInt8> = []
        private var benchmark: BenchmarkID?

        /// Whether the file ends in the middle of a row.
        package var tornRow: Bool { reader.tornRow }

        package init(_ path: String) throws(ResultsError) {
            reader = try CSVReader(path, columns: requiredColumns)
        }

        package func next() throws(ResultsError) -> Row? {
            guard try reader.next() else { return nil }
            guard reader.fieldCount >= requiredColumns.count, let reading = reading()
            else { throw malformed("this is not a sample") }
            return Row(
                benchmark: try identity(), trial: Int(try reader.requiredInteger(1, "trial")),
                sample: Sample(
                    number: Int(try reader.requiredInteger(2, "sample")), metric: reader.text(3),
                    unit: reader.text(4), reading: reading,
                    iterations: Int(try reader.requiredInteger(6, "iterations")),
                    at: reader.fieldCount > 7
                        ? try reader.integer(7, "at_ns").map(Instant.init(sinceOrigin:)) : nil))
        }

        package func malformed(_ detail: String) -> ResultsError { reader.malformed(detail) }

        /// Neighbours nearly always belong to the same benchmark: its identity is parsed once.
        private func identity() throws(ResultsError) -> BenchmarkID {
            if let benchmark, reader.bytes(0) == benchmarkBytes { return benchmark }
            guard let id = BenchmarkID(reader.text(0)) else { throw malformed("this is not a sample") }
            benchmarkBytes = ArraySlice(Array(reader.bytes(0)))
            benchmark = id
            return id
        }

        /// What the value and the columns after `at_ns` say; nil when they say nothing that makes sense.
        private func reading() -> Reading? {
            guard reader.fieldCount > 11, let status = Reading.Status(rawValue: reader.text(8)) else {
                return reader.fieldCount > 8 && !reader.bytes(8).isEmpty ? nil : value().map(Reading.measured)
            }
            switch status {
            case .measured: return value().map(Reading.measured)
            case .estimated:
                guard let value = value(), let share = Double(reader.text(9)), share.isFinite else { return nil }
                return .estimated(value, share: share)
            case .notCounted: return .notCounted(reason: reader.text(10))
            case .unsupported: return .unsupported(reason: reader.text(10))
            case .denied: return .denied(reason: reader.text(10), remedy: reader.text(11))
            }
        }

        /// A number, if it is a finite one. Most are whole, and are read without a detour over text.
        private func value() -> Double? {
            let bytes = reader.bytes(5)
            if !bytes.isEmpty, bytes.count <= 15, bytes.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) {
                return Double(bytes.reduce(0) { $0 * 10 + Int64($1 &- UInt8(ascii: "0")) })
            }
            guard let value = Double(reader.text(5)), value.isFinite else { return nil }
            return value
        }
    }

    /// All whole rows of the file.
    package static func read(_ path: String) throws(ResultsError) -> [Row] {
        let reader = try Reader(path)
        var rows: [Row] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    /// The shortest decimal text that reads back as the same value, whole numbers without a point.
    static func plainText(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}

/// What the samples of a trial's log add up to.
package struct SampleTotals: Hashable, Sendable {
    /// Of either series.
    package private(set) var samples = 0
    package private(set) var workSamples = 0
    /// When the first began; nil of none.
    package private(set) var begin: Instant?
    /// When the last had been measured; nil of none.
    package private(set) var end: Instant?

    package init() {}

    package mutating func add(_ series: SampleSeries, _ begin: Instant, _ elapsed: Nanoseconds) {
        samples += 1
        if series == .work { workSamples += 1 }
        self.begin = self.begin ?? begin
        end = begin + elapsed
    }
}
