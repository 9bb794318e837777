import Glibc

/// The head of an answer: what is needed of it to read its body and to go on (RFC 9112).
package struct HTTPResponseHead: Hashable, Sendable {
    /// Where its body ends.
    package enum Framing: Hashable, Sendable {
        /// There is none.
        case none
        /// After so many bytes.
        case length(Int)
        /// Where its coding says so.
        case chunked
        /// Where the connection does.
        case untilEnd
    }

    package var status: Int
    package var framing: Framing
    /// Whether the connection may serve another request after this answer.
    package var keepsAlive: Bool
    /// Where a redirect leads to; nil in other answers.
    package var location: String?
    /// Of the head itself, the empty line included.
    package var byteCount: Int

    package init(status: Int, framing: Framing, keepsAlive: Bool, location: String? = nil, byteCount: Int) {
        self.status = status
        self.framing = framing
        self.keepsAlive = keepsAlive
        self.location = location
        self.byteCount = byteCount
    }

    /// How long the body was announced to be; nil when it was not.
    package var announcedLength: Int? {
        switch framing {
        case .none: 0
        case .length(let length): length
        case .chunked, .untilEnd: nil
        }
    }

    /// Whether it says only that the final answer is still to come.
    var isInterim: Bool { status < 200 }

    /// Reads the head at the beginning of what came; nil when more must come first.
    ///
    /// - Parameter answersHEAD: whether it answers a request for the head alone, and so has no body whatever it
    ///   announces.
    // hot path: no allocation, but in a redirect; no lock, no call that can block
    package static func parse(_ bytes: UnsafeRawBufferPointer, answersHEAD: Bool) throws(RequestFailure)
        -> HTTPResponseHead?
    {
        guard let statusEnd = bytes.endOfLine(from: 0) else {
            // What is no HTTP shall not be waited for until the time limit.
            guard bytes.begins(with: "HTTP/1.") else { throw .noHTTP }
            return nil
        }
        guard bytes.begins(with: "HTTP/1."), statusEnd >= 12, bytes[8] == UInt8(ascii: " "),
            let minor = bytes[7].digit, let hundreds = bytes[9].digit, let tens = bytes[10].digit,
            let ones = bytes[11].digit, hundreds > 0, statusEnd == 12 || bytes[12].isBlankOrEnd
        else { throw .noHTTP }

        var head = HTTPResponseHead(
            status: hundreds * 100 + tens * 10 + ones, framing: .untilEnd, keepsAlive: minor > 0, byteCount: 0)
        var fields = Fields()
        var place = statusEnd + 1
        while true {
            guard let end = bytes.endOfLine(from: place) else { return nil }
            let line = UnsafeRawBufferPointer(rebasing: bytes[place..<end]).withoutReturn
            place = end + 1
            if line.isEmpty { break }
            try fields.add(line, isRedirect: 300..<400 ~= head.status)
        }

        head.byteCount = place
        head.location = fields.location
        if fields.closes { head.keepsAlive = false } else if fields.staysOpen { head.keepsAlive = true }
        if answersHEAD || head.isInterim || head.status == 204 || head.status == 304 {
            head.framing = .none
        } else if fields.isChunked {
            head.framing = .chunked
            // Both at once are how one server is made to see two answers where another sees one (RFC 9112, 6.3).
            if fields.length != nil { head.keepsAlive = false }
        } else if let length = fields.length {
            head.framing = length == 0 ? .none : .length(length)
        } else {
            head.keepsAlive = false
        }
        return head
    }

    /// What the lines of a head say, as far as it matters here.
    private struct Fields {
        var length: Int?
        var isChunked = false
        var closes = false
        var staysOpen = false
        var location: String?

        mutating func add(_ line: UnsafeRawBufferPointer, isRedirect: Bool) throws(RequestFailure) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, !line[colon - 1].isBlank,
                !line[0].isBlank
            else { throw .malformedHead }
            let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).withoutBlanks
            // Most names are told apart by their length.
            switch colon {
            case 14 where line.begins(with: "content-length"):
                guard let number = value.number, length == nil || length == number else { throw .malformedHead }
                length = number
            case 17 where line.begins(with: "transfer-encoding"):
                guard value.count == 7, value.begins(with: "chunked"), !isChunked else { throw .otherCoding }
                isChunked = true
            case 10 where line.begins(with: "connection"):
                var rest = value
                while true {
                    let comma = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.count
                    let option = UnsafeRawBufferPointer(rebasing: rest[..<comma]).withoutBlanks
                    if option.count == 5, option.begins(with: "close") { closes = true }
                    if option.count == 10, option.begins(with: "keep-alive") { staysOpen = true }
                    if comma == rest.count { break }
                    rest = UnsafeRawBufferPointer(rebasing: rest[(comma + 1)...])
                }
            case 8 where isRedirect && line.begins(with: "location"):
                location = String(decoding: value, as: UTF8.self)
            default: break
            }
        }
    }
}

extension RequestFailure {
    fileprivate static let noHTTP = RequestFailure(.protocol, "the answer is no HTTP/1.1")
    fileprivate static let malformedHead = RequestFailure(.protocol, "a line of the answer's head is malformed")
    fileprivate static let otherCoding = RequestFailure(
        .protocol, "the answer has a transfer coding other than chunked")
}

extension UInt8 {
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    fileprivate var isBlankOrEnd: Bool { isBlank || self == UInt8(ascii: "\r") }
    fileprivate var digit: Int? { self &- UInt8(ascii: "0") < 10 ? Int(self &- UInt8(ascii: "0")) : nil }
}

extension UnsafeRawBufferPointer {
    /// The place of the next line feed.
    func endOfLine(from start: Int) -> Int? {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, CInt(UInt8(ascii: "\n")), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Whether it begins like a word, letters of either case; or, where it is shorter, is how the word begins.
    fileprivate func begins(with word: StaticString) -> Bool {
        for place in 0..<Swift.min(count, word.utf8CodeUnitCount)
        where self[place].asciiLowercased != word.utf8Start[place].asciiLowercased {
            return false
        }
        return true
    }

    /// A line of which CR LF was the end.
    var withoutReturn: UnsafeRawBufferPointer {
        last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: self[..<(count - 1)]) : self
    }

    fileprivate var withoutBlanks: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start].isBlank { start += 1 }
        while start < end, self[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// A number of decimal digits and nothing else; nil for others, and for those that no `Int` holds.
    fileprivate var number: Int? {
        guard !isEmpty else { return nil }
        var sum = 0
        for byte in self {
            guard let digit = byte.digit else { return nil }
            let (product, overflows) = sum.multipliedReportingOverflow(by: 10)
            let (next, overflowsToo) = product.addingReportingOverflow(digit)
            guard !overflows, !overflowsToo else { return nil }
            sum = next
        }
        return sum
    }
}
