import Glibc
import Results

/// What a program's file tells of how it will be loaded: the ELF header and what it leads to (elf(5)).
struct ProgramFile {
    /// The dynamic linker that loads the program's libraries; nil for a statically linked one.
    private(set) var interpreter: String?
    /// The names of its libraries and dynamic symbols, each with a zero byte behind it.
    private var names: [UInt8] = []

    enum Fault: Error {
        case unreadable(reason: String)
        /// No ELF file, or one of another word size, byte order or processor, or damaged.
        case foreign
    }

    init(_ path: String) throws(Fault) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(reason: errnoText()) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(reason: errnoText()) }
        let bytes = FileBytes(descriptor: file, size: Int(status.st_size))

        let header = try bytes.at(0, count: 64)
        // 64-bit, and the byte order of all processors that Swift on Linux runs on.
        guard header.starts(with: [0x7f, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F"), 2, 1]),
            header.number(UInt16.self, at: 18) == Self.ownMachine
        else { throw .foreign }
        let (place, size, count) = (
            header.number(UInt64.self, at: 32), Int(header.number(UInt16.self, at: 54)),
            Int(header.number(UInt16.self, at: 56))
        )
        guard size == 56 else { throw .foreign }
        let table = try bytes.at(place, count: size * count)
        let segments = (0..<count).map { Segment(table, at: $0 * size) }

        for segment in segments where segment.kind == Segment.interpreter {
            let name = try bytes.at(segment.offset, count: Int(truncatingIfNeeded: segment.size))
            interpreter = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        }
        for segment in segments where segment.kind == Segment.dynamic {
            names = try Self.names(bytes, segment, segments)
        }
    }

    /// Whether the name is that of one of its libraries or of one of the functions that it offers or needs.
    func names(_ name: String) -> Bool {
        names.withUnsafeBytes { all in
            var place = 0
            while place < all.count, let text = all.baseAddress?.advanced(by: place) {
                let length = strnlen(text.assumingMemoryBound(to: CChar.self), all.count - place)
                if length == name.utf8.count, memcmp(text, name, length) == 0 { return true }
                place += length + 1
            }
            return false
        }
    }

    /// The table of strings to which the dynamic section points.
    private static func names(
        _ bytes: FileBytes, _ dynamic: Segment, _ segments: [Segment]
    ) throws(Fault) -> [UInt8] {
        let section = try bytes.at(dynamic.offset, count: Int(truncatingIfNeeded: dynamic.size))
        var (address, size) = (UInt64(0), UInt64(0))
        for entry in stride(from: 0, through: section.count - 16, by: 16) {
            let value = section.number(UInt64.self, at: entry + 8)
            switch section.number(Int64.self, at: entry) {
            case 5: address = value  // DT_STRTAB
            case 10: size = value  // DT_STRSZ
            default: break
            }
        }
        guard size > 0, let segment = segments.first(where: { $0.kind == Segment.loaded && $0.holds(address) })
        else { return [] }
        return try bytes.at(address - segment.address + segment.offset, count: Int(truncatingIfNeeded: size))
    }

    private static var ownMachine: UInt16 {
        #if arch(x86_64)
            62  // EM_X86_64
        #elseif arch(arm64)
            183  // EM_AARCH64
        #else
            0
        #endif
    }
}

/// An entry of the table of program headers (Elf64_Phdr).
private struct Segment {
    static let loaded: UInt32 = 1
    static let dynamic: UInt32 = 2
    static let interpreter: UInt32 = 3

    var kind: UInt32
    var offset: UInt64
    var address: UInt64
    /// In the file, in bytes.
    var size: UInt64

    init(_ table: [UInt8], at place: Int) {
        kind = table.number(UInt32.self, at: place)
        offset = table.number(UInt64.self, at: place + 8)
        address = table.number(UInt64.self, at: place + 16)
        size = table.number(UInt64.self, at: place + 32)
    }

    func holds(_ address: UInt64) -> Bool { address >= self.address && address - self.address < size }
}

/// Parts of a file, of which none is believed to be there.
private struct FileBytes {
    var descriptor: Int32
    var size: Int

    func at(_ place: UInt64, count: Int) throws(ProgramFile.Fault) -> [UInt8] {
        guard let place = Int(exactly: place), place <= size, (0...size - place).contains(count)
        else { throw .foreign }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = bytes[done...].withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(place + done))
            }
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { throw .unreadable(reason: errnoText()) }
            guard read > 0 else { throw .foreign }
            done += read
        }
        return bytes
    }
}

extension [UInt8] {
    fileprivate func number<Number: FixedWidthInteger>(_: Number.Type, at place: Int) -> Number {
        withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
    }
}
