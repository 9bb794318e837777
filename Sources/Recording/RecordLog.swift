import CLinux
import Glibc
import Results
import Synchronization

/// A record log (see `RecordLogLayout`) mapped into memory in windows of 1 MiB, or the same memory without a file.
///
/// Windows are mapped before they are needed, under a lock, and never move: the place of a record is computed from its
/// number alone. Unchecked Sendable: all shared memory is reached through atomics, or written by the one thread that
/// claimed it (the protocol on `RecordLogLayout`); `windows` itself is an array of atomics that never moves.
final class RecordLog: @unchecked Sendable {
    typealias Layout = RecordLogLayout

    static let recordsPerWindow = 16_384
    private static let windowSize = recordsPerWindow * Layout.recordSize
    private static let maximumWindows = 65_536

    private let descriptor: Int32
    private let header: UnsafeMutableRawPointer
    private let windows: UnsafeMutablePointer<Atomic<UInt>>
    /// How many windows are mapped, and why no more can be.
    private let growth: Mutex<(mapped: Int, failure: String?)>

    /// Creates a log file, or memory that is its like when there is no path.
    init(path: String?, benchmark: String, trial: Int, origin: Int64) throws(ResultsError) {
        if let path {
            descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: errnoText()) }
        } else {
            descriptor = -1
        }
        do {
            header = try Self.map(descriptor, offset: 0, size: Layout.headerSize)
        } catch {
            if descriptor >= 0 { close(descriptor) }
            throw .cannotWrite(path: path ?? "memory for task records", reason: error.reason)
        }
        windows = .allocate(capacity: Self.maximumWindows)
        UnsafeMutableRawPointer(windows).initializeMemory(
            as: UInt8.self, repeating: 0, count: Self.maximumWindows * MemoryLayout<Atomic<UInt>>.stride)
        growth = Mutex((0, nil))

        header.copyMemory(from: Layout.magic, byteCount: Layout.magic.count)
        header.storeBytes(of: Layout.schema, toByteOffset: Layout.Header.schema, as: UInt32.self)
        header.storeBytes(of: UInt32(Layout.recordSize), toByteOffset: Layout.Header.recordSize, as: UInt32.self)
        header.storeBytes(of: origin, toByteOffset: Layout.Header.origin, as: Int64.self)
        header.storeBytes(of: UInt32(trial), toByteOffset: Layout.Header.trial, as: UInt32.self)
        let name = Array(benchmark.utf8.prefix(Layout.Header.benchmarkCapacity))
        (header + Layout.Header.benchmark).copyMemory(from: name, byteCount: name.count)
        header.storeBytes(of: UInt32(name.count), toByteOffset: Layout.Header.benchmarkLength, as: UInt32.self)
    }

    deinit {
        for window in 0..<growth.withLock({ $0.mapped }) {
            if let memory = UnsafeMutableRawPointer(bitPattern: windows[window].load(ordering: .relaxed)) {
                munmap(memory, Self.windowSize)
            }
        }
        munmap(header, Layout.headerSize)
        windows.deallocate()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Where a record lies, or nil when its window could not be mapped.
    // hot path: no allocation, no lock, no call that can block
    @inline(__always)
    func record(_ number: Int) -> UnsafeMutableRawPointer? {
        let window = number / Self.recordsPerWindow
        guard number >= 0, window < Self.maximumWindows,
            let memory = UnsafeMutableRawPointer(bitPattern: windows[window].load(ordering: .acquiring))
        else { return nil }
        return memory + number % Self.recordsPerWindow * Layout.recordSize
    }

    /// Maps windows for `count` records. The pages are made present here, not when a task is recorded.
    func reserve(_ count: Int) {
        let needed = min((count + Self.recordsPerWindow - 1) / Self.recordsPerWindow, Self.maximumWindows)
        growth.withLock { (growth: inout (mapped: Int, failure: String?)) in
            while growth.mapped < needed, growth.failure == nil {
                let offset = Layout.headerSize + growth.mapped * Self.windowSize
                switch Result(catching: { () throws(MapError) in
                    try Self.map(descriptor, offset: offset, size: Self.windowSize)
                }) {
                case .success(let memory):
                    windows[growth.mapped].store(UInt(bitPattern: memory), ordering: .releasing)
                    growth.mapped += 1
                case .failure(let error):
                    growth.failure = error.reason
                }
            }
        }
    }

    /// Why the log cannot grow any more; nil while it can.
    var failure: String? { growth.withLock { $0.failure } }

    /// A 64-bit number of the header that threads share.
    @inline(__always)
    func counter(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        (header + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    func store(_ value: UInt32, at offset: Int) { header.storeBytes(of: value, toByteOffset: offset, as: UInt32.self) }
    func load(_ offset: Int) -> UInt32 { header.load(fromByteOffset: offset, as: UInt32.self) }

    /// Appends a failure reason; returns its place plus 1, or 0 when there is no room for it.
    /// The caller makes sure that one thread at a time does this.
    func append(reason: String) -> UInt32 {
        let text = Array(reason.utf8.prefix(Int(UInt16.max)))
        let used = Int(load(Layout.Header.reasonsLength))
        guard used + 2 + text.count <= Layout.Header.reasonsCapacity else { return 0 }
        let place = header + Layout.Header.reasons + used
        place.storeBytes(of: UInt16(text.count), as: UInt16.self)
        (place + 2).copyMemory(from: text, byteCount: text.count)
        store(UInt32(used + 2 + text.count), at: Layout.Header.reasonsLength)
        return UInt32(used + 1)
    }

    func reason(at place: UInt32) -> String {
        guard place > 0 else { return "the reason was not kept: too many different ones" }
        let start = header + Layout.Header.reasons + Int(place) - 1
        let length = Int(start.loadUnaligned(as: UInt16.self))
        return String(decoding: UnsafeRawBufferPointer(start: start + 2, count: length), as: UTF8.self)
    }

    private struct MapError: Error { var reason: String }

    /// Maps a part of the file whose blocks are allocated first: a full disk is an error here and not a SIGBUS later.
    private static func map(
        _ descriptor: Int32, offset: Int, size: Int
    ) throws(MapError) -> UnsafeMutableRawPointer {
        if descriptor >= 0 {
            // A limit on the size of files (ulimit -f) is an error too, and not the end of the process.
            let wasHeld = clinux_hold_signal(SIGXFSZ)
            let failure = posix_fallocate(descriptor, off_t(offset), off_t(size))
            clinux_release_signal(SIGXFSZ, wasHeld)
            guard failure == 0 else { throw MapError(reason: errnoText(failure)) }
        }
        let flags = MAP_POPULATE | (descriptor >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS)
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, flags, descriptor, descriptor >= 0 ? off_t(offset) : 0)
        guard let memory, memory != MAP_FAILED else { throw MapError(reason: errnoText()) }
        // A shared mapping is populated for reading only: the first store into each page would still fault, inside the
        // wait of some task.
        for page in stride(from: 0, to: size, by: 4_096) {
            memory.storeBytes(of: 0, toByteOffset: page, as: UInt8.self)
        }
        return memory
    }
}
