import FoundationEssentials
import Glibc
import Results
import Threading

/// What the server saw of one request. Its clock has milliseconds.
package struct AccessLogEntry: Hashable, Sendable {
    /// From the request's header `X-Task`; nil where that is missing or no number.
    package var task: TaskID?
    /// Method, target and version, as they arrived.
    package var request: String
    /// From the first byte that was read to the last that was handed to the kernel.
    package var duration: Nanoseconds
    /// When the entry was written, in milliseconds since 1970 (UTC).
    package var endUTC: Int64
    /// 499 when the client left before the answer, 444 when the server ended the connection by intent.
    package var status: Int
    /// Bytes of the request with its head; over HTTP/2 as they were compressed.
    package var received: Int
    /// Bytes of the answer with its head.
    package var sent: Int
    /// Bytes of the answer's body.
    package var bodySent: Int
    /// The connection's number.
    package var connection: Int
    /// Which request of its connection, from 1.
    package var requestOfConnection: Int
    /// The name that the client asked for in TLS (SNI).
    package var serverName: String?
    package var host: String?
    package var cookies: String?
    /// Such as `HTTP/1.1`.
    package var version: String
    /// Whether all of the answer was handed to the kernel.
    package var isComplete: Bool

    /// nginx's own words. Each line is written when its request ends, not when many have: so it can be read while the
    /// server runs, and none is lost when it is killed. Between fields there are tabs, for nginx escapes those within.
    static var format: String {
        """
        log_format entries '\(variables.map { "$\($0)" }.joined(separator: "\\t"))';
            access_log access.log entries;
        """
    }

    private static let variables = [
        "http_x_task", "request", "request_time", "msec", "status", "request_length", "bytes_sent", "body_bytes_sent",
        "connection", "connection_requests", "ssl_server_name", "http_host", "http_cookie", "server_protocol",
        "request_completion",
    ]

    /// A line without its end; nil when it is none.
    init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == Self.variables.count, let duration = Self.milliseconds(fields[2]),
            let end = Self.milliseconds(fields[3]), let status = Int(fields[4]), let received = Int(fields[5]),
            let sent = Int(fields[6]), let bodySent = Int(fields[7]), let connection = Int(fields[8]),
            let place = Int(fields[9])
        else { return nil }
        task = Int(fields[0]).map { TaskID($0) }
        request = Self.text(fields[1]) ?? ""
        self.duration = Nanoseconds(duration * 1_000_000)
        (endUTC, self.status, self.received, self.sent) = (end, status, received, sent)
        (self.bodySent, self.connection, requestOfConnection) = (bodySent, connection, place)
        (serverName, host, cookies) = (Self.text(fields[10]), Self.text(fields[11]), Self.text(fields[12]))
        version = Self.text(fields[13]) ?? ""
        isComplete = fields[14] == "OK"
    }

    /// Seconds with three decimals, as nginx writes times.
    private static func milliseconds(_ field: Substring) -> Int64? {
        let parts = field.split(separator: ".")
        guard parts.count == 2, parts[1].count == 3, let seconds = Int64(parts[0]), let rest = Int64(parts[1]) else {
            return nil
        }
        return seconds * 1_000 + rest
    }

    /// A field without nginx's escapes (`\xHH`); nil for a dash, which stands for nothing.
    private static func text(_ field: Substring) -> String? {
        guard field != "-" else { return nil }
        guard field.contains("\\") else { return String(field) }
        var bytes: [UInt8] = []
        var rest = Substring(field).utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
                let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension LocalServer {
    /// What was logged until now, in the order in which the requests ended. While the server runs, a client may have
    /// its answer before the entry is there.
    ///
    /// - Throws: `LocalServerError.notOffered` when the site does not log; `unreadableLog`; what reading a file throws.
    package func accessLog() throws -> [AccessLogEntry] {
        guard site.logsAccess else { throw LocalServerError.notOffered("an access log") }
        let text = String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/access.log")), as: UTF8.self)
        return try text.split(separator: "\n").enumerated().map { place, line in
            guard let entry = AccessLogEntry(line: line) else {
                throw LocalServerError.unreadableLog(line: place + 1)
            }
            return entry
        }
    }

    /// The entries of requests with a task's number, as soon as there are so many: a client has its answer before the
    /// entry is there, and a server that is stopped at once writes none. Those that there are when the limit is over.
    package func accessLog(
        ofTasks count: Int, within limit: Nanoseconds = .seconds(10)
    ) throws -> [AccessLogEntry] {
        let deadline = Deadline(after: limit)
        while true {
            let entries = try accessLog().filter { $0.task != nil }
            guard entries.count < count, deadline.left.count > 0 else { return entries }
            usleep(1_000)
        }
    }
}
