import Glibc
import Requests
import TestSupport
import Testing

@Suite("A real nginx and a client for it")
struct NginxServerTests {
    @Test("the server serves a body of the size asked for, whether connections are kept or not")
    func serves() async throws {
        try await onOwnThread {
            let folder = TemporaryFolder()
            let server = try NginxServer(bodyBytes: 1_000, folder: folder.path)
            defer { server.stop() }
            for keepsAlive in [true, false] {
                let client = try HTTPClient(url: server.url, bodyBytes: 1_000, keepsAlive: keepsAlive)
                for _ in 0..<3 { #expect(try client.get() == 1_000) }
            }
        }
    }

    @Test("a client tells a wrong length, a wrong status and a server that is gone, each in a sentence of its own")
    func failures() async throws {
        try await onOwnThread {
            let folder = TemporaryFolder()
            let server = try NginxServer(bodyBytes: 1_000, folder: folder.path)
            defer { server.stop() }
            func reason(_ url: String, _ bytes: Int) -> String? {
                do {
                    _ = try HTTPClient(url: url, bodyBytes: bytes, keepsAlive: true).get()
                    return nil
                } catch { return "\(error)" }
            }
            #expect(reason(server.url, 999) == "the body has another length than the file")
            #expect(reason(server.url + "-missing", 1_000) == "HTTP status 404 instead of 200")
            server.stop()
            #expect(reason(server.url, 1_000)?.hasPrefix("libcurl: ") == true)
            #expect(kill(server.child.pid, 0) != 0)
        }
    }
}
