import Glibc

/// Reads a CSV file (RFC 4180, `\n` or `\r\n`) row by row through one buffer, however large the file is.
///
/// A row that the file's end cuts off, because its writer was killed, is not returned: `tornRow` tells of it.
/// Not thread-safe: one owner at a time.
package final class CSVReader {
    package let path: String
    /// The line on which the current row begins, counted from 1.
    package private(set) var line = 0
    /// Whether the file ended in the middle of a row.
    package private(set) var tornRow = false

    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    private var position = 0
    private var available = 0
    private var nextLine = 1
    /// The current row's fields, unquoted, one after the other; `ends[i]` is where field i ends.
    private var row: [UInt8] = []
    private var ends: [Int] = []

    package init(_ path: String) throws(ResultsError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .missing(path: path) : .cannotRead(path: path, reason: errnoText())
        }
        row.reserveCapacity(512)
        ends.reserveCapacity(32)
    }

    deinit { close(descriptor) }

    /// Opens a file and checks that its first columns are the expected ones; more may follow them.
    package convenience init(_ path: String, columns: [String]) throws(ResultsError) {
        try self.init(path)
        guard try next() else { return }
        guard fieldCount >= columns.count, columns.indices.allSatisfy({ text($0) == columns[$0] }) else {
            throw .malformed(path: path, line: 1, detail: "the header is not “\(columns.joined(separator: ","))”")
        }
    }

    package var fieldCount: Int { ends.count }

    /// Moves to the next row; false at the end of the file.
    package func next() throws(ResultsError) -> Bool {
        line = nextLine
        row.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        var quoted = false
        var started = false
        // Whether the byte before was a return outside quotes: only that one belongs to the line's end.
        var afterReturn = false
        while true {
            if position == available {
                guard try fill() else {
                    tornRow = started
                    return false
                }
            }
            let byte = buffer[position]
            position += 1
            started = true
            if quoted {
                guard byte == UInt8(ascii: "\"") else {
                    if byte == UInt8(ascii: "\n") { nextLine += 1 }
                    row.append(byte)
                    continue
                }
                if position == available, try !fill() {
                    tornRow = true
                    return false
                }
                if buffer[position] == UInt8(ascii: "\"") {
                    position += 1
                    row.append(byte)
                } else {
                    quoted = false
                }
                continue
            }
            let endsWithReturn = afterReturn
            afterReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: ","):
                ends.append(row.count)
            case UInt8(ascii: "\n"):
                nextLine += 1
                if endsWithReturn { row.removeLast() }
                ends.append(row.count)
                return true
            case UInt8(ascii: "\"") where row.count == (ends.last ?? 0):
                quoted = true
            default:
                row.append(byte)
            }
        }
    }

    /// A field as text; bytes that are no UTF-8 are shown as replacement characters.
    package func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

    package func bytes(_ index: Int) -> ArraySlice<UInt8> {
        row[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }

    /// A field as a whole number; nil when it is empty.
    package func integer(_ index: Int, _ name: StaticString) throws(ResultsError) -> Int64? {
        let start = index == 0 ? 0 : ends[index - 1]
        let end = ends[index]
        guard start < end else { return nil }
        var position = start
        let negative = row[start] == UInt8(ascii: "-")
        if negative { position += 1 }
        // Counted downwards: the smallest number has no positive counterpart.
        var value: Int64 = 0
        var valid = position < end
        while position < end {
            let digit = row[position] &- UInt8(ascii: "0")
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (difference, borrow) = product.subtractingReportingOverflow(Int64(digit))
            if digit > 9 || overflow || borrow { valid = false }
            value = difference
            position += 1
        }
        guard valid, negative || value > .min else {
            throw malformed("\(name) is “\(text(index))”, not a whole number")
        }
        return negative ? value : -value
    }

    package func requiredInteger(_ index: Int, _ name: StaticString) throws(ResultsError) -> Int64 {
        guard let value = try integer(index, name) else { throw malformed("\(name) is empty") }
        return value
    }

    package func malformed(_ detail: String) -> ResultsError { .malformed(path: path, line: line, detail: detail) }

    private func fill() throws(ResultsError) -> Bool {
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress!, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .cannotRead(path: path, reason: errnoText())
            }
            position = 0
            available = count
            return count > 0
        }
    }
}
