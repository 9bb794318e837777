import Glibc
import Results
import Synchronization

/// Keeps when each task was submitted, began and ended, by task ID.
///
/// ```swift
/// let recorder = try TaskRecorder()
/// let task = recorder.submit()
/// recorder.begin(task)
/// recorder.end(task, .ok)
/// print(recorder[task]?.spent)
/// ```
///
/// Thread-safe: a task may be submitted, begun and ended on three different threads. Misuse changes no record that is
/// there; it is counted by kind in `faults`.
public final class TaskRecorder: Sendable {
    private typealias Layout = RecordLogLayout
    private typealias Record = RecordLogLayout.Record
    private typealias Moment = RecordLogLayout.Moment

    /// The clock that moments are read from.
    public let clock: MonotonicClock

    private let log: RecordLog
    private let workers = Workers()
    private let reasons = Mutex<[String: UInt32]>([:])

    /// A recorder that keeps its records in memory.
    ///
    /// - Parameter expectedTasks: memory for so many records is made ready at once; more may come.
    /// - Throws: `ResultsError` when the memory cannot be had.
    public convenience init(expectedTasks: Int = 0, clock: MonotonicClock = MonotonicClock()) throws(ResultsError) {
        try self.init(path: nil, benchmark: "", trial: 0, expectedTasks: expectedTasks, clock: clock)
    }

    /// A recorder that keeps its records in a file, from which they can be read whatever becomes of this process.
    package init(
        path: String?, benchmark: String, trial: Int, expectedTasks: Int, clock: MonotonicClock
    ) throws(ResultsError) {
        self.clock = clock
        log = try RecordLog(path: path, benchmark: benchmark, trial: trial, origin: clock.origin)
        log.counter(Layout.Header.started).pointee.store(
            UInt64(bitPattern: clock.now().sinceOrigin), ordering: .releasing)
        log.reserve(max(expectedTasks, 1))
    }

    /// Gives out the next task ID and stores that the task is submitted now.
    ///
    /// - Parameter due: when the task was meant to be submitted, where a schedule says so; else now.
    // hot path: no allocation, no lock, no call that can block (but where the next window of the log must be mapped)
    public func submit(due: Instant? = nil) -> TaskID {
        let number = Int(log.counter(Layout.Header.issued).pointee.add(1, ordering: .relaxed).oldValue)
        if log.record(number) == nil { log.reserve(number + 1) }
        guard let record = log.record(number) else {
            count(Layout.Header.lost)
            return TaskID(number)
        }
        let now = clock.now().sinceOrigin
        record.storeBytes(of: due?.sinceOrigin ?? now, toByteOffset: Record.due, as: Int64.self)
        record.storeBytes(of: now, toByteOffset: Record.submitted, as: Int64.self)
        moment(record, Record.isSubmitted).pointee.store(Moment.done, ordering: .releasing)
        return TaskID(number)
    }

    /// Stores that the task begins now, on the calling thread.
    // hot path: no allocation, no lock, no call that can block
    public func begin(_ id: TaskID) {
        guard let record = submittedRecord(id) else { return }
        guard claim(record, Record.hasBegun) else { return count(Layout.Header.begunTwice) }
        record.storeBytes(of: UInt32(workers.current()), toByteOffset: Record.worker, as: UInt32.self)
        record.storeBytes(of: clock.now().sinceOrigin, toByteOffset: Record.begin, as: Int64.self)
        moment(record, Record.hasBegun).pointee.store(Moment.done, ordering: .releasing)
    }

    /// Stores that the task ends now, and how it came out. `unfinished` is no way to end: it counts as cancelled.
    ///
    /// - Returns: whether this was the task's end, and no misuse.
    // hot path for tasks that did not fail: no allocation, no lock, no call that can block
    @discardableResult
    public func end(_ id: TaskID, _ status: TaskStatus = .ok) -> Bool { end(id, status, at: clock.now()) }

    /// Stores that the task ended at a moment that was read before, so that what follows it is not the task's.
    @discardableResult
    package func end(_ id: TaskID, _ status: TaskStatus, at end: Instant) -> Bool {
        guard let record = submittedRecord(id) else { return false }
        // An end that was read before the begin was, on another thread, is no end of what then began.
        guard isDone(record, Record.hasBegun),
            end.sinceOrigin >= record.load(fromByteOffset: Record.begin, as: Int64.self)
        else {
            count(Layout.Header.endedWithoutBegin)
            return false
        }
        guard claim(record, Record.hasEnded) else {
            count(Layout.Header.endedTwice)
            return false
        }
        record.storeBytes(of: end.sinceOrigin, toByteOffset: Record.end, as: Int64.self)
        switch status {
        case .ok:
            record.storeBytes(of: Layout.Status.ok, toByteOffset: Record.status, as: UInt32.self)
        case .cancelled, .unfinished:
            record.storeBytes(of: Layout.Status.cancelled, toByteOffset: Record.status, as: UInt32.self)
        case .failed(let reason):
            record.storeBytes(of: Layout.Status.failed, toByteOffset: Record.status, as: UInt32.self)
            record.storeBytes(of: place(of: reason), toByteOffset: Record.reason, as: UInt32.self)
        }
        moment(record, Record.hasEnded).pointee.store(Moment.done, ordering: .releasing)
        return true
    }

    /// Adds to the bytes that a task moved. Call it from the task itself, between its begin and its end.
    // hot path: no allocation, no lock, no call that can block
    public func add(bytes: Int64, to id: TaskID) {
        guard let record = submittedRecord(id) else { return }
        let sum = record.load(fromByteOffset: Record.bytes, as: Int64.self) &+ bytes
        record.storeBytes(of: sum, toByteOffset: Record.bytes, as: Int64.self)
    }

    /// What is known of a task, or nil for an ID that was never given out (or whose record was lost).
    public subscript(id: TaskID) -> TaskRecord? {
        guard id.number < submittedTasks, let record = log.record(id.number) else { return nil }
        guard isDone(record, Record.isSubmitted) else { return nil }
        func instant(_ offset: Int) -> Instant {
            Instant(sinceOrigin: record.load(fromByteOffset: offset, as: Int64.self))
        }
        let begun = isDone(record, Record.hasBegun)
        let ended = isDone(record, Record.hasEnded)
        return TaskRecord(
            id: id, due: instant(Record.due), submitted: instant(Record.submitted),
            begin: begun ? instant(Record.begin) : nil, end: ended ? instant(Record.end) : nil,
            worker: begun ? Int(record.load(fromByteOffset: Record.worker, as: UInt32.self)) : nil,
            status: ended ? status(record) : .unfinished,
            bytes: record.load(fromByteOffset: Record.bytes, as: Int64.self))
    }

    /// IDs given out so far.
    public var submittedTasks: Int { Int(log.counter(Layout.Header.issued).pointee.load(ordering: .acquiring)) }

    /// Misuse so far, by kind.
    public var faults: RecordingFaults {
        func number(_ offset: Int) -> Int { Int(log.counter(offset).pointee.load(ordering: .relaxed)) }
        return RecordingFaults(
            endedWithoutBegin: number(Layout.Header.endedWithoutBegin), begunTwice: number(Layout.Header.begunTwice),
            endedTwice: number(Layout.Header.endedTwice), unknownTask: number(Layout.Header.unknownTask))
    }

    /// Tasks whose records could not be kept, and why; nil when none was lost.
    package var lost: (count: Int, reason: String)? {
        let count = Int(log.counter(Layout.Header.lost).pointee.load(ordering: .relaxed))
        return count == 0 ? nil : (count, log.failure ?? "too many tasks")
    }

    /// Stores in the log what a reader must know of the trial beside its tasks.
    package func note(measureBegin: Instant? = nil, measureEnd: Instant? = nil, warmupTasks: Int? = nil) {
        func store(_ instant: Instant, _ offset: Int) {
            log.counter(offset).pointee.store(UInt64(bitPattern: instant.sinceOrigin), ordering: .releasing)
        }
        if let measureBegin { store(measureBegin, Layout.Header.measureBegin) }
        if let measureEnd { store(measureEnd, Layout.Header.measureEnd) }
        if let warmupTasks { log.store(UInt32(clamping: warmupTasks), at: Layout.Header.warmupTasks) }
    }

    @inline(__always)
    private func moment(
        _ record: UnsafeMutableRawPointer, _ offset: Int
    ) -> UnsafeMutablePointer<Atomic<UInt32>> {
        (record + offset).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    @inline(__always)
    private func isDone(_ record: UnsafeMutableRawPointer, _ offset: Int) -> Bool {
        moment(record, offset).pointee.load(ordering: .acquiring) == Moment.done
    }

    /// Claims a moment of a record for the calling thread; false when it was claimed before.
    @inline(__always)
    private func claim(_ record: UnsafeMutableRawPointer, _ offset: Int) -> Bool {
        moment(record, offset).pointee.compareExchange(
            expected: 0, desired: Moment.claimed, ordering: .acquiring
        ).exchanged
    }

    /// The record of an ID that was given out; counts a fault when it was not.
    @inline(__always)
    private func submittedRecord(_ id: TaskID) -> UnsafeMutableRawPointer? {
        if let record = log.record(id.number), isDone(record, Record.isSubmitted) {
            return record
        }
        // A task whose record was lost is not misuse.
        if id.number < 0 || id.number >= submittedTasks { count(Layout.Header.unknownTask) }
        return nil
    }

    private func count(_ offset: Int) { log.counter(offset).pointee.add(1, ordering: .relaxed) }

    private func status(_ record: UnsafeMutableRawPointer) -> TaskStatus {
        switch record.load(fromByteOffset: Record.status, as: UInt32.self) {
        case Layout.Status.ok: .ok
        case Layout.Status.cancelled: .cancelled
        default:
            .failed(
                reason: reasons.withLock { _ in
                    log.reason(at: record.load(fromByteOffset: Record.reason, as: UInt32.self))
                })
        }
    }

    /// Where a reason stands in the log; each different one is kept once.
    private func place(of reason: String) -> UInt32 {
        reasons.withLock { known in
            if let place = known[reason] { return place }
            let place = log.append(reason: reason)
            if place > 0 { known[reason] = place }
            return place
        }
    }
}
