import Glibc

/// Reads a CSV file (RFC 4180, `\n` or `\r\n`) row by row through one buffer, however large the file is.
///
/// A row that the file's end cuts off, because its writer was killed, is not returned: `tornRow` tells of it.
/// Not thread-safe: one owner at a time.
package final class CSVReader {
    package let path: String
    /// The line on which the current row begins, counted from 1.
    package var line: Int { scanner.line }
    /// Whether the file ended in the middle of a row.
    package var tornRow: Bool { scanner.tornRow }

    /// In one value, so that exclusive access to it is checked once a row and not at every byte.
    private var scanner: RowScanner

    package init(_ path: String) throws(ResultsError) {
        self.path = path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .missing(path: path) : .cannotRead(path: path, reason: errnoText())
        }
        scanner = RowScanner(path: path, descriptor: descriptor)
    }

    deinit { close(scanner.descriptor) }

    /// Opens a file and checks that its first columns are the expected ones; more may follow them.
    package convenience init(_ path: String, columns: [String]) throws(ResultsError) {
        try self.init(path)
        guard try next() else { return }
        guard fieldCount >= columns.count, columns.indices.allSatisfy({ text($0) == columns[$0] }) else {
            throw .malformed(path: path, line: 1, detail: "the header is not “\(columns.joined(separator: ","))”")
        }
    }

    package var fieldCount: Int { scanner.ends.count }

    /// Moves to the next row; false at the end of the file.
    package func next() throws(ResultsError) -> Bool { try scanner.next() }

    /// A field as text; bytes that are no UTF-8 are shown as replacement characters.
    package func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

    package func bytes(_ index: Int) -> ArraySlice<UInt8> {
        scanner.row[(index == 0 ? 0 : scanner.ends[index - 1])..<scanner.ends[index]]
    }

    /// A field as a whole number; nil when it is empty.
    package func integer(_ index: Int, _ name: StaticString) throws(ResultsError) -> Int64? {
        let row = scanner.row
        let start = index == 0 ? 0 : scanner.ends[index - 1]
        let end = scanner.ends[index]
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
}

/// The place in a file, and the row that was read last.
private struct RowScanner {
    let path: String
    let descriptor: Int32
    var line = 0
    var tornRow = false
    /// The current row's fields, unquoted, one after the other; `ends[i]` is where field i ends.
    var row: [UInt8] = []
    var ends: [Int] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    private var position = 0
    private var available = 0
    private var nextLine = 1

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
        row.reserveCapacity(512)
        ends.reserveCapacity(32)
    }

    /// Moves to the next row; false at the end of the file.
    mutating func next() throws(ResultsError) -> Bool {
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

    private mutating func fill() throws(ResultsError) -> Bool {
        let descriptor = descriptor
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
