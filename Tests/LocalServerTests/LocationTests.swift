import LocalServer
import TestSupport
import Testing

@Suite("What a local server answers", .serialized, .timeLimit(.minutes(5)))
struct LocationTests {
    @Test("a static body has the size and the bytes that were asked for, over each listener", arguments: Way.all)
    func bodies(_ way: Way) async throws {
        try await withServer(.whole) { server in
            for bytes in server.site.bodies {
                let answer = try way.get(.body(bytes), from: server)
                #expect(answer.exit == 0 && answer.status == 200)
                #expect(answer.version == (way.isHTTP2 ? "2" : "1.1"))
                #expect(answer.body == LocalServer.body(bytes: bytes))
            }
            #expect(LocalServer.body(bytes: 300)[299] == UInt8(299 * 7 % 256))
            #expect(try way.get(.body(5), from: server).status == 404)
        }
    }

    @Test("an upload comes back as it was, with its length told before or not, over each listener", arguments: Way.all)
    func echo(_ way: Way) async throws {
        try await withServer(.whole) { server in
            let folder = TemporaryFolder()
            for bytes in [0, 10, 100_000, 3_000_000] {
                // 251 is prime to the server's own period, and to the sizes of its pieces.
                let upload = (0..<bytes).map { UInt8($0 % 251) }
                let file = folder.write(upload, to: "upload")
                let fixed = try way.get(.echo, from: server, "--data-binary", "@\(file)")
                #expect(fixed.exit == 0 && fixed.status == 200 && fixed.body == upload)
                let chunked = try way.get(
                    .echo, from: server, "--data-binary", "@\(file)", "-H", "Transfer-Encoding: chunked")
                #expect(chunked.exit == 0 && chunked.status == 200 && chunked.body == upload)
            }
        }
    }

    @Test("an upload of 64 MiB comes back, and a larger one is refused with 413")
    func largestUpload() async throws {
        try await withServer(.whole) { server in
            let folder = TemporaryFolder()
            let upload = LocalServer.body(bytes: 64 << 20)
            let file = folder.write(upload, to: "upload")
            let largest = try server.ask(.echo, "--data-binary", "@\(file)")
            #expect(largest.status == 200 && largest.body == upload)
            folder.write(upload + [0], to: "upload")
            let larger = try server.ask(.echo, "--data-binary", "@\(file)")
            #expect(larger.status == 413)
        }
    }

    @Test("redirects lead to the last location after as many hops as were asked for", arguments: [0, 1, 20])
    func redirects(_ hops: Int) async throws {
        try await withServer(.whole) { server in
            // curl 7.88 cannot use a connection again that it opened with prior knowledge of HTTP/2.
            for way in Way.all where way.listener != .http2 {
                let answer = try way.get(.redirect(hops, to: .body(1_024)), from: server, "--location")
                #expect(answer.exit == 0 && answer.status == 200 && answer.redirects == hops)
                #expect(answer.body == LocalServer.body(bytes: 1_024))
            }
            let first = try server.ask(.redirect(hops, to: .body(1_024)))
            #expect(first.status == (hops == 0 ? 200 : 302))
        }
    }

    @Test("a cookie is set, and is required where it is required, on the way of redirects too")
    func cookies() async throws {
        try await withServer(.whole) { server in
            let jar = TemporaryFolder()
            #expect(try server.ask(.requiringCookie(.body(1_024))).status == 403)
            #expect(try server.ask(.requiringCookie(.body(1_024)), "-b", "taskmeter=other").status == 403)
            let given = try server.ask(.requiringCookie(.body(1_024)), "-b", "taskmeter=set")
            #expect(given.status == 200 && given.body == LocalServer.body(bytes: 1_024))
            let set = try server.ask(.settingCookie(.body(1_024)), "-c", "\(jar.path)/cookies")
            #expect(set.status == 200 && set.body == LocalServer.body(bytes: 1_024))
            #expect(jar.text(of: "cookies").contains("taskmeter\tset\n"))
            let chain = try server.url(.redirectWithCookie(3, to: .body(1_024)))
            let without = try Curl(chain, "--location")
            #expect(without.status == 403 && without.redirects == 3)
            // An empty name of a file: curl keeps cookies, and begins with none.
            let with = try Curl(chain, "--location", "-b", "")
            #expect(with.status == 200 && with.redirects == 3 && with.body == LocalServer.body(bytes: 1_024))
        }
    }

    @Test("a late first byte and a slow body take as long as was asked for", arguments: [Way.all[0], Way.all[4]])
    func slowness(_ way: Way) async throws {
        try await withServer(.whole) { server in
            // nginx's clock has milliseconds: its 60 may be 59 and a little.
            let late = try way.get(.slowFirstByte(milliseconds: 60, .body(1_024)), from: server)
            #expect(late.status == 200 && late.firstByte >= 0.058 && late.body == LocalServer.body(bytes: 1_024))
            for bytes in [1, 1_000, 100_000] {
                let slow = try way.get(.slowBody(milliseconds: 60, bytes: bytes), from: server)
                #expect(slow.exit == 0 && slow.status == 200 && slow.end >= 0.058)
                #expect(slow.firstByte < slow.end && slow.body == LocalServer.body(bytes: bytes))
            }
        }
    }

    @Test("one that never answers keeps its client waiting for as long as the client will")
    func never() async throws {
        try await withServer(.whole) { server in
            for way in Way.all {
                let answer = try way.get(.never, from: server, "--max-time", "0.1")
                // 28: “Operation timeout”.
                #expect(answer.exit == 28 && answer.status == 0 && answer.body.isEmpty)
            }
        }
    }

    @Test("every status can be had, with its body if it has one", arguments: [Way.all[0], Way.all[4]])
    func statuses(_ way: Way) async throws {
        try await withServer(.whole) { server in
            for code in [200, 204, 304, 404, 418, 500, 503, 599] {
                let answer = try way.get(.status(code), from: server)
                #expect(answer.exit == 0 && answer.status == code)
                #expect(answer.text == ([204, 304].contains(code) ? "" : "status \(code)\n"))
            }
        }
    }

    @Test(
        "the length of a header is told as it arrived, and one that does not fit is refused, but where heads may be large"
    )
    func headers() async throws {
        try await withServer(.whole) { server in
            let folder = TemporaryFolder()
            func length(_ bytes: Int, _ listener: NginxSite.Listener) throws -> Curl {
                let file = folder.write("X-Body: " + String(repeating: "a", count: bytes), to: "head")
                return try server.ask(.headerLength, on: listener, "-H", "@\(file)")
            }
            for bytes in [1, 8_100] { #expect(try length(bytes, .plain).text == "\(bytes)\n") }
            #expect(try length(8_300, .plain).status == 400)
            for bytes in [8_300, 900_000] { #expect(try length(bytes, .largeHeads).text == "\(bytes)\n") }
            #expect(try server.ask(.headerLength).text == "0\n")
            for bytes in [0, 8_300, 2_000_000] {
                let file = folder.write(String(repeating: "a", count: bytes), to: "body")
                for coding in [[], ["-H", "Transfer-Encoding: chunked"]] {
                    let answer = try Curl(server.url(.bodyLength), ["--data-binary", "@\(file)"] + coding)
                    #expect(answer.text == "\(bytes)\n")
                }
            }
            // More than libcurl sends: by hand.
            let connection = try LoopbackConnection(port: server.port(.largeHeads))
            let head = "GET /header-echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Body: "
            #expect(connection.send(head.utf8))
            #expect(connection.send(repeatElement(UInt8(ascii: "a"), count: 2_000_000)))
            #expect(connection.send("\r\n\r\n".utf8))
            #expect(String(decoding: connection.receive().bytes.suffix(8), as: UTF8.self) == "2000000\n")
        }
    }
}
