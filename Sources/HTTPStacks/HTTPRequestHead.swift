/// Writes the head of a request, as it goes over the wire (RFC 9112).
struct HTTPRequestHead {
    var method: String
    var url: HTTPURL
    var body: HTTPRequest.Body
    var keepsAlive: Bool

    /// Puts the head, with the empty line that ends it, at the end of `bytes`.
    ///
    /// - Throws: what would make it another head than the one that was meant.
    func write(_ headers: [HTTPRequest.Header], to bytes: inout [UInt8]) throws(RequestFailure) {
        guard !method.isEmpty, method.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw RequestFailure(.clientLimit, "the method is no word")
        }
        bytes.append(method)
        bytes.append(" ")
        bytes.append(url.target)
        bytes.append(" HTTP/1.1\r\n")
        var (hasHost, hasLength) = (false, false)
        for header in headers {
            if header.name.isName("host") { hasHost = true }
            if header.name.isName("content-length") { hasLength = true }
            guard header.isOneLine else {
                throw RequestFailure(.clientLimit, "a header is no line of a name and a value")
            }
            bytes.append(line: header.name, header.value)
        }
        if !hasHost { bytes.append(line: "Host", url.authority) }
        switch body {
        case .none:
            // Without it a server could wait for a body that these methods have as a rule.
            if !hasLength, method == "POST" || method == "PUT" || method == "PATCH" {
                bytes.append("Content-Length: 0\r\n")
            }
        case .bytes(let body):
            if !hasLength { bytes.append(line: "Content-Length", String(body.count)) }
        case .streamed:
            guard !hasLength else { throw RequestFailure(.clientLimit, "a streamed body has no Content-Length") }
            bytes.append("Transfer-Encoding: chunked\r\n")
        }
        if !keepsAlive { bytes.append("Connection: close\r\n") }
        bytes.append("\r\n")
    }
}

extension HTTPRequest.Header {
    fileprivate var isOneLine: Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }
            && value.utf8.allSatisfy { $0 != 0x0a && $0 != 0x0d && $0 != 0 }
    }
}

extension String {
    /// Whether it is a header's name that is given in lower case.
    func isName(_ name: StaticString) -> Bool {
        utf8.count == name.utf8CodeUnitCount
            && zip(utf8, UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
                .allSatisfy { $0.asciiLowercased == $1 }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }
    fileprivate mutating func append(line name: String, _ value: String) {
        append(name)
        append(": ")
        append(value)
        append("\r\n")
    }
}
