import Glibc

/// Reads what all logs have in common, of a process that ended well or was killed at any moment.
package struct LogReader: Sendable {
    package let path: String
    package let benchmark: BenchmarkID
    package let trial: Int
    /// When the log was made: after warm-up, just before the measured part.
    package let started: Instant
    /// Unit and clock of all moments, such as `ns tsc …`.
    package let unit: String
    /// Entries that were given out; the last few may not have been stored any more.
    package let issued: Int
    /// Entries that could not be kept because the file could not grow.
    package let lost: Int
    /// Parts of the file that were mapped by a thread that was being measured, because the log's own could not keep up.
    package let late: Int

    let kind: LogLayout.Kind
    let header: [UInt8]

    /// - Throws: `ResultsError` for what is no such log, has no whole header, or comes from a newer version.
    package init(_ path: String, _ kind: LogLayout.Kind) throws(ResultsError) {
        typealias Header = LogLayout.Header
        self.path = path
        self.kind = kind
        let file = try Self.open(path)
        defer { close(file) }
        let header = try Self.read(file, path, offset: 0, count: LogLayout.headerSize)
        guard header.count == LogLayout.headerSize, header.starts(with: kind.magic) else {
            throw .truncated(path: path, detail: "it has no whole header of such a log")
        }
        let schema = Self.load(header, Header.schema, as: UInt32.self)
        guard schema == LogLayout.schema, Self.load(header, Header.entrySize, as: UInt32.self) == UInt32(kind.entrySize)
        else { throw .newerSchema(path: path, found: Int(schema)) }
        let name = Self.text(
            header, at: Header.benchmark, Self.load(header, Header.benchmarkLength, as: UInt32.self),
            atMost: Header.benchmarkCapacity)
        guard let benchmark = BenchmarkID(name) else {
            throw .malformed(path: path, line: 1, detail: "“\(name)” is not the identity of a benchmark")
        }
        self.benchmark = benchmark
        self.header = header
        trial = Int(Self.load(header, Header.trial, as: UInt32.self))
        started = Instant(sinceOrigin: Self.load(header, Header.started, as: Int64.self))
        unit = String(
            decoding: header[Header.unit..<Header.unit + Header.unitCapacity].prefix { $0 != 0 }, as: UTF8.self)
        issued = Self.count(header, Header.issued)
        lost = Self.count(header, Header.lost)
        late = Self.count(header, Header.late)
    }

    /// Calls `body` with the bytes of entries that lie in the file, through a buffer of 1 MiB: the buffer, the number of
    /// the first entry in it and how many there are.
    ///
    /// The file is read to its end, beyond the last entry that the header knows of: after a loss of power the header may be
    /// older than the entries.
    func forEachChunk(
        _ body: (_ bytes: [UInt8], _ first: Int, _ count: Int) throws(ResultsError) -> Void
    ) throws(ResultsError) {
        let file = try Self.open(path)
        defer { close(file) }
        let perChunk = (1 << 20) / kind.entrySize
        var first = 0
        while true {
            let chunk = try Self.read(
                file, path, offset: LogLayout.headerSize + first * kind.entrySize, count: perChunk * kind.entrySize)
            let count = chunk.count / kind.entrySize
            if count > 0 { try body(chunk, first, count) }
            if count < perChunk { return }
            first += count
        }
    }

    static func count(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(clamping: load(bytes, offset, as: UInt64.self))
    }

    @inline(__always)
    static func load<Value: FixedWidthInteger>(_ bytes: [UInt8], _ offset: Int, as: Value.Type) -> Value {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }

    /// A number of nanoseconds; nil for one of more than 70 years, which only damage puts into a log: sums of others cannot overflow.
    static func time(_ bytes: [UInt8], _ offset: Int) -> Int64? {
        let value = load(bytes, offset, as: Int64.self)
        return value.magnitude < 1 << 61 ? value : nil
    }

    static func text(_ bytes: [UInt8], at offset: Int, _ length: UInt32, atMost most: Int) -> String {
        String(decoding: bytes[offset..<offset + min(Int(length), most)], as: UTF8.self)
    }

    private static func open(_ path: String) throws(ResultsError) -> Int32 {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .cannotRead(path: path, reason: errnoText()) }
        return file
    }

    /// Reads `count` bytes, or as many as there are.
    private static func read(
        _ file: Int32, _ path: String, offset: Int, count: Int
    ) throws(ResultsError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(file, $0.baseAddress! + done, count - done, off_t(offset + done))
            }
            if got < 0 {
                if errno == EINTR { continue }
                throw .cannotRead(path: path, reason: errnoText())
            }
            if got == 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }
}
