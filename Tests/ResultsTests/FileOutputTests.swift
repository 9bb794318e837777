import Glibc
import Results
import TestSupport
import Testing

@Suite struct FileOutputTests {
    private let folder = TemporaryFolder()

    @Test("numbers are written with every digit and sign", arguments: [0, 1, -1, 10, 99, 1_000_000_007, .max, .min])
    func integers(_ number: Int64) throws {
        let file = try AppendingFile(creating: folder.path + "/n")
        file.append(number)
        try file.flush()
        #expect(folder.text(of: "n") == "\(number)")
    }

    @Test("numbers of every length, and their neighbours, are written as the standard library writes them")
    func lengths() throws {
        var numbers: [Int64] = []
        var power: Int64 = 1
        for _ in 0..<19 {
            numbers += [power - 1, power, power + 1, -power, power / 2 &* 7]
            power = power.multipliedReportingOverflow(by: 10).partialValue
        }
        let file = try AppendingFile(creating: folder.path + "/n")
        for number in numbers {
            file.append(number)
            file.append(byte: UInt8(ascii: " "))
        }
        try file.flush()
        #expect(folder.text(of: "n") == numbers.map { "\($0) " }.joined())
    }

    @Test("a text that is larger than the buffer is written whole")
    func largeText() throws {
        let text = String(repeating: "ß", count: 3_000_000)
        let file = try AppendingFile(creating: folder.path + "/t")
        file.append("before ")
        file.append(text)
        try file.flush()
        #expect(folder.text(of: "t") == "before " + text)
    }

    @Test("nothing is lost between the buffer and the file")
    func large() throws {
        let file = try AppendingFile(creating: folder.path + "/large")
        var expected: [UInt8] = []
        for number in 0..<300_000 {
            file.append(Int64(number))
            file.append(byte: 10)
            try file.flushIfFull()
            expected += Array("\(number)\n".utf8)
        }
        try file.flush()
        #expect(folder.bytes(of: "large") == expected)
    }

    @Test("a file that is written atomically has the new content, and nothing is left beside it")
    func atomic() throws {
        folder.write("old", to: "file")
        try writeAtomically(Array("new".utf8), to: folder.path + "/file")
        #expect(folder.text(of: "file") == "new")
        #expect(folder.names == ["file"])
    }

    @Test("an atomic write that cannot take its place leaves what was there, and nothing beside it")
    func atomicFailure() throws {
        folder.write("", to: "place/inside")
        #expect(throws: ResultsError.self) { try writeAtomically([1, 2, 3], to: folder.path + "/place") }
        #expect(folder.names == ["place"])
        #expect(throws: ResultsError.self) { try writeAtomically([1], to: folder.path + "/none/file") }
    }

    @Test("an atomic write to a full disk leaves the old content", .enabled(if: access("/dev/full", W_OK) == 0))
    func fullDisk() throws {
        folder.write("old", to: "file")
        symlink("/dev/full", folder.path + "/file.part")
        #expect(throws: ResultsError.self) { try writeAtomically(Array("new".utf8), to: folder.path + "/file") }
        #expect(folder.text(of: "file") == "old")
        #expect(folder.names == ["file"])
    }
}
