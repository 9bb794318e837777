import LocalServer
import Requests
import TestSupport
import Testing

@Suite("A client for a real nginx")
struct HTTPClientTests {
    @Test("it fetches a body of the size asked for, whether connections are kept or not")
    func fetches() async throws {
        try await onOwnThread {
            let folder = TemporaryFolder()
            let server = try LocalServer(NginxSite(bodies: [1_000]), folder: folder.path)
            defer { server.stop() }
            let url = try server.url(.body(1_000))
            for keepsAlive in [true, false] {
                let client = try HTTPClient(url: url, bodyBytes: 1_000, keepsAlive: keepsAlive)
                for _ in 0..<3 { #expect(try client.get() == 1_000) }
            }
        }
    }

    @Test("it tells a wrong length, a wrong status and a server that is gone, each in a sentence of its own")
    func failures() async throws {
        try await onOwnThread {
            let folder = TemporaryFolder()
            let server = try LocalServer(NginxSite(bodies: [1_000]), folder: folder.path)
            defer { server.stop() }
            func reason(_ url: String, _ bytes: Int) -> String? {
                do {
                    _ = try HTTPClient(url: url, bodyBytes: bytes, keepsAlive: true).get()
                    return nil
                } catch { return "\(error)" }
            }
            let url = try server.url(.body(1_000))
            #expect(reason(url, 999) == "the body has another length than the file")
            #expect(reason(url + "-missing", 1_000) == "HTTP status 404 instead of 200")
            server.stop()
            #expect(reason(url, 1_000)?.hasPrefix("libcurl: ") == true)
        }
    }
}
