import Analysis
import Results

/// The responses of each benchmark as a percentile distribution that HdrHistogram's tools plot (`.hgrm`), in milliseconds.
package enum LatencyHistograms {
    /// Writes one into `histograms/` of the run's folder for each benchmark whose tasks ended, and one more, `….corrected.hgrm`, for
    /// each closed loop; returns their paths.
    package static func write(_ data: RunData) throws(ResultsError) -> [String] {
        var names = SafeNames()
        var files: [String] = []
        for benchmark in data.run.benchmarks where benchmark.manner == .tasks {
            let name = names.name(for: benchmark.id.description)
            guard let tail = data.responseTail(of: benchmark) else { continue }
            let folder = data.folder.path + "/histograms"
            if files.isEmpty { try makeFolder(folder) }
            files.append("\(folder)/\(name).hgrm")
            try writeAtomically(tail.histogram.percentileText(unit: 1_000_000).utf8, to: files[files.count - 1])
            if let corrected = tail.correction?.histogram {
                files.append("\(folder)/\(name).corrected.hgrm")
                try writeAtomically(corrected.percentileText(unit: 1_000_000).utf8, to: files[files.count - 1])
            }
        }
        return files
    }
}
