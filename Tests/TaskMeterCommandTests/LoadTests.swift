import Analysis
import ChildProcesses
import FoundationEssentials
import Glibc
import LocalServer
import Results
import Synchronization
import TestSupport
import Testing

/// `taskmeter load` against a real nginx.
@Suite("Loads on a server", .serialized)
struct LoadTests {
    let folder = TemporaryFolder()

    /// Starts a server, and runs the body on the thread that holds it.
    func withServer(
        _ site: NginxSite = NginxSite(bodies: [1_024]), _ body: @escaping @Sendable (LocalServer) throws -> Void
    ) async throws {
        let path = folder.path + "/server"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try await onOwnThread {
            let server = try LocalServer(site, folder: path)
            defer { server.stop() }
            try body(server)
        }
    }

    /// The value and the percentile of each row of a percentile distribution, in milliseconds.
    private static func rows(_ folder: RunFolder, corrected: Bool) throws -> [(value: Double, percentile: Double)] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/histograms")
        let name = try #require(files.first { $0.hasSuffix(".corrected.hgrm") == corrected })
        let text = try String(contentsOfFile: folder.path + "/histograms/" + name, encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count >= 3, let value = Double(words[0]), let percentile = Double(words[1]) else { return nil }
            return (value, percentile)
        }
    }

    /// Loads a server that is stopped for half a second after 0.7 s of the trial or so.
    private func loadStalled(_ options: [String]) async throws -> RunFolder {
        let output = folder.path + "/runs"
        try await withServer { server in
            let url = try server.url(.body(1_024))
            let run = try ChildProcess(
                Product.taskmeter,
                ["load", url, "--duration", "3", "--trials", "1", "--no-report", "--quiet", "--output", output]
                    + options,
                output: .null, error: .null)
            let log = RunFolder(output + "/latest").logsFolder
            eventually("the trial records its requests") {
                (try? FileManager.default.contentsOfDirectory(atPath: log))?.isEmpty == false
            }
            // The stall is the experiment: it lasts for as long as it does.
            poll(nil, 0, 700)
            try server.pause()
            poll(nil, 0, 500)
            server.resume()
            #expect(run.waitUntilExit() == .exited(0))
        }
        return RunFolder(output + "/latest")
    }

    @Test("a server that stalls for half a second shows in the tail of an open loop as arithmetic says")
    func stallInAnOpenLoop() async throws {
        let latest = try await loadStalled(["--rate", "1000", "--arrivals", "uniform"])
        let reader = try TaskCSV.Reader(latest.tasksFile)
        var records: [TaskRecord] = []
        while let row = try reader.next() { records.append(row.record) }
        try #require(records.count == 3_000)
        // The stall as the requests saw it: nothing ended between the end before it and the first end after it.
        let ends = records.compactMap(\.end).sorted()
        let (before, after) = try #require(zip(ends, ends.dropFirst()).max { $0.1 - $0.0 < $1.1 - $1.0 })
        let stall = after - before
        #expect(stall > .milliseconds(450), "\(stall)")
        // One request a millisecond was due meanwhile, and waited for as long as was left of the stall: at least so long each.
        let late = records.filter { $0.due > before && $0.due < after }
        #expect(abs(late.count - Int(stall.count / 1_000_000)) <= 2, "\(late.count) due within \(stall)")
        for record in late.dropFirst(2) {
            #expect(try #require(record.response) >= after - record.due, "\(record)")
        }
        // Of 3,000, 30 lie above p99: those that were due in the first 30 ms of the stall.
        let responses = try records.map { try #require($0.response) }.sorted()
        let p99 = responses[2_969]
        let expected = stall - .milliseconds(30)
        #expect(p99 >= expected - .milliseconds(5) && p99 <= expected + .milliseconds(250), "\(p99) for \(expected)")
        // What the generator is to blame for is told apart.
        #expect(records.map(\.lag).max().map { $0 < .milliseconds(400) } == true)
    }

    @Test("the same stall hides from a closed loop, and the correction shows it beside")
    func stallInAClosedLoop() async throws {
        let latest = try await loadStalled(["--concurrency", "1"])
        func value(_ percentile: Double, corrected: Bool) throws -> Double {
            try #require(Self.rows(latest, corrected: corrected).first { $0.percentile >= percentile }).value
        }
        #expect(try value(0.99, corrected: false) < 50)
        #expect(try value(1, corrected: false) > 450)
        // A sixth of the time was the stall: its 99th percentile lies at 6 % of it.
        #expect(try value(0.99, corrected: true) > 300)
    }

    @Test("stacks and servers are compared in interleaved trials of one run")
    func comparison() async throws {
        let output = folder.path + "/runs"
        try await withServer(NginxSite(bodies: [16, 1_024])) { server in
            let result = try Product.run(
                "load", try server.url(.body(16)), try server.url(.body(1_024)), "--stack", "curl-multi,socket-epoll",
                "--rate", "200", "--duration", "0.2", "--trials", "2", "--phases", "--output", output)
            #expect(result.status == .exited(0), "\(result.errors)")
            let isAsked = result.text.contains("Which server answers better?") && result.text.contains("socket-epoll")
            #expect(isAsked, "\(result.text)")
            let tails = result.text.split(separator: "\n").count { $0.hasPrefix("response ") && $0.contains("p99.99") }
            #expect(tails == 2 && result.text.contains("rate=200, strategy=socket-epoll"), "\(result.text)")
        }
        let data = try RunData.load(RunFolder(output + "/latest"))
        #expect(data.run.benchmarks.count == 4 && data.trials.count == 8)
        for block in [0, 1] { #expect(data.trials.filter { $0.block == block }.count == 4) }
        #expect(data.trials.allSatisfy { $0.tasks == TaskCounts(submitted: 40, ok: 40) })
        var phases: Set<String> = []
        try PhaseCSV.forEachRow(data.folder.phasesFile) { phases.insert($0.mark.phase) }
        #expect(phases.isSuperset(of: ["ready", "first byte", "last byte"]), "\(phases)")
        // Each task tells how many bytes it received.
        let reader = try TaskCSV.Reader(data.folder.tasksFile)
        while let row = try reader.next() {
            #expect(row.record.bytes == (row.benchmark["server"] == "url-1" ? 16 : 1_024))
        }
    }

    @Test("answers with another status than expected fail, and can be expected")
    func statuses() async throws {
        let output = folder.path + "/runs"
        try await withServer { server in
            let url = try server.url(.body(1_024)) + "-not"
            func run(_ more: String...) throws -> ChildProcess.Output {
                try ChildProcess.run(
                    Product.taskmeter,
                    [
                        "load", url, "--rate", "100", "--duration", "0.1", "--trials", "1", "--no-report", "--output",
                        output,
                    ]
                        + more, seconds: 60)
            }
            let failing = try run()
            #expect(failing.status == .exited(1) && failing.text.contains("404"), "\(failing.text)")
            #expect(try run("--expect", "404").status == .exited(0))
        }
    }

    @Test("what a stack cannot do is told before anything is sent")
    func limits() async throws {
        try await withServer { server in
            let result = try Product.run(
                "load", try server.url(.body(1_024)), "--http2", "--stack", "curl-multi,socket")
            #expect(result.status == .exited(2))
            #expect(result.errors.contains("socket has no HTTP/2: "), "\(result.errors)")
        }
    }

    @Test("wrong usage is told in one sentence, nothing is sent, and nothing is left behind")
    func usage() throws {
        let heads = Mutex(0)
        let server = RawServer { connection in
            // Whether somebody is there is asked by a connection, on which nothing comes.
            if !connection.head().isEmpty { heads.withLock { $0 += 1 } }
        }
        let unreadable = folder.write("a secret", to: "unreadable")
        chmod(unreadable, 0)
        let output = folder.path + "/none"
        var cases: [(arguments: [String], says: String)] = [
            (["127.0.0.1:\(server.port)/"], "has no scheme http:// or https://"),
            (["http://no.such.host.invalid/"], "the host “no.such.host.invalid” of"),
            (["http://127.0.0.1:1/"], "nobody accepts connections at 127.0.0.1:1: Connection refused"),
            ([server.url, "http://127.0.0.1:1/"], "nobody accepts connections at 127.0.0.1:1: Connection refused"),
            ([server.url, "--rate", "0"], "--rate “0” must be"),
            ([server.url, "--rate", "10000001"], "at most 10,000,000"),
            ([server.url, "--header", "colonless"], "“colonless” is not of the form NAME:VALUE"),
            ([server.url, "--body", "@/no/such/file"], "cannot read /no/such/file: No such file or directory"),
        ]
        // Root may read all files.
        if getuid() != 0 {
            cases.append(([server.url, "--body", "@" + unreadable], "cannot read \(unreadable): Permission denied"))
        }
        for (arguments, says) in cases {
            let result = try ChildProcess.run(Product.taskmeter, ["load"] + arguments + ["--output", output])
            #expect(result.status == .exited(2) && result.text.isEmpty, "\(arguments)")
            #expect(result.errors.contains(says), "\(arguments): \(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }
        #expect(heads.withLock { $0 } == 0)
        #expect(access(output, F_OK) != 0)
    }
}
