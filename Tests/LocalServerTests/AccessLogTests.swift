import Glibc
import LocalServer
import Results
import TestSupport
import Testing

@Suite("A local server's access log", .serialized, .timeLimit(.minutes(5)))
struct AccessLogTests {
    @Test("each request has an entry that agrees with what its client saw")
    func entries() async throws {
        var site = NginxSite.whole
        site.logsAccess = true
        try await withServer(site) { server in
            var before = timespec()
            clock_gettime(CLOCK_REALTIME, &before)
            let port = try server.port(.tls)
            let tls = [
                "--resolve", "one.test:\(port):127.0.0.1", "--cacert", server.authority ?? "", "-b", "taskmeter=a\tb",
            ]
            let url = try server.url(.body(1_024), on: .tls, host: "one.test")
            #expect(try Curl(url, tls + ["--http2", "-H", "X-Task: 17"]).exit == 0)
            // Two over one connection.
            let plain = try server.url(.body(65_536))
            #expect(try Curl(plain, "-H", "X-Task: 18", "-o", "/dev/null", plain).exit == 0)
            #expect(try server.ask(.slowFirstByte(milliseconds: 50, .status(503))).status == 503)
            #expect(try server.ask(.never, "--max-time", "0.1").exit == 28)
            let connection = try LoopbackConnection(port: server.port(.plain))
            #expect(connection.get("/reset/1000"))
            let reset = connection.receive().bytes
            server.stop()

            // The server's own first requests, and these.
            let entries = Array(try server.accessLog().dropFirst(2))
            try #require(entries.count == 6)
            #expect(entries.map(\.task) == [TaskID(17), TaskID(18), TaskID(18), nil, nil, nil])
            #expect(entries.map(\.status) == [200, 200, 200, 503, 499, 200])
            #expect(entries.map(\.isComplete) == [true, true, true, true, false, false])
            #expect(entries[0].version == "HTTP/2.0" && entries[0].request == "GET /body/1024 HTTP/2.0")
            #expect(entries[0].serverName == "one.test" && entries[0].host == "one.test:\(port)")
            #expect(entries[0].cookies == "taskmeter=a\tb")
            #expect(entries[0].bodySent == 1_024 && entries[0].sent > 1_024 && entries[0].received > 0)
            #expect(entries[1].bodySent == 65_536 && entries[1].serverName == nil && entries[1].cookies == nil)
            #expect(entries[1].version == "HTTP/1.1" && entries[1].connection == entries[2].connection)
            #expect(entries[1].requestOfConnection == 1 && entries[2].requestOfConnection == 2)
            #expect(entries[2].connection != entries[3].connection)
            #expect(entries[3].duration >= .milliseconds(49))
            #expect(entries[5].sent == reset.count)
            let seconds = before.tv_sec
            #expect(entries.allSatisfy { $0.endUTC / 1_000 >= seconds - 1 && $0.endUTC / 1_000 < seconds + 120 })
        }
    }

    @Test("entries can be read while the server runs")
    func whileRunning() async throws {
        var site = NginxSite(bodies: [10])
        site.logsAccess = true
        try await withServer(site) { server in
            for count in 2...20 {
                #expect(try server.ask(.body(10)).exit == 0)
                // The answer may be here before the entry is there.
                while try server.accessLog().count < count { usleep(1_000) }
            }
        }
    }

    @Test("a server that was not asked to log has no log")
    func none() async throws {
        try await withServer(NginxSite(bodies: [10])) { server in
            let error = #expect(throws: LocalServerError.self) { try server.accessLog() }
            #expect(error?.description == "the local server was started without an access log")
        }
    }
}
