import Clocks
import Results
import Synchronization

/// Keeps samples in the order in which they are taken (see `SampleLogLayout`). Thread-safe.
package final class SampleLog: Sendable {
    private typealias Layout = SampleLogLayout

    private let log: MappedLog
    private let memory: LogMemory
    private let keeper: LogKeeper

    /// - Parameter path: where its file is made; nil for memory alone.
    /// - Throws: `ResultsError` when the file or the memory cannot be had.
    package init(path: String?, benchmark: String, trial: Int, clock: MonotonicClock) throws(ResultsError) {
        log = try MappedLog(
            path: path, kind: .samples, benchmark: benchmark, trial: trial, clock: clock.sourceText,
            origin: clock.origin)
        memory = log.memory
        log.reserve(1)
        keeper = LogKeeper([log])
        memory.noteStart(clock)
    }

    /// Stores a sample.
    // hot path: no allocation, no lock, no call that can block
    package func append(_ series: SampleSeries, begin: Instant, elapsed: Nanoseconds, iterations: Int) {
        let number = memory.issue()
        if MappedLog.wakes(number, entrySize: Layout.entrySize) { keeper.wake() }
        guard let entry = memory.entry(number, size: Layout.entrySize) ?? log.lateEntry(number) else {
            return memory.count(LogLayout.Header.lost)
        }
        entry.storeBytes(of: series.rawValue, toByteOffset: Layout.Entry.series, as: UInt32.self)
        entry.storeBytes(of: begin.sinceOrigin, toByteOffset: Layout.Entry.begin, as: Int64.self)
        entry.storeBytes(of: elapsed.count, toByteOffset: Layout.Entry.elapsed, as: Int64.self)
        entry.storeBytes(of: Int64(iterations), toByteOffset: Layout.Entry.iterations, as: Int64.self)
        LogMemory.word(entry, Layout.Entry.isStored).pointee.store(LogLayout.Moment.done, ordering: .releasing)
    }

    /// Samples that could not be kept, and why; nil when none was lost.
    package var lost: (count: Int, reason: String)? {
        let count = memory.value(LogLayout.Header.lost)
        return count == 0 ? nil : (count, log.failure ?? "the log is full")
    }
}
