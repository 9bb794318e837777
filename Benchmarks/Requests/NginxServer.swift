import ChildProcesses
import FoundationEssentials
import Glibc
import TaskMeter

/// A real nginx with one file to serve, which lives as long as this process needs it, and never longer.
///
/// It runs as a single process (`master_process off`). A master exists to reload a configuration, replace workers that
/// crashed and give up root's rights; nothing here needs that, and the one process runs the same event loop as a worker
/// would. In return there is one pid to stop, the kernel's signal at this process's death reaches the very process that
/// holds the port, and as no user is changed, the same configuration works for root and for anybody else.
package final class NginxServer: Sendable {
    package let url: String
    package let child: ChildProcess
    /// Where its configuration, its file and its log are.
    private let folder: String
    private let stopped = Once()

    /// How long a start may take: it takes about 10 ms, and long where many wait for the processor.
    private static let startLimit = Nanoseconds.seconds(10)
    /// Connections at once, more than any load here holds open; each takes a descriptor on both sides.
    private static let connections = 4_096

    /// Starts a server on the calling thread, which must live as long as the server shall: see `ChildProcess`.
    ///
    /// - Parameter folder: an empty folder for the server alone; removing it is up to the caller.
    package init(bodyBytes: Int, folder: String) throws {
        guard let program = ChildProcess.executable(named: "nginx") else { throw NginxError.notInstalled }
        Self.allowDescriptors(2 * Self.connections)
        let port = try ReservedPort()
        self.folder = folder
        let body = Data((0..<bodyBytes).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try body.write(to: URL(filePath: folder + "/body"))
        try Data(Self.configuration(port: port.number).utf8).write(to: URL(filePath: folder + "/nginx.conf"))

        let log = open("\(folder)/errors.log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(log) }
        // In a process group of its own, so that a terminal's Ctrl-C reaches the suite alone and this server after it.
        child = try ChildProcess(
            program, ["-p", folder, "-c", "nginx.conf", "-e", "stderr"], output: .descriptor(log),
            error: .descriptor(log), leadsGroup: true, signalAtParentDeath: SIGKILL)
        url = "http://127.0.0.1:\(port.number)/body"
        do {
            try waitUntilReady(port.number)
            // One request now tells in one sentence what would else be the failure of every task.
            _ = try HTTPClient(url: url, bodyBytes: bodyBytes, keepsAlive: false).get()
        } catch {
            stop()
            throw error
        }
    }

    deinit { stop() }

    /// Ends the server. Returns when it has ended; harmless when it has already.
    package func stop() {
        guard stopped.isFirst() else { return }
        child.signal(SIGTERM)
        if child.waitUntilExit(milliseconds: 2_000) == nil {
            child.signal(SIGKILL)
            _ = child.waitUntilExit()
        }
    }

    /// Waits until the port answers, the server ends or the limit is over, whichever comes first.
    private func waitUntilReady(_ port: UInt16) throws(NginxError) {
        let clock = MonotonicClock()
        while !ReservedPort.answers(port) {
            // This wait ends at once when the server does.
            if let status = child.waitUntilExit(milliseconds: 1) {
                _ = stopped.isFirst()
                throw .ended(status: "\(status)", errors: errors())
            }
            guard clock.now().sinceOrigin < Self.startLimit.count else { throw .notReady(errors: errors()) }
        }
    }

    /// What nginx wrote about its own troubles.
    private func errors() -> String {
        guard let file = fopen("\(folder)/errors.log", "re") else { return "" }
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

    /// Every path lies in the server's own folder: an ordinary user may not write where nginx does by default.
    ///
    /// No `tcp_nopush`, though it is often set: with it, about one answer of 64 KiB in a hundred came 40 ms late on the
    /// loopback, held back until the other side's delayed acknowledgement (measured by `wrk`: p99 40 ms with, 2 without).
    private static func configuration(port: UInt16) -> String {
        """
        daemon off;
        master_process off;
        worker_processes 1;
        pid nginx.pid;
        error_log stderr warn;
        events { worker_connections \(connections); }
        http {
            access_log off;
            default_type application/octet-stream;
            sendfile on;
            keepalive_timeout 60s;
            keepalive_requests 1000000000;
            client_body_temp_path temporary-client;
            proxy_temp_path temporary-proxy;
            fastcgi_temp_path temporary-fastcgi;
            uwsgi_temp_path temporary-uwsgi;
            scgi_temp_path temporary-scgi;
            server {
                listen 127.0.0.1:\(port) reuseport backlog=4096;
                location = /body { root .; }
            }
        }

        """
    }
}

/// Why there is no server.
package enum NginxError: Error, CustomStringConvertible {
    case notInstalled
    case ended(status: String, errors: String)
    case notReady(errors: String)

    package var description: String {
        switch self {
        case .notInstalled:
            "nginx is not installed: `make setup` installs it (on Debian, `apt-get install nginx-light` does)"
        case .ended(let status, let errors): "nginx ended at its start with \(status): \(Self.told(errors))"
        case .notReady(let errors): "nginx accepted no connection within its time to start: \(Self.told(errors))"
        }
    }

    private static func told(_ errors: String) -> String {
        let lines = errors.split(whereSeparator: \.isNewline)
        return lines.isEmpty ? "it gave no reason" : lines.joined(separator: "; ")
    }
}
