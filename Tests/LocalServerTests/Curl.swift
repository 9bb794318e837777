import ChildProcesses
import Glibc
import LocalServer
import TestSupport
import Testing

/// What the command `curl` says of a request, on the calling thread.
struct Curl {
    /// 0 when the transfer went well; see its manual, “EXIT CODES”.
    var exit: Int32
    /// Of the last answer; 0 when none came.
    var status: Int
    /// Such as `1.1` and `2`.
    var version: String
    var redirects: Int
    /// Seconds since the begin.
    var firstByte: Double
    var end: Double
    var body: [UInt8]

    static let program = ChildProcess.executable(named: "curl")

    init(_ url: String, _ arguments: String...) throws { try self.init(url, arguments) }

    init(_ url: String, _ arguments: [String]) throws {
        let folder = TemporaryFolder()
        let asked = ["http_code", "http_version", "num_redirects", "time_starttransfer", "time_total"]
        let program = try #require(Self.program, "the command curl is not installed: `make setup` installs it")
        let output = try ChildProcess.run(
            program,
            [
                "-q", "--silent", "--noproxy", "*", "--max-time", "60", "--output", "\(folder.path)/body",
                "--write-out",
                asked.map { "%{\($0)}" }.joined(separator: " ") + "\\n",
            ] + arguments + [url])
        guard case .exited(let code) = output.status else { throw Killed(status: "\(output.status)") }
        exit = code
        // One line for each URL, if there are several.
        let told = (output.text.split(separator: "\n").last ?? "").split(separator: " ").map(String.init)
        try #require(told.count == asked.count, "\(output.text) \(output.errors)")
        status = Int(told[0]) ?? -1
        version = told[1]
        redirects = Int(told[2]) ?? -1
        firstByte = Double(told[3]) ?? -1
        end = Double(told[4]) ?? -1
        body = folder.bytes(of: "body")
    }

    struct Killed: Error {
        var status: String
    }

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A way to the server: a listener, and what curl must be told to use it.
struct Way: CustomTestStringConvertible, Sendable {
    var listener: NginxSite.Listener
    var isHTTP2: Bool

    static let all = [
        Way(listener: .plain, isHTTP2: false), Way(listener: .http2, isHTTP2: true),
        Way(listener: .largeHeads, isHTTP2: false), Way(listener: .tls, isHTTP2: false),
        Way(listener: .tls, isHTTP2: true),
    ]

    var testDescription: String { listener == .tls ? "TLS, HTTP/\(isHTTP2 ? "2" : "1.1")" : listener.rawValue }

    func options(_ server: LocalServer) -> [String] {
        switch listener {
        case .plain, .largeHeads: ["--http1.1"]
        case .http2: ["--http2-prior-knowledge"]
        case .tls: [isHTTP2 ? "--http2" : "--http1.1", "--cacert", server.authority ?? ""]
        }
    }

    /// Asks for a location.
    func get(_ location: NginxSite.Location, from server: LocalServer, _ arguments: String...) throws -> Curl {
        try Curl(server.url(location, on: listener), options(server) + arguments)
    }
}

extension LocalServer {
    /// Asks for a location without more ado.
    func ask(_ location: NginxSite.Location, on listener: NginxSite.Listener = .plain, _ arguments: String...) throws
        -> Curl
    {
        try Curl(url(location, on: listener), arguments)
    }
}

/// Runs a body on a thread of its own with a server of its own, which ends before this returns.
func withServer(
    _ site: NginxSite, _ body: @escaping @Sendable (LocalServer) throws -> Void
) async throws {
    try await onOwnThread {
        let folder = TemporaryFolder()
        let server = try LocalServer(site, folder: folder.path)
        defer { server.stop() }
        try body(server)
    }
}

extension NginxSite {
    /// All that there is.
    static var whole: NginxSite {
        var site = NginxSite(bodies: [0, 1_024, 65_536])
        site.isScripted = true
        site.hasTLS = true
        return site
    }
}
