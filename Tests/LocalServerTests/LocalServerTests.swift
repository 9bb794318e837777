import ChildProcesses
import Glibc
import LocalServer
import Results
import TestSupport
import Testing

@Suite("A local server's life", .serialized, .timeLimit(.minutes(5)))
struct LocalServerTests {
    @Test("a stopped server leaves no process and answers nobody; stopping it again is harmless")
    func stop() async throws {
        try await withServer(.whole) { server in
            let pid = server.child.pid
            #expect(kill(pid, 0) == 0)
            // All of it is one process: there are no children to be left behind.
            #expect(children(of: pid) == [])
            server.stop()
            #expect(kill(pid, 0) != 0 && errno == ESRCH)
            for listener in NginxSite.Listener.allCases {
                #expect(throws: PortError.self) { _ = try LoopbackConnection(port: server.port(listener)) }
            }
            server.stop()
            server.resume()
            #expect(throws: LocalServerError.gone) { try server.pause() }
        }
    }

    @Test("a server ends with the thread that started it")
    func parentDeath() async throws {
        let folder = TemporaryFolder()
        let server = try await onOwnThread { try LocalServer(NginxSite(bodies: [10]), folder: folder.path) }
        try await onOwnThread {
            #expect(server.child.waitForExit(milliseconds: 30_000))
            #expect(throws: LocalServerError.gone) { try server.pause() }
            server.resume()
            server.stop()
        }
    }

    @Test("a paused server answers nothing and takes connections; resumed, it answers all of them")
    func pause() async throws {
        try await withServer(NginxSite(bodies: [1_024])) { server in
            let port = try server.port(.plain)
            for _ in 0..<3 {
                try server.pause()
                try server.pause()
                let first = try LoopbackConnection(port: port, limit: .milliseconds(20))
                let second = try LoopbackConnection(port: port, limit: .milliseconds(20))
                #expect(first.get("/body/1024") && second.get("/body/1024"))
                for answer in [first.receive(), second.receive()] {
                    #expect(answer.end == .timedOut && answer.bytes.isEmpty)
                }
                server.resume()
                #expect(Array(all(first).suffix(1_024)) == LocalServer.body(bytes: 1_024))
                #expect(Array(all(second).suffix(1_024)) == LocalServer.body(bytes: 1_024))
            }
        }
    }

    /// All that comes, however often nothing has come for a while.
    private func all(_ connection: LoopbackConnection) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let (more, end) = connection.receive()
            bytes += more
            if end != .timedOut { return bytes }
        }
    }

    @Test("a paused server can be stopped")
    func stopPaused() async throws {
        try await withServer(NginxSite(bodies: [10])) { server in
            try server.pause()
            server.stop()
            #expect(kill(server.child.pid, 0) != 0 && errno == ESRCH)
        }
    }

    @Test("a server that somebody killed cannot be paused, and everything else is harmless")
    func killed() async throws {
        try await withServer(NginxSite(bodies: [10])) { server in
            try server.pause()
            server.child.signal(SIGKILL)
            #expect(server.child.waitForExit(milliseconds: 30_000))
            #expect(throws: LocalServerError.gone) { try server.pause() }
            server.resume()
            server.stop()
        }
    }

    @Test("many servers at once have ports of their own")
    func many() async throws {
        try await onOwnThread {
            let folders = (0..<8).map { _ in TemporaryFolder() }
            let servers = try folders.map { try LocalServer(NginxSite(bodies: [10]), folder: $0.path) }
            defer { for server in servers { server.stop() } }
            let ports = try servers.flatMap { server in
                try [NginxSite.Listener.plain, .http2, .largeHeads].map { try server.port($0) }
            }
            #expect(Set(ports).count == ports.count)
        }
    }

    @Test("what a site was not made for is refused in a sentence")
    func notOffered() async throws {
        try await withServer(NginxSite(bodies: [10])) { server in
            func sentence(_ body: () throws -> String) -> String? {
                do { return try body() } catch { return "\(error)" }
            }
            #expect(server.authority == nil)
            #expect(
                sentence { try server.url(.body(10), on: .tls) } == "the local server was started without TLS")
            #expect(
                sentence { try server.url(.redirect(2, to: .body(10))) }
                    == "the local server was started without scripts, by which it has /redirect/2/body/10")
        }
    }

    @Test(
        "modules are looked for where nginx says, then where they usually are, and their absence is told in a sentence")
    func modules() throws {
        let folder = TemporaryFolder()
        let build = "configure arguments: --with-http_v2_module --modules-path=\(folder.path)/own --with-compat\n"
        let usual = ["\(folder.path)/usual"]
        let error = #expect(throws: LocalServerError.self) {
            try NginxModules.forScripts(build: build, otherwise: usual)
        }
        #expect(error == .noScripts(folders: ["\(folder.path)/own"] + usual))
        #expect(error?.description.contains("apt-get install libnginx-mod-http-lua") == true)
        for place in ["usual", "own"] {
            let script = folder.write("", to: "\(place)/ngx_http_lua_module.so")
            #expect(try NginxModules.forScripts(build: build, otherwise: usual) == [script])
            let kit = folder.write("", to: "\(place)/ndk_http_module.so")
            #expect(try NginxModules.forScripts(build: build, otherwise: usual) == [kit, script])
        }
    }

    @Test("a configuration that nginx refuses is refused at the start, with nginx's reason")
    func refused() async throws {
        var site = NginxSite(bodies: [10])
        site.headBuffers.count = -1
        let wrong = site
        try await onOwnThread {
            let folder = TemporaryFolder()
            let error = #expect(throws: LocalServerError.self) { try LocalServer(wrong, folder: folder.path) }
            #expect(error?.description.hasPrefix("nginx ended at its start with exit code 1: ") == true)
            #expect(error?.description.contains("large_client_header_buffers") == true)
            #expect(throws: (any Error).self) { try LocalServer(NginxSite(bodies: []), folder: "/proc/none") }
        }
    }
}

/// The processes that one has started.
private func children(of pid: pid_t) -> [String] {
    guard let file = fopen("/proc/\(pid)/task/\(pid)/children", "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: " ").map(String.init)
}
