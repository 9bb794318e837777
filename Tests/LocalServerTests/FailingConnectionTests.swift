import LocalServer
import TestSupport
import Testing

@Suite("Connections that a local server ends by intent", .serialized, .timeLimit(.minutes(5)))
struct FailingConnectionTests {
    /// What comes over a plain connection, head and body, and how it ends.
    private static func ask(_ location: NginxSite.Location, _ server: LocalServer) throws -> (
        head: String, body: [UInt8], end: LoopbackConnection.End
    ) {
        let connection = try LoopbackConnection(port: server.port(.plain))
        #expect(connection.get(location.path))
        let (bytes, end) = connection.receive()
        let text = String(decoding: bytes, as: Unicode.ASCII.self)
        guard let border = text.firstRange(of: "\r\n\r\n") else { return ("", bytes, end) }
        return (String(text[..<border.lowerBound]), Array(bytes[text[..<border.upperBound].utf8.count...]), end)
    }

    @Test("a connection is reset after the bytes that were asked for, of twice as many and one that were announced")
    func reset() async throws {
        try await withServer(.whole) { server in
            for bytes in [0, 1_000] {
                let answer = try Self.ask(.reset(afterBytes: bytes), server)
                #expect(answer.head.hasSuffix("\r\nContent-Length: \(2 * bytes + 1)"))
                #expect(answer.body == LocalServer.body(bytes: bytes))
                // The proof that it was no orderly end: the system tells ECONNRESET.
                #expect(answer.end == .reset)
            }
        }
    }

    @Test("over TLS it is a reset too, and over HTTP/2 one of the stream")
    func resetOfOthers() async throws {
        try await withServer(.whole) { server in
            for way in Way.all {
                let answer = try way.get(.reset(afterBytes: 1_000), from: server)
                // 56: “Failure in receiving network data”; 92: “Stream error in HTTP/2 framing layer”.
                #expect(answer.exit == (way.isHTTP2 ? 92 : 56))
                // Of a stream that was reset meanwhile, curl tells no more what came before.
                if way.isHTTP2 { continue }
                #expect(answer.status == 200 && answer.body == LocalServer.body(bytes: 1_000))
            }
        }
    }

    @Test("a connection is closed in order, before an answer")
    func close() async throws {
        try await withServer(.whole) { server in
            let answer = try Self.ask(.close, server)
            #expect(answer.head.isEmpty && answer.body.isEmpty && answer.end == .closed)
            for way in Way.all {
                // 52: “Nothing was returned from the server”.
                #expect(try way.get(.close, from: server).exit == (way.isHTTP2 ? 92 : 52))
            }
        }
    }

    @Test("what is no HTTP is taken for none")
    func garbage() async throws {
        try await withServer(.whole) { server in
            let answer = try Self.ask(.garbage, server)
            #expect(answer.end == .closed && answer.body.isEmpty && answer.head == "\0\u{1}\u{2}no HTTP")
            for way in Way.all {
                // 1: “Unsupported protocol”, for what would be HTTP/0.9.
                #expect(try way.get(.garbage, from: server).exit == (way.isHTTP2 ? 92 : 1))
            }
        }
    }
}
