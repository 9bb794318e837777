/// Reads the log of samples, of a process that ended well or was killed at any moment.
package struct SampleLogReader {
    /// What every log says of itself.
    package let log: LogReader

    package var benchmark: BenchmarkID { log.benchmark }
    package var trial: Int { log.trial }
    package var lost: Int { log.lost }

    package init(_ path: String) throws(ResultsError) { log = try LogReader(path, .samples) }

    /// Calls `body` with each sample that was stored, in the order in which they were taken; not with one whose numbers can only
    /// be damage.
    package func forEachSample(
        _ body: (_ series: SampleSeries, _ begin: Instant, _ elapsed: Nanoseconds, _ iterations: Int)
            throws(ResultsError) -> Void
    ) throws(ResultsError) {
        typealias Entry = SampleLogLayout.Entry
        try log.forEachChunk { bytes, _, count throws(ResultsError) in
            for index in 0..<count {
                let offset = index * SampleLogLayout.entrySize
                guard LogReader.load(bytes, offset + Entry.isStored, as: UInt32.self) == LogLayout.Moment.done,
                    let series = SampleSeries(
                        rawValue: LogReader.load(bytes, offset + Entry.series, as: UInt32.self)),
                    let begin = LogReader.time(bytes, offset + Entry.begin),
                    let elapsed = LogReader.time(bytes, offset + Entry.elapsed)
                else { continue }
                let iterations = LogReader.load(bytes, offset + Entry.iterations, as: Int64.self)
                guard iterations > 0 else { continue }
                try body(series, Instant(sinceOrigin: begin), Nanoseconds(elapsed), Int(iterations))
            }
        }
    }
}
