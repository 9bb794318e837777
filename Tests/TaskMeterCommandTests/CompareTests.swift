import ChildProcesses
import Comparison
import Foundation
import Glibc
import Results
import TestSupport
import Testing

@Suite("Two builds of a suite are compared")
struct CompareTests {
    /// A suite's executable which is the same as another but for what its environment tells it.
    private func version(_ name: String, _ settings: [String] = [], in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/" + name
        let lines =
            ["#!/bin/sh"] + settings.map { "export COMPARED_\($0)=1" }
            + ["exec '\(Product.buildFolder)/Compared' \"$@\""]
        // Copied by another process: what this one has open to write, its other children may hold open, and then it cannot be executed.
        try lines.joined(separator: "\n").write(toFile: path + ".text", atomically: true, encoding: .utf8)
        _ = try ChildProcess.run("/bin/cp", [path + ".text", path])
        chmod(path, 0o755)
        return path
    }

    private func record(_ folder: TemporaryFolder) throws -> ComparisonRecord {
        let path = ComparisonFolder.recordFile(folder.path + "/runs/latest-comparison")
        return try JSONDecoder().decode(ComparisonRecord.self, from: Data(contentsOf: URL(filePath: path)))
    }

    private func compare(_ base: String, _ head: String, _ folder: TemporaryFolder, _ options: String...) throws
        -> ChildProcess.Output
    {
        try ChildProcess.run(
            Product.taskmeter, ["compare", base, head, "--output", folder.path + "/runs", "--quiet"] + options,
            seconds: 120)
    }

    private func verdicts(_ record: ComparisonRecord) -> [String: Verdict] {
        Dictionary(uniqueKeysWithValues: record.judgements.map { ($0.benchmark.name, $0.verdict) })
    }

    @Test("what takes twice as long has regressed, what does not has not, and all pairs are on disk")
    func slower() throws {
        let folder = TemporaryFolder()
        let base = try version("old", in: folder)
        let head = try version("new", ["SLOW"], in: folder)
        let output = try compare(base, head, folder, "--filter", "spin|steady", "--pairs", "24")
        #expect(output.status == .exited(1), "\(output.errors)")
        let record = try record(folder)
        #expect(verdicts(record)["spin"] == .regressed && verdicts(record)["steady"] != .regressed)
        let spin = try #require(record.judgements.first { $0.benchmark.name == "spin" })
        let ratio = try #require(spin.ratio)
        #expect(ratio > 1.6 && ratio < 2.5, "\(ratio)")
        #expect(output.text.hasPrefix("1 regressed"), "\(output.text)")
        let line = try #require(output.text.split(separator: "\n").first { $0.hasPrefix("regressed") })
        #expect(line.contains("Compared/spin"))

        let pairs = try String(contentsOfFile: folder.path + "/runs/latest-comparison/pairs.csv", encoding: .utf8)
        #expect(pairs.split(separator: "\n").count == 1 + record.pairs)
        for side in [record.base, record.head] {
            let runFolder = RunFolder(folder.path + "/runs/latest-comparison/" + side.folder)
            let run = try runFolder.readRun()
            let trials = try TrialCSV.read(runFolder.trialsFile)
            #expect(run.state == .complete && trials.count == record.pairs && run.plannedTrials == record.pairs)
        }
        // Both orders occur, and are told.
        #expect(pairs.contains(",base,") && pairs.contains(",head,"))
    }

    @Test("what is faster has improved, and that is no failure")
    func faster() throws {
        let folder = TemporaryFolder()
        let base = try version("old", ["SLOW"], in: folder)
        let head = try version("new", in: folder)
        let output = try compare(base, head, folder, "--filter", "spin", "--pairs", "24", "--format", "markdown")
        #expect(output.status == .exited(0), "\(output.errors)")
        #expect(output.text.hasPrefix("**1 improved: "))
        #expect(output.text.contains("| improved | Compared/spin | time |"))
    }

    @Test("too few pairs decide nothing, which is an error only when it must not be")
    func undecided() throws {
        let folder = TemporaryFolder()
        let same = try version("same", in: folder)
        let output = try compare(same, same, folder, "--filter", "steady", "--pairs", "3")
        #expect(output.status == .exited(0) && output.text.hasPrefix("1 undecided"))
        #expect(output.text.contains("more pairs may decide it"))
        let strict = try compare(same, same, folder, "--filter", "steady", "--pairs", "3", "--strict")
        #expect(strict.status == .exited(4))
    }

    @Test("a side whose trials fail has failed, with its reason, and the rest goes on")
    func failing() throws {
        let folder = TemporaryFolder()
        let base = try version("old", in: folder)
        let head = try version("new", ["SICK"], in: folder)
        let output = try compare(
            base, head, folder, "--filter", "spin|steady", "--pairs", "4", "--format", "json")
        #expect(output.status == .exited(1))
        let record = try JSONDecoder().decode(ComparisonRecord.self, from: Data(output.text.utf8))
        let steady = try #require(record.judgements.first { $0.benchmark.name == "steady" })
        #expect(
            steady.verdict == .failed && steady.reason.hasPrefix("trial 1 of the head failed: it ended by"))
        #expect(steady.pairs == 0 && steady.gaps == 1)
        #expect(record.judgements.first { $0.benchmark.name == "spin" }?.pairs == 4)
    }

    @Test("a head whose tasks fail at once is not faster: it has failed")
    func failingTasks() throws {
        let folder = TemporaryFolder()
        let base = try version("old", in: folder)
        let head = try version("new", ["POOR"], in: folder)
        let output = try compare(base, head, folder, "--filter", "tasks", "--pairs", "5", "--metric", "spent_p50")
        #expect(output.status == .exited(1), "\(output.errors)")
        let judgement = try #require(try record(folder).judgements.first)
        #expect(judgement.verdict == .failed && judgement.pairs == 0 && judgement.gaps == 1)
        #expect(judgement.reason == "trial 1 of the head failed: 25 of 50 tasks failed or were cancelled")
    }

    @Test("benchmarks of one side alone are new or removed, and those declared differently are not compared")
    func apart() throws {
        let folder = TemporaryFolder()
        let base = try version("old", in: folder)
        let head = try version("new", ["EXTRA", "MORE"], in: folder)
        let output = try compare(base, head, folder, "--filter", "extra|tasks|steady", "--pairs", "1")
        #expect(output.status == .exited(0), "\(output.errors)")
        let record = try record(folder)
        #expect(verdicts(record) == ["extra": .new, "tasks": .notComparable, "steady": .undecided])
        let tasks = try #require(record.judgements.first { $0.benchmark.name == "tasks" })
        #expect(tasks.reason == "the two sides declare it differently: the number of tasks")
        // Though nothing of the head is left by the filter.
        let turned = try compare(head, base, folder, "--filter", "extra")
        #expect(turned.status == .exited(5) && turned.text.hasPrefix("1 removed"), "\(turned.errors)")
    }

    @Test("where nothing is on both sides, nothing was compared, and the exit code says so")
    func nothing() throws {
        let folder = TemporaryFolder()
        let base = try version("old", in: folder)
        let head = try version("new", ["MORE"], in: folder)
        let output = try compare(base, head, folder, "--filter", "tasks")
        #expect(output.status == .exited(5) && output.text.hasPrefix("1 not comparable"))
    }

    @Test("tasks are judged by throughput, and by whatever metric is named")
    func metrics() throws {
        let folder = TemporaryFolder()
        let same = try version("same", in: folder)
        _ = try compare(same, same, folder, "--filter", "tasks", "--pairs", "2")
        #expect(try record(folder).judgements.map(\.metric.name) == ["throughput"])
        _ = try compare(
            same, same, folder, "--filter", "tasks", "--pairs", "2", "--metric", "spent_p50", "--metric", "cpu_time")
        let judgements = try record(folder).judgements
        #expect(try record(folder).pairs == 2, "a pair counts once, by however many metrics it is judged")
        #expect(judgements.map(\.metric.name) == ["spent_p50", "cpu_time"])
        #expect(judgements.allSatisfy { $0.pairs == 2 && $0.base! > 0 })
        let wrong = try compare(same, same, folder, "--filter", "tasks", "--metric", "cpu_tim")
        #expect(wrong.status == .exited(2) && wrong.errors.contains("near names: cpu_time"))
    }

    @Test("Ctrl-C keeps what was measured")
    func interrupted() throws {
        let folder = TemporaryFolder()
        let same = try version("same", in: folder)
        let child = try Product.start("compare", same, same, "--output", folder.path + "/runs", "--time", "60")
        let pairs = folder.path + "/runs/latest-comparison/pairs.csv"
        eventually("a pair was written") {
            ((try? String(contentsOfFile: pairs, encoding: .utf8)) ?? "").split(separator: "\n").count > 2
        }
        child.signal(SIGINT)
        #expect(child.waitUntilExit() == .exited(130))
        let record = try record(folder)
        #expect(record.state == .interrupted && record.stopReason == "it was interrupted" && record.pairs > 0)
        #expect(try RunFolder(folder.path + "/runs/latest-comparison/base").readRun().state == .interrupted)
    }

    @Test("bad input gets one sentence and exit code 2, and nothing is written")
    func badInput() throws {
        let folder = TemporaryFolder()
        let same = try version("same", in: folder)
        for (arguments, words) in [
            ([same], "two sides are needed"), ([same, folder.path + "/none"], "does not exist"),
            ([same, same, "--tolerance", "0"], "--tolerance is “0”"),
            ([same, same, "--false-alarms", "none"], "--false-alarms is “none”"),
            ([same, same, "--pairs", "0"], "--pairs"), ([same, same, "--format", "xml"], "--format “xml”"),
            ([same, same, "--filter", "nowhere"], "nothing is selected"),
            ([folder.path, same], "holds none of the suites"),
        ] {
            let output = try ChildProcess.run(
                Product.taskmeter, ["compare"] + arguments + ["--output", folder.path + "/runs"], seconds: 60)
            #expect(output.status == .exited(2) && output.errors.contains(words), "\(arguments): \(output.errors)")
            #expect(output.text.isEmpty && access(folder.path + "/runs", F_OK) != 0)
        }
    }
}
