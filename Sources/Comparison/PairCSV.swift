import Results

/// `pairs.csv`: every pair of a comparison, in the order in which they were made.
enum PairCSV {
    static let header = [
        "benchmark", "metric", "unit", "pair", "first", "base_value", "head_value", "reason", "disturbance",
    ]

    struct Writer {
        private let file: AppendingFile

        init(creating path: String) throws(ResultsError) {
            file = try AppendingFile(creating: path)
            try write(PairCSV.header)
        }

        func append(_ pair: TrialPair, of benchmark: BenchmarkID, _ metric: Metric) throws(ResultsError) {
            func number(_ reading: Reading) -> String { reading.value.map { "\($0)" } ?? "" }
            try write([
                benchmark.description, metric.name, metric.unit, "\(pair.number)", pair.baseFirst ? "base" : "head",
                number(pair.base), number(pair.head), pair.base.reason ?? pair.head.reason ?? "",
                pair.disturbance ?? "",
            ])
        }

        private func write(_ fields: [String]) throws(ResultsError) {
            for byte in CSV.row(fields) { file.append(byte: byte) }
            try file.flush()
        }
    }
}
