import HTTPStacks
import Testing

@Suite("The head of an answer")
struct HTTPResponseParserTests {
    private func parse(_ text: String, answersHEAD: Bool = false) throws(RequestFailure) -> HTTPResponseHead? {
        let bytes = Array(text.utf8)
        var result: Result<HTTPResponseHead?, RequestFailure> = .success(nil)
        bytes.withUnsafeBytes { bytes in
            do throws(RequestFailure) {
                result = .success(try HTTPResponseHead.parse(bytes, answersHEAD: answersHEAD))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    @Test("status, length and where the body begins")
    func simple() throws {
        let text = "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 1024\r\n\r\nbody"
        let head = try #require(try parse(text))
        #expect(
            head
                == HTTPResponseHead(
                    status: 200, framing: .length(1024), keepsAlive: true, byteCount: text.utf8.count - 4))
        #expect(head.announcedLength == 1024)
    }

    @Test("a head is there when its last byte is, and never before")
    func splitEverywhere() throws {
        let text =
            "HTTP/1.1 302 Found\r\nLocation: /a:b\r\nConnection: keep-alive, Close\r\n"
            + "Transfer-Encoding: CHUNKED\r\n\r\n"
        for count in 0..<text.utf8.count {
            #expect(try parse(String(decoding: text.utf8.prefix(count), as: UTF8.self)) == nil, "after \(count) bytes")
        }
        let expected = HTTPResponseHead(
            status: 302, framing: .chunked, keepsAlive: false, location: "/a:b", byteCount: text.utf8.count)
        #expect(try parse(text) == expected)
    }

    @Test(
        "where the body ends and whether the connection lives on",
        arguments: [
            ("HTTP/1.1 200 OK\r\n\r\n", HTTPResponseHead.Framing.untilEnd, false),
            ("HTTP/1.1 204 No\r\nContent-Length: 9\r\n\r\n", .none, true),
            ("HTTP/1.1 304 No\r\nContent-Length: 9\r\n\r\n", .none, true),
            ("HTTP/1.1 100 Continue\r\n\r\n", .none, true),
            ("HTTP/1.1 200\r\nContent-Length:0\r\n\r\n", .none, true),
            ("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n", .length(5), false),
            ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 5\r\n\r\n", .length(5), true),
            ("HTTP/1.1 200 OK\nContent-Length: 5\nConnection: close\n\n", .length(5), false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", .length(5), true),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", .chunked, false),
        ])
    func framing(_ text: String, _ framing: HTTPResponseHead.Framing, _ keepsAlive: Bool) throws {
        let head = try #require(try parse(text))
        #expect(head.framing == framing && head.keepsAlive == keepsAlive)
    }

    @Test("an answer to HEAD has no body whatever it announces")
    func answersHEAD() throws {
        let head = try #require(try parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", answersHEAD: true))
        #expect(head.framing == .none && head.keepsAlive)
    }

    @Test("another answer than a redirect leads nowhere")
    func locationOfCreated() throws {
        let head = try #require(try parse("HTTP/1.1 201 Created\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n"))
        #expect(head.location == nil)
    }

    @Test(
        "what is no HTTP, or malformed, is told at once",
        arguments: [
            "SSH-2.0-OpenSSH\r\n", "HTT<", "HTTP/2 200\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
            "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.x 200 OK\r\n\r\n", "\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\n: no name\r\n\r\n",
            "HTTP/1.1 200 OK\r\nName : blank\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n folded: c\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        ])
    func malformed(_ text: String) {
        let failure = #expect(throws: RequestFailure.self) { try parse(text) }
        #expect(failure?.class == .protocol)
    }

    @Test("the greatest length that there is")
    func greatestLength() throws {
        let head = try #require(try parse("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n"))
        #expect(head.framing == .length(.max))
    }
}

@Suite("A body in chunks")
struct ChunkedBodyParserTests {
    /// What comes out of the coding when it comes in pieces of these lengths, and how many bytes belong to it.
    private func decode(_ pieces: [String]) throws(RequestFailure) -> (body: String, used: Int, isDone: Bool) {
        var parser = ChunkedBodyParser()
        var (body, used) = ([UInt8](), 0)
        for piece in pieces {
            let bytes = Array(piece.utf8)
            var failure: RequestFailure?
            bytes.withUnsafeBytes { bytes in
                do throws(RequestFailure) {
                    used += try parser.consume(bytes) { (part: UnsafeRawBufferPointer) throws(RequestFailure) in
                        body += Array(part)
                    }
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
        return (String(decoding: body, as: UTF8.self), used, parser.isDone)
    }

    private static let coded = "4\r\nWiki\r\n005;a=b\r\npedia\r\nE \r\n in\r\n\r\nchunks.\r\n0\r\nTrailer: x\r\n\r\n"
    private static let plain = "Wikipedia in\r\n\r\nchunks."

    @Test("the same body comes out wherever the coding is split")
    func splitEverywhere() throws {
        let text = Self.coded
        for place in 0...text.utf8.count {
            let middle = text.utf8.index(text.startIndex, offsetBy: place)
            let result = try decode([
                String(decoding: text.utf8[..<middle], as: UTF8.self),
                String(decoding: text.utf8[middle...], as: UTF8.self),
            ])
            #expect(result == (Self.plain, text.utf8.count, true), "split at \(place)")
        }
        let single = try decode(text.utf8.map { String(decoding: [$0], as: UTF8.self) })
        #expect(single == (Self.plain, text.utf8.count, true))
    }

    @Test("a body has ended when the last byte of its coding came, and never before")
    func endsWithItsLastByte() throws {
        for count in 0..<Self.coded.utf8.count {
            #expect(try !decode([String(decoding: Self.coded.utf8.prefix(count), as: UTF8.self)]).isDone)
        }
    }

    @Test("what comes after the body is left")
    func leavesTheRest() throws {
        #expect(try decode(["1\r\na\r\n0\r\n\r\nHTTP/1.1"]) == ("a", 11, true))
        #expect(try decode(["0\r\n\r\n"]) == ("", 5, true))
        #expect(try decode(["0\n\n"]) == ("", 3, true))
    }

    @Test(
        "a malformed size or end is told",
        arguments: [
            "\r\n", "x\r\n", "-1\r\n", ";a\r\n", "1\r\nab", "1000000000000000\r\n", "2x\r\n", "1\r\na0\r\n\r\n",
        ])
    func malformed(_ text: String) {
        let failure = #expect(throws: RequestFailure.self) { try decode([text]) }
        #expect(failure?.class == .protocol)
    }

    @Test("extensions and trailers without end are not waited for")
    func endless() {
        #expect(throws: RequestFailure.self) { try decode(["1;" + String(repeating: "a", count: 70_000)]) }
        #expect(throws: RequestFailure.self) { try decode(["0\r\n" + String(repeating: "a: b\r\n", count: 20_000)]) }
    }
}
