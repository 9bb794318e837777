import Analysis
import ChildProcesses
import LocalServer
import Results
import TestSupport
import Testing

/// Rates of an open loop.
extension LoadTests {
    @Test(
        "each rate of a sweep has a warm-up of its own, half a second of it, and all its requests are due within the duration"
    )
    func sweep() async throws {
        let output = folder.path + "/runs"
        try await withServer { server in
            let result = try Product.run(
                "load", try server.url(.body(1_024)), "--rate", "2,400,1000", "--duration", "0.5", "--trials", "1",
                "--idle", "0", "--stack", "curl-easy", "--no-report", "--quiet", "--output", output)
            #expect(result.status == .exited(0), "\(result.errors)")
        }
        let data = try RunData.load(RunFolder(output + "/latest"))
        // At most four for each of the 64 connections there may be.
        for (rate, tasks, warmup) in [("2", 1, 1), ("400", 200, 200), ("1000", 500, 256)] {
            let trial = try #require(data.trials.first { Double($0.benchmark["rate"] ?? "") == Double(rate) })
            #expect(trial.tasks == TaskCounts(submitted: tasks, ok: tasks) && trial.warmupTasks == warmup, "\(trial)")
        }
        let reader = try TaskCSV.Reader(data.folder.tasksFile)
        var due: [Int: [Instant]] = [:]
        while let row = try reader.next() { due[row.trial, default: []].append(row.record.due) }
        for moments in due.values {
            let (first, last) = (try #require(moments.min()), try #require(moments.max()))
            #expect(last - first < .milliseconds(500))
        }
    }
}
