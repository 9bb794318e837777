import Clocks
import Recording
import Results
import TestSupport
import Testing

@Suite struct SampleLogTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/trial.samples" }

    private struct Read: Equatable {
        var series: SampleSeries
        var begin: Int64
        var elapsed: Int64
        var iterations: Int
    }

    private func read(_ path: String) throws -> [Read] {
        var all: [Read] = []
        try SampleLogReader(path).forEachSample { series, begin, elapsed, iterations throws(ResultsError) in
            all.append(
                Read(series: series, begin: begin.sinceOrigin, elapsed: elapsed.count, iterations: iterations))
        }
        return all
    }

    private func write(_ samples: [Read]) throws {
        let log = try SampleLog(path: path, benchmark: "S/n", trial: 7, clock: MonotonicClock())
        for sample in samples {
            log.append(
                sample.series, begin: Instant(sinceOrigin: sample.begin), elapsed: Nanoseconds(sample.elapsed),
                iterations: sample.iterations)
        }
        #expect(log.lost == nil)
    }

    @Test("samples of both series are read back as they were taken, through several parts of the log")
    func roundTrip() throws {
        let samples = (0..<100_000).map { number in
            Read(
                series: number % 9 == 0 ? .empty : .work, begin: Int64(number) * 1_000, elapsed: Int64(number % 7),
                iterations: number + 1)
        }
        try write(samples)
        #expect(try read(path) == samples)
        let reader = try SampleLogReader(path)
        #expect(reader.benchmark.description == "S/n" && reader.trial == 7 && reader.lost == 0)
        #expect(reader.log.issued == samples.count && reader.log.unit == "ns clock_gettime")
    }

    @Test("samples whose numbers only damage can have put there are passed over: nothing divides by them or overflows")
    func damaged() throws {
        let whole = Read(series: .work, begin: 5, elapsed: 6, iterations: 7)
        var samples = [whole]
        samples += [Int64.min, .max].map { Read(series: .work, begin: $0, elapsed: 6, iterations: 7) }
        samples += [Int64.min, .max].map { Read(series: .empty, begin: 5, elapsed: $0, iterations: 7) }
        samples += [0, -1, .min].map { Read(series: .work, begin: 5, elapsed: 6, iterations: $0) }
        try write(samples + [whole])
        #expect(try read(path) == [whole, whole])
        let totals = try SampleCSV.Writer(creating: folder.path + "/samples.csv").append(SampleLogReader(path))
        #expect(totals.samples == 2 && totals.end == Instant(sinceOrigin: 11))
    }
}
