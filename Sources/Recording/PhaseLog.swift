import Clocks
import Results
import Synchronization
import Threading

/// Keeps named instants of tasks (see `PhaseLogLayout`). Thread-safe.
final class PhaseLog: Sendable {
    private typealias Layout = PhaseLogLayout

    let log: MappedLog
    private let memory: LogMemory
    private let naming = Monitor(false)

    init(path: String?, benchmark: String, trial: Int, clock: MonotonicClock) throws(ResultsError) {
        log = try MappedLog(
            path: path, kind: .phases, benchmark: benchmark, trial: trial, clock: clock.sourceText, origin: clock.origin
        )
        memory = log.memory
        memory.noteStart(clock)
    }

    /// Stores that a task came to a phase, and the bytes that it tells of; whether the log's thread must be woken now.
    // hot path: no allocation, no lock, no call that can block (but for the first mark of a phase, which stores its name)
    @inline(__always)
    func append(_ task: TaskID, _ phase: Phase, _ now: Instant, _ bytes: Int64?) -> Bool {
        guard phase.number < Layout.Header.mostNames else {
            memory.count(LogLayout.Header.lost)
            return false
        }
        let nameLength = LogMemory.word(memory.header, Layout.Header.names + phase.number * Layout.Header.nameSize)
        if nameLength.pointee.load(ordering: .acquiring) == 0 { store(phase, nameLength) }
        let number = memory.issue()
        guard let entry = memory.entry(number, size: Layout.entrySize) ?? log.lateEntry(number) else {
            memory.count(LogLayout.Header.lost)
            return false
        }
        entry.storeBytes(of: UInt32(phase.number), toByteOffset: Layout.Entry.phase, as: UInt32.self)
        entry.storeBytes(of: Int64(task.number), toByteOffset: Layout.Entry.task, as: Int64.self)
        entry.storeBytes(of: now.sinceOrigin, toByteOffset: Layout.Entry.at, as: Int64.self)
        if let bytes { entry.storeBytes(of: bytes &+ 1, toByteOffset: Layout.Entry.bytesAndOne, as: Int64.self) }
        LogMemory.word(entry, Layout.Entry.isStored).pointee.store(LogLayout.Moment.done, ordering: .releasing)
        return MappedLog.wakes(number, entrySize: Layout.entrySize)
    }

    @inline(never)
    private func store(_ phase: Phase, _ nameLength: UnsafeMutablePointer<Atomic<UInt32>>) {
        // An empty name needs a length too that says that it was stored.
        let name = phase.name.isEmpty ? " " : phase.name
        let bytes = Array(PlainUTF8.prefix(of: name, bytes: Layout.Header.nameCapacity))
        naming.withLock { _ in
            let place = memory.header + Layout.Header.names + phase.number * Layout.Header.nameSize + 4
            place.copyMemory(from: bytes, byteCount: bytes.count)
            nameLength.pointee.store(UInt32(bytes.count), ordering: .releasing)
        }
    }
}

/// Texts cut to a number of bytes.
enum PlainUTF8 {
    /// The longest beginning of whole characters that fits.
    static func prefix(of text: String, bytes: Int) -> String.UTF8View.SubSequence {
        var end =
            text.utf8.index(text.utf8.startIndex, offsetBy: bytes, limitedBy: text.utf8.endIndex) ?? text.utf8.endIndex
        while end > text.startIndex, end.samePosition(in: text) == nil { end = text.utf8.index(before: end) }
        return text.utf8[..<end]
    }
}
