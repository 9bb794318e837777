import Results
import TestSupport
import Testing

@Suite struct CSVTests {
    private let folder = TemporaryFolder()

    private func rows(_ text: String) throws -> (rows: [[String]], torn: Bool) {
        let reader = try CSVReader(folder.write(text, to: "file.csv"))
        var rows: [[String]] = []
        while try reader.next() { rows.append((0..<reader.fieldCount).map(reader.text)) }
        return (rows, reader.tornRow)
    }

    @Test("fields are written as RFC 4180 says")
    func written() {
        #expect(CSV.field("plain") == Array("plain".utf8))
        #expect(CSV.field("a,b") == Array("\"a,b\"".utf8))
        #expect(CSV.field("say \"no\"") == Array("\"say \"\"no\"\"\"".utf8))
        #expect(CSV.field("two\nlines") == Array("\"two\nlines\"".utf8))
        #expect(CSV.row(["a", "", "b,c"]) == Array("a,,\"b,c\"\n".utf8))
    }

    @Test(
        "what is written reads back as the same",
        arguments: [
            ["a", "b", "c"], ["", "", ""], ["a,b", "\"", "\"\""], ["two\nlines", "\r\n", ","], ["é日本🙂", " ", "\t"],
            ["ends with return\r", ""], ["", "ends with return\r"], ["\r", "\r", "\r"], ["a\rb", "\n", "\"\n\","],
        ])
    func roundTrip(_ fields: [String]) throws {
        let row = String(decoding: CSV.row(fields), as: UTF8.self)
        #expect(try rows(row + row).rows == [fields, fields])
    }

    @Test("lines may end with a return and a line feed")
    func returns() throws {
        #expect(
            try rows("a,b\r\n1,2\r\n\"x\",\"y\"\r\n3,\r\n").rows == [["a", "b"], ["1", "2"], ["x", "y"], ["3", ""]])
    }

    @Test(
        "a last row that is cut off is left out and told, wherever the cut is",
        arguments: ["c", "c,", "c,d", "c,\"d", "c,\"d\"", "\"c\n", "\"", "c,\"d\"\""])
    func torn(_ rest: String) throws {
        let (rows, torn) = try rows("a,b\n" + rest)
        #expect(rows == [["a", "b"]] && torn)
    }

    @Test("a whole file and an empty one are not torn")
    func whole() throws {
        #expect(try rows("a,b\n").torn == false)
        #expect(try rows("").torn == false)
        #expect(try rows("").rows.isEmpty)
    }

    @Test("rows that lie across the reader's buffer are whole")
    func buffers() throws {
        // Fields of odd lengths, so that every kind of byte meets the end of a buffer of 256 KiB at some place.
        let fields = (0..<9_000).map { number in
            ["\(number)", String(repeating: "\"x,", count: number % 41), String(repeating: "y", count: number % 97)]
        }
        let text = String(decoding: fields.flatMap { CSV.row($0) }, as: UTF8.self)
        #expect(text.utf8.count > 1 << 20)
        #expect(try rows(text).rows == fields)
    }

    @Test("whole numbers are read to the last digit of 64 bits, and what is none is told with file and line")
    func integers() throws {
        let path = folder.write(
            "9223372036854775807,-9223372036854775808,,-1\n\"a\nb\",0,0,0\n9223372036854775808,1x,-,1.5\n",
            to: "numbers.csv")
        let reader = try CSVReader(path)
        #expect(try reader.next())
        #expect(try reader.integer(0, "n") == .max)
        #expect(try reader.integer(1, "n") == .min)
        #expect(try reader.integer(2, "n") == nil)
        #expect(try reader.integer(3, "n") == -1)
        #expect(throws: ResultsError.malformed(path: path, line: 1, detail: "n is empty")) {
            try reader.requiredInteger(2, "n")
        }
        #expect(try reader.next())
        #expect(try reader.next())
        for (index, text) in ["9223372036854775808", "1x", "-", "1.5"].enumerated() {
            #expect(
                throws: ResultsError.malformed(path: path, line: 4, detail: "n is “\(text)”, not a whole number")
            ) { try reader.integer(index, "n") }
        }
    }

    @Test("a header other than the expected one is refused, further columns are not")
    func header() throws {
        #expect(throws: ResultsError.self) { try CSVReader(folder.write("a,x\n", to: "h"), columns: ["a", "b"]) }
        #expect(throws: ResultsError.self) { try CSVReader(folder.write("a\n", to: "h"), columns: ["a", "b"]) }
        _ = try CSVReader(folder.write("a,b,new\n", to: "h"), columns: ["a", "b"])
        #expect(throws: ResultsError.self) { try CSVReader(folder.path + "/none", columns: ["a"]) }
    }
}
