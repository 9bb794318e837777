import ChildProcesses
import FoundationEssentials
import Glibc
import Results
import Synchronization
import Threading

/// A real nginx that serves a site on ports of 127.0.0.1, lives as long as this process needs it, and never longer.
///
/// It runs as a single process (`master_process off`). A master exists to reload a configuration, replace workers that
/// crashed and give up root's rights; nothing here needs that, and the one process runs the same event loop as a worker
/// would. In return there is one pid to stop, the kernel's signal at this process's death reaches the very process that
/// holds the ports, and as no user is changed, the same configuration works for root and for anybody else.
///
/// Thread-safe.
package final class LocalServer: Sendable {
    package let site: NginxSite
    /// Its process.
    package let child: ChildProcess
    /// The certificate (PEM) of the authority that clients are to trust; nil without TLS.
    package let authority: String?
    /// Where its configuration, its files and its logs are.
    let folder: String
    private let ports: [NginxSite.Listener: ReservedPort]
    /// Whether its end has been waited for: after that its pid may be another's. The lock is held while somebody waits.
    private let hasEnded = Mutex(false)

    /// How long a start may take: it takes some 10 ms, and long where many wait for the processor.
    private static let startLimit = Nanoseconds.seconds(10)

    /// Starts a server on the calling thread, which must live as long as the server shall: see `ChildProcess`.
    ///
    /// - Parameter folder: an empty folder for the server alone; removing it is up to the caller.
    /// - Throws: `LocalServerError` with a sentence for the person, or what the system refuses.
    package init(_ site: NginxSite, folder: String) throws {
        guard let program = ChildProcess.executable(named: "nginx") else { throw LocalServerError.notInstalled }
        (self.site, self.folder) = (site, folder)
        Self.allowDescriptors(2 * NginxSite.connections)
        let listeners = NginxSite.Listener.allCases.filter { $0 != .tls || site.hasTLS }
        ports = Dictionary(uniqueKeysWithValues: try listeners.map { ($0, try ReservedPort()) })
        authority = site.hasTLS ? try TestAuthority(folder: folder, names: site.serverNames).certificate : nil
        let modules = site.isScripted ? try NginxModules.forScripts(build: NginxModules.build(of: program)) : []
        try Self.write(site, in: folder, ports: ports.mapValues(\.number), modules: modules)

        let log = open("\(folder)/errors.log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(log) }
        // In a process group of its own, so that a terminal's Ctrl-C reaches the suite alone and this server after it.
        child = try ChildProcess(
            program, ["-p", folder, "-c", "nginx.conf", "-e", "stderr"], output: .descriptor(log),
            error: .descriptor(log), leadsGroup: true, signalAtParentDeath: SIGKILL)
        do {
            try waitUntilReady()
            // A request now tells in one sentence what would else be the failure of every task.
            if let smallest = site.bodies.min() { try check(.body(smallest)) }
            if site.isScripted { try check(.status(200)) }
        } catch {
            stop()
            throw error
        }
    }

    deinit { stop() }

    /// The port of a listener.
    ///
    /// - Throws: `LocalServerError.notOffered` when the site has no such listener.
    package func port(_ listener: NginxSite.Listener) throws(LocalServerError) -> UInt16 {
        guard let port = ports[listener] else { throw .notOffered(listener.rawValue) }
        return port.number
    }

    /// Where a client finds a location.
    ///
    /// - Parameter host: a name that the client is told to look for at 127.0.0.1, for certificates and cookies.
    /// - Throws: `LocalServerError.notOffered` when the site has not what is asked for.
    package func url(
        _ location: NginxSite.Location, on listener: NginxSite.Listener = .plain, host: String = "127.0.0.1"
    ) throws(LocalServerError) -> String {
        guard site.isScripted || !location.isScripted else {
            throw .notOffered("scripts, by which it has \(location.path)")
        }
        return "\(listener.scheme)://\(host):\(try port(listener))\(location.path)"
    }

    /// What a static body of a size holds: byte i is i · 7 mod 256.
    package static func body(bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    /// Stops the server in its tracks (SIGSTOP). Connections stay open, and the kernel goes on to accept new ones and
    /// what is sent, as far as its buffers go; nothing is answered until `resume`. Returns when the process stands
    /// still.
    ///
    /// - Throws: `LocalServerError.gone` when its process has ended.
    package func pause() throws {
        try hasEnded.withLock { hasEnded in
            guard !hasEnded else { throw LocalServerError.gone }
            child.signal(SIGSTOP)
            // The signal is for the process to take, when it next runs: this wait ends at once when it has ended.
            while !isStopped() {
                if child.waitForExit(milliseconds: 1) { throw LocalServerError.gone }
            }
        }
    }

    /// Lets a paused server go on; harmless when it is not paused, or has ended.
    package func resume() {
        hasEnded.withLock { hasEnded in
            if !hasEnded { child.signal(SIGCONT) }
        }
    }

    /// Ends the server, paused or not. Returns when it has ended; harmless when it has already.
    package func stop() {
        hasEnded.withLock { hasEnded in
            guard !hasEnded else { return }
            child.signal(SIGTERM)
            child.signal(SIGCONT)
            if child.waitUntilExit(milliseconds: 2_000) == nil {
                child.signal(SIGKILL)
                _ = child.waitUntilExit()
            }
            hasEnded = true
        }
    }

    /// Whether its process is stopped by a signal.
    private func isStopped() -> Bool {
        var information = siginfo_t()
        // Without taking the news away (WNOWAIT): who asks again gets the same answer.
        let refusal = waitid(P_PID, id_t(child.pid), &information, WSTOPPED | WNOHANG | WNOWAIT)
        return refusal == 0 && information.si_signo == SIGCHLD
    }

    private static func write(
        _ site: NginxSite, in folder: String, ports: [NginxSite.Listener: UInt16], modules: [String]
    ) throws {
        func write(_ bytes: some Sequence<UInt8>, _ name: String) throws {
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        try FileManager.default.createDirectory(atPath: "\(folder)/body", withIntermediateDirectories: true)
        for bytes in Set(site.bodies) { try write(body(bytes: bytes), "body/\(bytes)") }
        try write(site.configuration(ports: ports, modules: modules).utf8, "nginx.conf")
        try write(site.locations.utf8, "locations.conf")
        if site.isScripted { try write(NginxSite.answers.utf8, "answers.lua") }
    }

    /// Waits until it accepts connections, ends, or the limit is over, whichever comes first. It listens on all ports
    /// before it accepts on any.
    private func waitUntilReady() throws {
        let deadline = Deadline(after: Self.startLimit)
        while (try? LoopbackConnection(port: port(.plain))) == nil {
            // This wait ends at once when the server does.
            if let status = child.waitUntilExit(milliseconds: 1) {
                hasEnded.withLock { $0 = true }
                throw LocalServerError.ended(status: "\(status)", errors: errors())
            }
            guard deadline.left.count > 0 else { throw LocalServerError.notReady(errors: errors()) }
        }
    }

    private func check(_ location: NginxSite.Location) throws {
        let connection = try LoopbackConnection(port: port(.plain), limit: Self.startLimit)
        _ = connection.get(location.path)
        let answer = String(decoding: connection.receive().bytes.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard answer == "HTTP/1.1 200 OK" else {
            throw LocalServerError.wrongAnswer(path: location.path, answer: answer, errors: errors())
        }
    }

    /// What nginx wrote about its own troubles.
    private func errors() -> String { Self.text(of: "\(folder)/errors.log") }

    /// The first lines of a log; nothing when it cannot be read.
    static func text(of log: String) -> String {
        guard let file = fopen(log, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Raises this process's limit on open files, which its children inherit, as far as it may.
    private static func allowDescriptors(_ count: Int) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        setrlimit(resource, &limit)
    }
}
