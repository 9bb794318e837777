/// `samples.csv`: one row a sample, in the order in which they were taken.
package enum SampleCSV {
    package static let columns = ["benchmark", "trial", "sample", "metric", "unit", "value", "iterations", "at_ns"]
    /// Columns that every version of the file has; runs of before samples had moments lack the last.
    private static let requiredColumns = Array(columns.dropLast())

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
                        plainText(sample.value), "\(sample.iterations)",
                        sample.at.map { "\($0.sinceOrigin)" } ?? "",
                    ]))
            }
            try file.flush()
        }
    }

    package struct Row {
        package var benchmark: BenchmarkID
        package var trial: Int
        package var sample: Sample
    }

    /// All whole rows of the file.
    package static func read(_ path: String) throws(ResultsError) -> [Row] {
        let reader = try CSVReader(path, columns: requiredColumns)
        var rows: [Row] = []
        while try reader.next() {
            guard reader.fieldCount >= requiredColumns.count, let benchmark = BenchmarkID(reader.text(0)),
                let value = Double(reader.text(5)), value.isFinite
            else { throw reader.malformed("this is not a sample") }
            rows.append(
                Row(
                    benchmark: benchmark, trial: Int(try reader.requiredInteger(1, "trial")),
                    sample: Sample(
                        number: Int(try reader.requiredInteger(2, "sample")), metric: reader.text(3),
                        unit: reader.text(4), value: value,
                        iterations: Int(try reader.requiredInteger(6, "iterations")),
                        at: reader.fieldCount > 7
                            ? try reader.integer(7, "at_ns").map(Instant.init(sinceOrigin:)) : nil)))
        }
        return rows
    }

    /// The shortest decimal text that reads back as the same value, whole numbers without a point.
    static func plainText(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}
