import Clocks
import Glibc
import Results
import Synchronization

/// Keeps when each task was submitted, began and ended, and the phases between, by task ID.
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
    private typealias Header = RecordLogLayout.Header
    private typealias Record = RecordLogLayout.Record
    private typealias Moment = LogLayout.Moment

    /// The clock that moments are read from.
    public let clock: MonotonicClock

    private let memory: LogMemory
    private let log: MappedLog
    private let phases: PhaseLog
    /// Nil when all tasks that are expected have their place from the start.
    private let keeper: LogKeeper?
    private let workers = Workers()
    private let reasons: FailureReasons

    /// A recorder that keeps its records in memory.
    ///
    /// - Parameter expectedTasks: memory for so many records is made ready at once; more may come.
    /// - Throws: `ResultsError` when the memory cannot be had.
    public convenience init(expectedTasks: Int = 0, clock: MonotonicClock = MonotonicClock()) throws(ResultsError) {
        try self.init(path: nil, benchmark: "", trial: 0, expectedTasks: expectedTasks, clock: clock)
    }

    /// A recorder that keeps its records in a file, from which they can be read whatever becomes of this process.
    /// Phases go to a file beside it, whose name ends in `.phases`.
    package init(
        path: String?, benchmark: String, trial: Int, expectedTasks: Int, clock: MonotonicClock
    ) throws(ResultsError) {
        self.clock = clock
        log = try MappedLog(
            path: path, kind: .tasks, benchmark: benchmark, trial: trial, clock: clock.sourceText, origin: clock.origin)
        phases = try PhaseLog(
            path: path.map { $0 + Layout.phasesSuffix }, benchmark: benchmark, trial: trial, clock: clock)
        memory = log.memory
        reasons = FailureReasons(memory)
        log.reserve(max(expectedTasks, 1))
        // Tasks in memory that are all expected (a warm-up) need nobody who makes room for more.
        if path == nil, expectedTasks > 0 {
            keeper = nil
        } else {
            phases.log.reserve(1)
            keeper = LogKeeper([log, phases.log])
        }
        memory.noteStart(clock)
    }

    /// Gives out the next task ID and stores that the task is submitted now.
    ///
    /// - Parameter due: when the task was meant to be submitted, where a schedule says so; else now.
    // hot path: no allocation, no lock, no call that can block (but where the log's own thread could not keep ahead)
    public func submit(due: Instant? = nil) -> TaskID { submit(due: due, at: nil) }

    /// Stores that a task was submitted at a moment that was read before; at none, that it is submitted now.
    // hot path: no allocation, no lock, no call that can block (but where the log's own thread could not keep ahead)
    @inline(__always)
    package func submit(due: Instant?, at submitted: Instant?) -> TaskID {
        let number = memory.issue()
        wakeKeeper(number)
        guard let record = memory.entry(number, size: Layout.recordSize) ?? log.lateEntry(number) else {
            memory.count(LogLayout.Header.lost)
            return TaskID(number)
        }
        let now = (submitted ?? clock.now()).sinceOrigin
        record.storeBytes(of: due?.sinceOrigin ?? now, toByteOffset: Record.due, as: Int64.self)
        record.storeBytes(of: now, toByteOffset: Record.submitted, as: Int64.self)
        LogMemory.word(record, Record.isSubmitted).pointee.store(Moment.done, ordering: .releasing)
        return TaskID(number)
    }

    /// Stores that the task begins now, on the calling thread.
    // hot path: no allocation, no lock, no call that can block
    public func begin(_ id: TaskID) { begin(id, at: nil) }

    /// Stores that the task began at a moment that was read before, on the calling thread; at none, that it begins now.
    // hot path: no allocation, no lock, no call that can block
    @inline(__always)
    package func begin(_ id: TaskID, at begin: Instant?) {
        guard let record = submittedRecord(id) else { return }
        guard claim(record, Record.hasBegun) else { return memory.count(Header.begunTwice) }
        record.storeBytes(of: UInt32(workers.current()), toByteOffset: Record.worker, as: UInt32.self)
        record.storeBytes(of: (begin ?? clock.now()).sinceOrigin, toByteOffset: Record.begin, as: Int64.self)
        LogMemory.word(record, Record.hasBegun).pointee.store(Moment.done, ordering: .releasing)
    }

    /// Stores that the task ends now, and how it came out. `unfinished` is no way to end: it counts as cancelled.
    ///
    /// - Returns: whether this was the task's end, and no misuse.
    // hot path for tasks that did not fail: no allocation, no lock, no call that can block
    @discardableResult
    public func end(_ id: TaskID, _ status: TaskStatus = .ok) -> Bool { end(id, status, at: clock.now()) }

    /// Stores that the task ended at a moment that was read before, so that what follows it is not the task's.
    ///
    /// - Returns: whether this was the task's end, and no misuse.
    // hot path for tasks that did not fail: no allocation, no lock, no call that can block
    @discardableResult
    public func end(_ id: TaskID, _ status: TaskStatus, at end: Instant) -> Bool {
        guard let record = submittedRecord(id) else { return false }
        // An end that was read before the begin was, on another thread, is no end of what then began.
        guard isDone(record, Record.hasBegun),
            end.sinceOrigin >= record.load(fromByteOffset: Record.begin, as: Int64.self)
        else {
            memory.count(Header.endedWithoutBegin)
            return false
        }
        guard claim(record, Record.hasEnded) else {
            memory.count(Header.endedTwice)
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
            record.storeBytes(of: reasons.place(of: reason), toByteOffset: Record.reason, as: UInt32.self)
        }
        LogMemory.word(record, Record.hasEnded).pointee.store(Moment.done, ordering: .releasing)
        wakeKeeper(id.number)
        return true
    }

    /// Stores that the task comes to a phase now. A task may come to any number of phases, and to one of them often.
    // hot path: no allocation, no lock, no call that can block (but for the first mark of a phase, which stores its name)
    public func mark(_ id: TaskID, _ phase: Phase) { mark(id, phase, at: clock.now()) }

    /// Stores that the task came to a phase at a moment that was read before, perhaps after the task's end.
    ///
    /// - Parameter bytes: how many bytes the mark tells of, such as the length that was announced with the first byte.
    // hot path: no allocation, no lock, no call that can block (but for the first mark of a phase, which stores its name)
    public func mark(_ id: TaskID, _ phase: Phase, at moment: Instant, bytes: Int? = nil) {
        guard submittedRecord(id) != nil else { return }
        if phases.append(id, phase, moment, bytes.map(Int64.init)) { keeper?.wake() }
    }

    /// Adds to the bytes that a task moved. Call it from the task itself, between its begin and its end.
    // hot path: no allocation, no lock, no call that can block
    public func add(bytes: Int64, to id: TaskID) {
        guard let record = submittedRecord(id) else { return }
        let sum = record.load(fromByteOffset: Record.bytes, as: Int64.self) &+ bytes
        record.storeBytes(of: sum, toByteOffset: Record.bytes, as: Int64.self)
    }

    /// The record of an ID that was given out; counts a fault when it was not.
    @inline(__always)
    private func submittedRecord(_ id: TaskID) -> UnsafeMutableRawPointer? {
        if let record = memory.entry(id.number, size: Layout.recordSize), isDone(record, Record.isSubmitted) {
            return record
        }
        // A task whose record was lost is not misuse.
        if id.number < 0 || id.number >= memory.issued { memory.count(Header.unknownTask) }
        return nil
    }

    @inline(__always)
    private func isDone(_ record: UnsafeMutableRawPointer, _ offset: Int) -> Bool {
        LogMemory.word(record, offset).pointee.load(ordering: .acquiring) == Moment.done
    }

    /// Claims a moment of a record for the calling thread; false when it was claimed before.
    @inline(__always)
    private func claim(_ record: UnsafeMutableRawPointer, _ offset: Int) -> Bool {
        LogMemory.word(record, offset).pointee.compareExchange(
            expected: 0, desired: Moment.claimed, ordering: .acquiring
        ).exchanged
    }

    /// Has the log made longer, and older parts of it let go of, once in a part's worth of tasks.
    @inline(__always)
    private func wakeKeeper(_ number: Int) {
        if MappedLog.wakes(number, entrySize: Layout.recordSize) { keeper?.wake() }
    }
}

extension TaskRecorder {
    /// What is known of a task, or nil for an ID that was never given out (or whose record was lost).
    public subscript(id: TaskID) -> TaskRecord? {
        guard let record = memory.entry(id.number, size: Layout.recordSize), isDone(record, Record.isSubmitted) else {
            return nil
        }
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
    public var submittedTasks: Int { memory.issued }

    /// Misuse so far, by kind.
    public var faults: RecordingFaults {
        RecordingFaults(
            endedWithoutBegin: memory.value(Header.endedWithoutBegin), begunTwice: memory.value(Header.begunTwice),
            endedTwice: memory.value(Header.endedTwice), unknownTask: memory.value(Header.unknownTask))
    }

    /// Tasks whose records could not be kept, and why; nil when none was lost.
    package var lost: (count: Int, reason: String)? {
        let count = memory.value(LogLayout.Header.lost)
        return count == 0 ? nil : (count, log.failure ?? "too many tasks")
    }

    /// Parts of the log that the threads that record had to map themselves, because the log's own could not keep ahead.
    package var lateParts: Int { memory.value(LogLayout.Header.late) }

    /// Stores in the log what a reader must know of the trial beside its tasks.
    package func note(measureBegin: Instant? = nil, measureEnd: Instant? = nil, warmupTasks: Int? = nil) {
        func store(_ instant: Instant, _ offset: Int) {
            memory.counter(offset).pointee.store(UInt64(bitPattern: instant.sinceOrigin), ordering: .releasing)
        }
        if let measureBegin { store(measureBegin, Header.measureBegin) }
        if let measureEnd { store(measureEnd, Header.measureEnd) }
        if let warmupTasks {
            memory.header.storeBytes(
                of: UInt32(clamping: warmupTasks), toByteOffset: Header.warmupTasks, as: UInt32.self)
        }
    }

    private func status(_ record: UnsafeMutableRawPointer) -> TaskStatus {
        switch record.load(fromByteOffset: Record.status, as: UInt32.self) {
        case Layout.Status.ok: .ok
        case Layout.Status.cancelled: .cancelled
        default: .failed(reason: reasons.reason(at: record.load(fromByteOffset: Record.reason, as: UInt32.self)))
        }
    }
}
