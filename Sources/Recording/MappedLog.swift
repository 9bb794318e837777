import CLinux
import Glibc
import Results
import Synchronization
import Threading

/// A file of entries of one size that is mapped into memory, or the same memory without a file (see `LogLayout`).
///
/// All the addresses that the log could ever need are reserved at the start, without memory behind them, and parts of the file
/// are mapped into them from the front: so the place of an entry follows from its number alone, and never moves.
///
/// **Growth.** Whoever adds an entry wakes the log's thread half-way through each part; that thread keeps as many parts ready
/// as were used, within `partsAhead`: a small log stays small, and a fast one gets a good start. Only where the thread could
/// not keep up does the adding thread map a part itself (counted as `late`).
///
/// **Resident memory.** A log with a file lets go of the memory of older parts once `mostResidentParts` were touched: the
/// kernel keeps what was stored (it is the file's), and an entry that is touched again is simply mapped again. A log
/// without a file keeps all it has.
///
/// Unchecked Sendable: shared memory is reached through atomics, or written by the one thread that an entry's protocol
/// allows to; all else is constant or behind `growth`.
final class MappedLog: @unchecked Sendable {
    /// The size of a part, in bytes.
    static let partSize = 1 << 20
    private static let partsAhead = 2...8
    private static let mostResidentParts = 48

    let kind: LogLayout.Kind
    let memory: LogMemory
    private let descriptor: Int32
    private let reservedBytes: Int
    private let growth: Monitor<Growth>

    private struct Growth {
        var parts = 0
        /// Why no more parts can be mapped; nil while they can.
        var failure: String?
        /// Parts that were mapped or used since memory was let go of.
        var touched = 0
    }

    /// Creates a log file, or memory that is its like when there is no path.
    ///
    /// - Parameter mostEntries: no more than so many can ever be kept.
    init(
        path: String?, kind: LogLayout.Kind, benchmark: String, trial: Int, clock: String, origin: Int64,
        mostEntries: Int = 1 << 28
    ) throws(ResultsError) {
        if let path {
            descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: errnoText()) }
        } else {
            descriptor = -1
        }
        let bytes: UnsafeMutableRawPointer
        do {
            (bytes, reservedBytes) = try Self.reserve(
                LogLayout.headerSize + mostEntries * kind.entrySize, atLeast: Self.partSize + LogLayout.headerSize)
            try Self.map(descriptor, at: bytes, offset: 0, size: LogLayout.headerSize)
        } catch {
            if descriptor >= 0 { close(descriptor) }
            throw .cannotWrite(path: path ?? "memory for a log", reason: error.reason)
        }
        self.kind = kind
        memory = LogMemory(header: bytes, entries: bytes + LogLayout.headerSize)
        growth = Monitor(Growth())
        memory.writeHeader(kind, benchmark: benchmark, trial: trial, clock: clock, origin: origin)
    }

    deinit {
        munmap(memory.header, reservedBytes)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether an entry lies half-way through a part: who adds it wakes the log's thread.
    // hot path: no allocation, no lock, no call that can block
    @inline(__always)
    static func wakes(_ number: Int, entrySize: Int) -> Bool {
        number % (partSize / entrySize) == partSize / entrySize / 2
    }

    /// Makes `entries` entries ready, as far as they may be resident at once.
    func reserve(_ entries: Int) {
        grow(toHold: min(entries * kind.entrySize, Self.mostResidentParts * Self.partSize))
    }

    /// Keeps the log ahead of what is used. Called by the log's own thread (see `LogKeeper`).
    func keepAhead() {
        let used = memory.issued * kind.entrySize
        let ahead = min(max(used / Self.partSize, Self.partsAhead.lowerBound), Self.partsAhead.upperBound)
        grow(toHold: used + ahead * Self.partSize)
        letGo(before: used)
    }

    /// The entry of a number whose part is not mapped: maps it, on the thread that needs it now; nil when it cannot be had.
    @inline(never)
    func lateEntry(_ number: Int) -> UnsafeMutableRawPointer? {
        guard grow(toHold: (number + 1) * kind.entrySize) else { return nil }
        memory.count(LogLayout.Header.late)
        return memory.entry(number, size: kind.entrySize)
    }

    /// Why the log cannot grow any more; nil while it can.
    var failure: String? { growth.withLock { $0.failure } }

    @discardableResult
    private func grow(toHold bytes: Int) -> Bool {
        let needed = (bytes + Self.partSize - 1) / Self.partSize
        return growth.withLock { (growth: inout Growth) in
            while growth.parts < needed, growth.failure == nil {
                let offset = LogLayout.headerSize + growth.parts * Self.partSize
                guard offset + Self.partSize <= reservedBytes else {
                    growth.failure = "it holds as many entries as there are addresses for"
                    break
                }
                do throws(MapError) {
                    try Self.map(descriptor, at: memory.header + offset, offset: offset, size: Self.partSize)
                    growth.parts += 1
                    growth.touched += 1
                    memory.ready.pointee.store(growth.parts * Self.partSize / kind.entrySize, ordering: .releasing)
                } catch {
                    growth.failure = error.reason
                }
            }
            return growth.parts >= needed
        }
    }

    /// Lets go of the memory of parts that lie behind, once enough was touched.
    private func letGo(before used: Int) {
        guard descriptor >= 0 else { return }
        let isDue = growth.withLock { (growth: inout Growth) in
            growth.touched += 1
            guard growth.touched >= Self.mostResidentParts else { return false }
            growth.touched = Self.partsAhead.upperBound
            return true
        }
        let behind = (used / Self.partSize - 1) * Self.partSize
        // For a shared mapping of a file this only unmaps pages: what was stored stays in the file (madvise(2)).
        if isDue, behind > 0 { madvise(memory.entries, behind, MADV_DONTNEED) }
    }

    private struct MapError: Error { var reason: String }

    /// Reserves addresses. Where so many are not to be had (`ulimit -v`) it takes an eighth of what it can get, or less: the
    /// program that is measured needs addresses too, for its memory and its threads, and stalls or dies without.
    private static func reserve(
        _ bytes: Int, atLeast least: Int
    ) throws(MapError) -> (UnsafeMutableRawPointer, Int) {
        var size = bytes
        while true {
            let memory = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
            if let memory, memory != MAP_FAILED {
                let share = max(size / 8 / partSize * partSize + LogLayout.headerSize, least)
                guard size < bytes, share < size else { return (memory, size) }
                munmap(memory + share, size - share)
                return (memory, share)
            }
            guard size > least else { throw MapError(reason: errnoText()) }
            size = max(size / 2, least)
        }
    }

    /// Maps a part of the file into its place. Its blocks are allocated first: a full disk is an error here and not a
    /// SIGBUS later. Its pages are made present and writable: a store never faults for the first time inside a task.
    private static func map(
        _ descriptor: Int32, at place: UnsafeMutableRawPointer, offset: Int, size: Int
    ) throws(MapError) {
        if descriptor >= 0 {
            // A limit on the size of files (ulimit -f) is an error too, and not the end of the process.
            let wasHeld = clinux_hold_signal(SIGXFSZ)
            var failure = EINTR
            // A signal that the program handles, such as a profiler's, may interrupt it.
            while failure == EINTR { failure = posix_fallocate(descriptor, off_t(offset), off_t(size)) }
            clinux_release_signal(SIGXFSZ, wasHeld)
            guard failure == 0 else { throw MapError(reason: errnoText(failure)) }
        }
        let kind = descriptor >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS
        let memory = mmap(
            place, size, PROT_READ | PROT_WRITE, kind | MAP_FIXED, descriptor, descriptor >= 0 ? off_t(offset) : 0)
        guard memory != MAP_FAILED else { throw MapError(reason: errnoText()) }
        // MAP_POPULATE would leave pages of a shared mapping read-only, to fault at the first store. Where the kernel
        // does not know MADV_POPULATE_WRITE (before 5.14), a store into each page does the same.
        if madvise(place, size, Self.populateForWriting) != 0 {
            for page in stride(from: 0, to: size, by: 4_096) {
                place.storeBytes(of: 0, toByteOffset: page, as: UInt8.self)
            }
        }
    }

    /// `MADV_POPULATE_WRITE`, which the C library's headers do not name yet.
    private static let populateForWriting: Int32 = 23
}
