import LocalServer
import TestSupport
import Testing

@Suite("Certificates of a local server", .serialized, .timeLimit(.minutes(5)))
struct TLSTests {
    private static func ask(_ host: String, _ server: LocalServer, _ arguments: String...) throws -> Curl {
        let port = try server.port(.tls)
        return try Curl(
            server.url(.body(1_024), on: .tls, host: host),
            ["--resolve", "\(host):\(port):127.0.0.1", "--cacert", server.authority ?? ""] + arguments)
    }

    @Test("each name has a certificate of its own, and so has the address")
    func names() async throws {
        try await withServer(.whole) { server in
            for host in ["one.test", "two.test", "127.0.0.1", "localhost"] {
                let answer = try Self.ask(host, server)
                #expect(answer.exit == 0 && answer.body == LocalServer.body(bytes: 1_024))
            }
        }
    }

    @Test("a name without a certificate is refused by the client, and so is an authority that it does not know")
    func refused() async throws {
        try await withServer(.whole) { server in
            let otherName = try Self.ask("three.test", server)
            let otherAuthority = try server.ask(.body(1_024), on: .tls)
            // 60: “Peer certificate cannot be authenticated”.
            #expect(otherName.exit == 60 && otherAuthority.exit == 60)
        }
    }

    @Test("a server without a certificate for its address shows that of its first name")
    func noAddress() async throws {
        var site = NginxSite.whole
        site.hasAddressCertificate = false
        try await withServer(site) { server in
            #expect(try Self.ask("one.test", server).exit == 0)
            // A header comes after the certificate, and changes nothing.
            for other in [[], ["-H", "Host: one.test"]] {
                let url = try server.url(.body(1_024), on: .tls)
                #expect(try Curl(url, ["--cacert", server.authority ?? ""] + other).exit == 60)
            }
        }
    }

    @Test("both versions of HTTP can be agreed on")
    func versions() async throws {
        try await withServer(.whole) { server in
            for (option, version) in [("--http2", "2"), ("--http1.1", "1.1"), ("--no-alpn", "1.1")] {
                let answer = try Self.ask("one.test", server, option)
                #expect(answer.version == version)
            }
        }
    }

    @Test("the authority's key is gone once it has signed")
    func authority() async throws {
        try await onOwnThread {
            let folder = TemporaryFolder()
            let server = try LocalServer(.whole, folder: folder.path)
            defer { server.stop() }
            #expect(server.authority == "\(folder.path)/authority.pem")
            #expect(folder.names.contains("authority.pem") && !folder.names.contains("authority.key"))
        }
    }

    @Test("a site may have names of its own")
    func ownNames() async throws {
        var site = NginxSite(bodies: [1_024])
        site.hasTLS = true
        site.serverNames = ["a.example"]
        try await withServer(site) { server in
            let own = try Self.ask("a.example", server)
            let other = try Self.ask("one.test", server)
            #expect(own.exit == 0 && other.exit == 60)
        }
    }
}
