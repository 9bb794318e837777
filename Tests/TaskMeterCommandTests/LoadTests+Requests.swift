import Analysis
import ChildProcesses
import FoundationEssentials
import LocalServer
import Results
import Statistics
import Synchronization
import TestSupport
import Testing

/// What the options of `taskmeter load` make of its requests, as servers see them.
extension LoadTests {
    private static let everyStack = "curl-multi,curl-easy,socket-epoll,socket,urlsession,urlsession-async"

    /// Loads as asked for, in one trial of each case, and reads the run.
    private static func load(_ folder: TemporaryFolder, _ arguments: [String], exits code: Int32 = 0) throws -> RunData
    {
        let output = folder.path + "/runs"
        let result = try ChildProcess.run(
            Product.taskmeter,
            ["load", "--trials", "1", "--idle", "0", "--no-report", "--quiet", "--output", output] + arguments,
            seconds: 120)
        #expect(result.status == .exited(code), "\(result.errors)")
        return try RunData.load(RunFolder(output + "/latest"))
    }

    /// Arrivals of four requests within 30 ms, which have a warm-up of one.
    private func fewArrivals() -> String { folder.write("0\n0.01\n0.02\n0.03\n", to: "few") }

    /// What the server saw of the requests that had this number in their head, as soon as there are so many.
    private static func seen(_ server: LocalServer, _ number: Int, count: Int) throws -> [AccessLogEntry] {
        let others = try server.accessLog().count { $0.task != nil && $0.task != TaskID(number) }
        return try server.accessLog(ofTasks: others + count).filter { $0.task == TaskID(number) }
    }

    private static func records(_ data: RunData) throws -> [(benchmark: BenchmarkID, record: TaskRecord)] {
        let reader = try TaskCSV.Reader(data.folder.tasksFile)
        var records: [(BenchmarkID, TaskRecord)] = []
        while let row = try reader.next() { records.append((row.benchmark, row.record)) }
        return records
    }

    @Test("the moments of a file are when requests are due, to the nanosecond, whatever sends them")
    func arrivalsOfAFile() async throws {
        // Microseconds: two at once, some close together, and a pause.
        let moments: [Int64] = [0, 1, 250, 250, 90_000, 91_000, 250_000]
        let lines = moments.map { moment in
            let digits = String(1_000_000 + moment % 1_000_000).dropFirst()
            return "\(100 + moment / 1_000_000).\(digits)\n"
        }
        let file = folder.write("# seconds\n" + lines.joined(), to: "arrivals")
        try await withServer { [folder] server in
            let data = try Self.load(
                folder, [try server.url(.body(1_024)), "--arrivals", file, "--stack", "curl-multi,curl-easy"])
            let records = try Self.records(data)
            for (_, trial) in Dictionary(grouping: records, by: \.benchmark) {
                let due = trial.map(\.record).sorted { $0.id < $1.id }.map(\.due.sinceOrigin)
                #expect(due.map { $0 - due[0] } == moments.map { $0 * 1_000 })
                #expect(trial.allSatisfy { $0.record.status == .ok && $0.record.lag >= .zero })
            }
            #expect(records.count == 2 * moments.count)
        }
    }

    @Test("the bytes of a file are the body of each request, whatever they are and whatever sends them")
    func bodyOfAFile() throws {
        let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 * 37) } + Array("\r\n\r\n".utf8) + [0, 0, 255]
        let seen = Mutex((right: 0, wrong: [String]()))
        let server = RawServer { connection in
            while case let head = connection.head(), !head.isEmpty {
                let isRight =
                    head.hasPrefix("POST /upload HTTP/1.1\r\n")
                    && head.lowercased().contains("\r\ncontent-length: \(bytes.count)\r\n")
                    && connection.bytes(bytes.count) == bytes
                seen.withLock { if isRight { $0.right += 1 } else { $0.wrong.append(head) } }
                connection.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let data = try Self.load(
            folder,
            [
                server.url + "/upload", "--body", "@" + folder.write(bytes, to: "a body"), "--stack", Self.everyStack,
                "--arrivals", fewArrivals(),
            ])
        #expect(data.trials.count == 6 && data.trials.allSatisfy { $0.tasks == TaskCounts(submitted: 4, ok: 4) })
        let (right, wrong) = seen.withLock { $0 }
        #expect(wrong.isEmpty, "\(wrong)")
        #expect(right == 6 * (4 + 1))
    }

    @Test("over TLS the authority is the one that was named, HTTP/2 is agreed on, and bodies come back whole")
    func encrypted() async throws {
        var site = NginxSite(bodies: [16])
        (site.isScripted, site.hasTLS, site.logsAccess) = (true, true, true)
        let body = folder.write((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 11) }, to: "body")
        let arrivals = fewArrivals()
        try await withServer(site) { [folder] server in
            let authority = try #require(server.authority)
            let echo = try server.url(.echo, on: .tls)
            let load = ["--body", "@" + body, "--arrivals", arrivals]
            for (number, options, version) in [(1, ["--http2"], "HTTP/2.0"), (2, [], "HTTP/1.1")] {
                let data = try Self.load(
                    folder, [echo, "--cacert", authority, "--header", "X-Task: \(number)"] + load + options)
                let records = try Self.records(data).map(\.record)
                #expect(records.count == 4 && records.allSatisfy { $0.status == .ok && $0.bytes == 100_000 })
                let entries = try Self.seen(server, number, count: 4 + 1)
                #expect(entries.count == 4 + 1 && entries.allSatisfy { $0.version == version }, "\(entries)")
            }
            // An authority that nobody named is not trusted, and no request comes so far as to be one.
            let data = try Self.load(folder, [echo, "--header", "X-Task: 3"] + load, exits: 1)
            for (_, record) in try Self.records(data) {
                guard case .failed(let reason) = record.status, reason.hasPrefix("TLS: ") else {
                    Issue.record("\(record)")
                    continue
                }
            }
            #expect(try Self.seen(server, 3, count: 0).isEmpty)
        }
    }

    @Test("a host that is told in advance is asked for by its name, in the head and in TLS")
    func resolved() async throws {
        var site = NginxSite(bodies: [16])
        (site.hasTLS, site.logsAccess) = (true, true)
        let arrivals = fewArrivals()
        try await withServer(site) { [folder] server in
            let authority = try #require(server.authority)
            let listeners: [(NginxSite.Listener, stacks: String)] = [
                (.tls, "curl-multi,curl-easy"), (.plain, "curl-multi,socket-epoll,socket"),
            ]
            for (number, (listener, stacks)) in listeners.enumerated() {
                let port = try server.port(listener)
                let data = try Self.load(
                    folder,
                    [
                        try server.url(.body(16), on: listener, host: "two.test"), "--resolve",
                        "two.test:\(port):127.0.0.1", "--stack", stacks, "--arrivals", arrivals, "--header",
                        "X-Task: \(number)",
                    ] + (listener == .tls ? ["--cacert", authority] : []))
                #expect(data.trials.allSatisfy { $0.tasks == TaskCounts(submitted: 4, ok: 4) })
                let entries = try Self.seen(server, number, count: 5 * data.trials.count)
                #expect(entries.count == 5 * data.trials.count)
                #expect(entries.allSatisfy { $0.host == "two.test:\(port)" }, "\(entries)")
                #expect(entries.allSatisfy { $0.serverName == (listener == .tls ? "two.test" : nil) }, "\(entries)")
            }
        }
    }

    @Test("every stack keeps to the concurrency and the connections that were asked for, and has all answers")
    func stacks() async throws {
        var site = NginxSite(bodies: [1_024])
        site.logsAccess = true
        try await withServer(site) { [folder] server in
            let data = try Self.load(
                folder,
                [
                    try server.url(.body(1_024)), "--stack", Self.everyStack, "--concurrency", "3", "--duration", "0.1",
                    "--header", "X-Task: 1",
                ])
            #expect(data.trials.count == 6)
            let records = try Self.records(data)
            for (benchmark, rows) in Dictionary(grouping: records, by: \.benchmark) {
                let tasks = rows.map(\.record)
                #expect(tasks.allSatisfy { $0.status == .ok && $0.bytes == 1_024 }, "\(benchmark)")
                let peak = peakOverlap(
                    begins: tasks.map(\.submitted.sinceOrigin), ends: tasks.compactMap { $0.end?.sinceOrigin })
                #expect(tasks.count > 3 && peak <= 3, "\(benchmark): \(tasks.count), \(peak) at once")
            }
            // Connections that were kept: each stack opened as few as it may have requests under way.
            let connections = Set(try Self.seen(server, 1, count: records.count).map(\.connection))
            #expect(connections.count <= 6 * 3, "\(connections.count)")
        }
    }
}
