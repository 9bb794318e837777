import ChildProcesses
import Glibc

/// A socket that listens on a port of 127.0.0.1 which the kernel chose.
package struct Listener: Sendable {
    package let socket: CInt
    package let port: Int

    /// - Parameter backlog: how many connections the kernel makes before anybody accepts one; nil for a socket that
    ///   does not listen.
    package init(backlog: CInt? = 128) {
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var yes: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &yes, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        precondition(isBound, "no port of 127.0.0.1 can be bound")
        if let backlog { precondition(listen(socket, backlog) == 0) }
        port = Int(UInt16(bigEndian: address.sin_port))
    }
}

/// A server of a test's own making, which says what no decent one would.
package final class RawServer: Sendable {
    /// One connection to it.
    package struct Connection: Sendable {
        package let socket: CInt
        /// Which one it is, counted from 0.
        package let number: Int

        /// The next request's head, or all that came before the client closed.
        package func head() -> String {
            var text: [UInt8] = []
            var byte: UInt8 = 0
            while !text.ends(with: "\r\n\r\n"), recv(socket, &byte, 1, 0) == 1 { text.append(byte) }
            return String(decoding: text, as: UTF8.self)
        }

        /// So many bytes; fewer when the client closes.
        package func bytes(_ count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while bytes.count < count, recv(socket, &byte, 1, 0) == 1 { bytes.append(byte) }
            return bytes
        }

        /// Says it; returns whether the connection took it.
        @discardableResult
        package func say(_ text: String) -> Bool { say(Array(text.utf8)) }

        @discardableResult
        package func say(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        /// The connection ends with RST instead of FIN when the handler returns.
        package func breakOff() {
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }

        /// Returns when the client has closed its side.
        package func waitForEnd() {
            var byte: UInt8 = 0
            while recv(socket, &byte, 1, 0) > 0 {}
        }
    }

    private let listener = Listener()
    package var port: Int { listener.port }
    package var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameter serve: called with each connection on a thread of its own; the connection is closed when it returns.
    package init(_ serve: @escaping @Sendable (Connection) -> Void) {
        let socket = listener.socket
        startThread {
            var number = 0
            while true {
                let accepted = accept(socket, nil, nil)
                guard accepted >= 0 else { break }
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                let connection = Connection(socket: accepted, number: number)
                number += 1
                startThread {
                    serve(connection)
                    close(accepted)
                }
            }
            close(socket)
        }
    }

    deinit { shutdown(listener.socket, CInt(SHUT_RDWR)) }
}

extension [UInt8] {
    fileprivate func ends(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount
            && zip(
                suffix(text.utf8CodeUnitCount),
                UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            )
            .allSatisfy(==)
    }
}

/// A real nginx with a folder of its own, for one test.
package final class SmallNginx: Sendable {
    package let port: Int
    package var url: String { "http://127.0.0.1:\(port)" }
    private let folder = TemporaryFolder()
    private let reserved: CInt
    private let mayEnd = Gate()
    private let hasEnded = Gate()

    package static var isInstalled: Bool { ChildProcess.executable(named: "nginx") != nil }

    /// - Parameters:
    ///   - files: by their names; each is also there as `/chunked/NAME`, in pieces of no length that is told before.
    ///   - locations: further lines of the server's configuration.
    package init(files: [String: [UInt8]], _ locations: String = "") {
        let listener = Listener(backlog: nil)
        (port, reserved) = (listener.port, listener.socket)
        for (name, bytes) in files { folder.write(bytes, to: name) }
        folder.write(Array(Self.configuration(listener.port, locations).utf8), to: "nginx.conf")
        let started = Gate()
        // The kernel ends nginx with the thread that started it, and so with this process, however it ends.
        startThread { [path = folder.path, mayEnd, hasEnded] in
            let program = ChildProcess.executable(named: "nginx") ?? "nginx"
            let arguments = ["-p", path, "-c", "nginx.conf", "-e", "errors.log"]
            let child = try? ChildProcess(program, arguments, output: .null, error: .null)
            // It writes its file when it listens.
            while let child, access(path + "/nginx.pid", R_OK) != 0, child.waitUntilExit(milliseconds: 2) == nil {}
            started.open()
            mayEnd.pass()
            child?.signal(SIGKILL)
            _ = child?.waitUntilExit()
            hasEnded.open()
        }
        started.pass()
    }

    deinit {
        mayEnd.open()
        hasEnded.pass()
        close(reserved)
    }

    private static func configuration(_ port: Int, _ locations: String) -> String {
        """
        daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log stderr warn;
        events { worker_connections 256; }
        http {
            access_log off; default_type application/octet-stream; keepalive_timeout 60s; keepalive_requests 100000000;
            client_max_body_size 64m;
            client_body_temp_path a; proxy_temp_path b; fastcgi_temp_path c; uwsgi_temp_path d; scgi_temp_path e;
            server {
                listen 127.0.0.1:\(port) reuseport;
                root .;
                location /chunked/ { alias ./; ssi on; ssi_types *; }
                location = /once { return 302 /body; }
                location = /for-ever { return 302 /for-ever; }
                location = /upload { proxy_pass http://127.0.0.1:\(port)/sink; proxy_http_version 1.1; }
                location = /sink { return 200 $http_content_length; }
                location = /method { return 200 $request_method; }
                \(locations)
            }
        }

        """
    }
}
