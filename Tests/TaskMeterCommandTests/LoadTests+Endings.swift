import Analysis
import ChildProcesses
import FoundationEssentials
import Glibc
import LocalServer
import Results
import TestSupport
import Testing

/// Loads that do not end as they were meant to.
extension LoadTests {
    /// Waits until so many requests of the trial under way have ended.
    private static func waitForRequests(_ count: Int, in run: RunFolder) {
        eventually("\(count) requests have ended") {
            guard let log = try? RecordLogReader(run.logsFolder + "/0.log") else { return false }
            return (try? log.forEachRecord { _ throws(ResultsError) in }.ended).map { $0 >= count } ?? false
        }
    }

    @Test(
        "a server that dies midway fails requests by their class, and the run is whole",
        arguments: [
            ["--rate", "500", "--arrivals", "uniform"], ["--concurrency", "4", "--stack", "curl-easy"],
        ])
    func dyingServer(_ options: [String]) async throws {
        let output = folder.path + "/runs"
        try await withServer { server in
            let run = try ChildProcess(
                Product.taskmeter,
                [
                    "load", try server.url(.body(1_024)), "--duration", "1", "--trials", "1", "--idle", "0",
                    "--no-report", "--quiet", "--output", output,
                ] + options, output: .null, error: .null)
            Self.waitForRequests(50, in: RunFolder(output + "/latest"))
            server.child.signal(SIGKILL)
            #expect(run.waitUntilExit() == .exited(1))
        }
        let data = try RunData.load(RunFolder(output + "/latest"))
        let trial = try #require(data.trials.first)
        #expect(data.run.state == .complete && data.trials.count == 1 && trial.status == .completed)
        let reader = try TaskCSV.Reader(data.folder.tasksFile)
        var (good, bad, classes) = (0, 0, Set<String>())
        while let row = try reader.next() {
            switch row.record.status {
            case .ok: good += 1
            case .failed(let reason):
                bad += 1
                classes.insert(String(reason.prefix { $0 != ":" }))
            default: Issue.record("\(row.record)")
            }
        }
        #expect(good >= 50 && trial.tasks == TaskCounts(submitted: good + bad, ok: good, failed: bad))
        if options.contains("--rate") { #expect(good + bad == 500) }
        #expect(classes.contains("connect"), "\(classes)")
        #expect(classes.isSubset(of: ["connect", "protocol", "truncated body"]), "\(classes)")
        // What failed is told to whoever reads the run later, too.
        let report = try Product.run("report", data.folder.path, "--format", "markdown")
        #expect(report.status == .exited(0) && report.text.contains("connect: "), "\(report.errors)")
    }

    @Test("Ctrl-C midway ends the generator, and keeps what was measured")
    func interrupted() async throws {
        let output = folder.path + "/runs"
        let temporary = folder.path + "/temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        try await withServer { server in
            let run = try ChildProcess(
                Product.taskmeter,
                [
                    "load", try server.url(.body(1_024)), "--rate", "500", "--duration", "600", "--trials", "3",
                    "--idle", "0", "--no-report", "--output", output,
                ], environment: ["TMPDIR": temporary], output: .null, error: .null, leadsGroup: true)
            Self.waitForRequests(50, in: RunFolder(output + "/latest"))
            let generator = children(of: run.pid)
            #expect(generator.count == 1)
            // As a terminal does: to all of the group.
            kill(-run.pid, SIGINT)
            #expect(run.waitUntilExit() == .exited(130))
            for pid in generator { #expect(kill(pid, 0) != 0, "the generator has ended") }
        }
        let data = try RunData.load(RunFolder(output + "/latest"))
        #expect(data.run.state == .interrupted)
        let trial = try #require(data.trials.first)
        #expect(data.trials.count == 1 && trial.status == .interrupted)
        #expect(trial.tasks.ok >= 50 && trial.tasks.failed == 0)
        let reader = try TaskCSV.Reader(data.folder.tasksFile)
        var rows = 0
        while let row = try reader.next() { rows += row.record.status == .ok ? 1 : 0 }
        #expect(rows == trial.tasks.ok)
        // What the generator was told may hold what lets somebody in.
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }
}
