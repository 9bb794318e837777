import ChildProcesses
import FoundationEssentials
import Glibc
import Results
import TestSupport
import Testing

@Suite("Suites that misbehave")
struct MisbehaviourTests {
    @Test("a suite that aborts, hangs, exits, prints garbage or forges the protocol disturbs no other benchmark")
    func nobodyElseIsDisturbed() throws {
        let folder = TemporaryFolder()
        let output = try Product.run(
            "run", "--suite", Product.misbehaving, "--quick", "--trials", "1", "--time-limit", "2", "--skip",
            "/slow|/sampled|/observes|/arrives",
            "--output", folder.path, "--no-report")
        #expect(output.status == .exited(1), "\(output.errors)")

        let trials = try TrialCSV.read(folder.latest.trialsFile)
        func trial(_ name: String) throws -> Trial { try #require(trials.first { $0.benchmark.name == name }) }
        #expect(trials.count == 16)
        for trial in trials where trial.benchmark.name == "behaves" {
            #expect(trial.status == .completed)
            #expect(trial.tasks == TaskCounts(submitted: 10, ok: 10))
        }

        let aborts = try trial("aborts")
        #expect(aborts.status == .failed)
        #expect(aborts.reason.contains("signal 6"))
        #expect(aborts.reason.contains("about to abort"), "its last output is told: \(aborts.reason)")
        #expect(aborts.tasks.ok >= 49, "the tasks that ended before are kept: \(aborts.tasks)")

        let hangs = try trial("hangs")
        #expect(hangs.status == .failed)
        #expect(hangs.tasks == TaskCounts(submitted: 100, ok: 99, unfinished: 1))
        #expect(hangs.reason.contains("1 of 100 tasks had not ended"))

        #expect(try trial("hangs-early").reason.contains("ran past its limit of 2.0 s in its phase “prepare”"))
        #expect(try trial("exits").reason.contains("exit code 3"))
        #expect(try trial("garbage").status == .completed)
        #expect(try trial("forges").reason.contains("wrote “what?” into the protocol"))
        #expect(try trial("refuses").reason.contains("the door is shut"))
        let fails = try trial("fails")
        #expect(fails.status == .completed)
        #expect(fails.tasks == TaskCounts(submitted: 100, ok: 50, failed: 40, cancelled: 10))

        let endsTwice = try trial("ends-twice")
        #expect(endsTwice.tasks == TaskCounts(submitted: 100, ok: 100), "the first end stays")
        #expect(endsTwice.faults.endedTwice <= 25 && endsTwice.faults.total == endsTwice.faults.endedTwice)
        #expect(endsTwice.faults.endedTwice > 0)
        let summaries = try folder.latest.readRun().summaries
        let told = try #require(summaries.first { $0.benchmark.name == "ends-twice" }).warnings
        #expect(told.contains { $0.contains("× ended twice") }, "misuse is told in the results: \(told)")
        let neverEnds = try trial("never-ends")
        #expect(neverEnds.status == .failed)
        #expect(neverEnds.tasks == TaskCounts(submitted: 100, ok: 90, unfinished: 10))
        #expect(neverEnds.reason.contains("10 of 100 tasks had not ended"), "\(neverEnds.reason)")
        let inFlight = try trial("never-ends-in-flight")
        #expect(inFlight.tasks == TaskCounts(submitted: 4, unfinished: 4))
        #expect(inFlight.reason.contains("4 of 4 tasks had not ended"), "\(inFlight.reason)")

        #expect(try trial("no-strategy").reason.contains("the strategy refused could not be made: the door is shut"))
        let late = try trial("late")
        #expect(late.status == .failed, "what ends when nobody waits any more is not measured: \(late)")

        // Ten tasks of 20 ms of words each: their spent must not hold the words. (One may be kept waiting by the machine.)
        let wordy = try trial("wordy").number
        let reader = try TaskCSV.Reader(folder.latest.tasksFile)
        var spent: [Nanoseconds] = []
        while let row = try reader.next() {
            guard row.trial == wordy else { continue }
            #expect(row.record.status == .failed(reason: "said slowly"))
            spent.append(try #require(row.record.spent))
        }
        #expect(spent.count == 10)
        #expect(try #require(spent.min()) < .milliseconds(20))

        let log = try Data(contentsOf: URL(filePath: folder.latest.logFile))
        #expect(
            String(decoding: log, as: UTF8.self).contains("\"tasksMeant\":1"), "what a suite prints goes to the log")
        let run = try folder.latest.readRun()
        #expect(run.state == .complete)
    }

    @Test("a benchmark that failed in three trials in a row is not tried again, and the others go on")
    func givesUp() throws {
        let folder = TemporaryFolder()
        let output = try Product.run(
            "run", "--suite", Product.misbehaving, "--filter", "/refuses|/behaves", "--quick", "--trials", "5",
            "--output", folder.path, "--no-report")
        #expect(output.status == .exited(1))
        let trials = try TrialCSV.read(folder.latest.trialsFile)
        #expect(trials.count == 15, "every planned trial is told of")
        #expect(trials.count { $0.status == .completed } == 10)
        let refused = trials.filter { $0.benchmark.name == "refuses" }.sorted { $0.block < $1.block }.map(\.reason)
        #expect(refused.prefix(3).allSatisfy { $0.contains("the door is shut") })
        #expect(refused.suffix(2).allSatisfy { $0.hasPrefix("not run") })
        #expect(try folder.latest.readRun().state == .complete)
    }

    @Test("tasks of a suite that is killed are kept, its trial is failed, and the run goes on")
    func suiteKilled() throws {
        let folder = TemporaryFolder()
        let run = try Product.start(
            "run", "--suite", Product.misbehaving, "--filter", "/slow|/behaves", "--trials", "1", "--seed", "7",
            "--output", folder.path)
        let suite = suiteInMeasure(of: run, folder)
        kill(suite, SIGKILL)
        #expect(run.waitUntilExit() == .exited(1))
        let trials = try TrialCSV.read(folder.latest.trialsFile)
        let slow = try #require(trials.first { $0.benchmark.name == "slow" })
        #expect(slow.status == .failed)
        #expect(slow.reason.contains("signal 9"))
        #expect(slow.tasks.ended >= 2)
        #expect(slow.tasks.unfinished >= 1)
        #expect(slow.tasks.submitted == slow.tasks.ended + slow.tasks.unfinished)
        #expect(trials.count { $0.status == .completed } == 2)
    }

    @Test("a run whose taskmeter was killed can be reported, and the report says what is missing")
    func taskmeterKilled() throws {
        let folder = TemporaryFolder()
        let run = try Product.start(
            "run", "--suite", Product.misbehaving, "--filter", "/slow|/behaves", "--trials", "2", "--seed", "7",
            "--output", folder.path)
        let suite = suiteInMeasure(of: run, folder)
        run.signal(SIGKILL)
        #expect(run.waitUntilExit() == .signalled(SIGKILL))
        eventually("the suite dies with the taskmeter that started it") { kill(suite, 0) != 0 }

        let report = try Product.run("report", folder.latest.path)
        #expect(report.status == .exited(0), "\(report.errors)")
        let page = try String(contentsOfFile: folder.latest.reportFile, encoding: .utf8)
        #expect(page.contains("planned trials are missing"))
        #expect(page.contains("was under way"))
    }

    @Test("an interrupt ends the trial, keeps what was measured, makes the report and exits with 130")
    func interrupted() throws {
        let folder = TemporaryFolder()
        let run = try Product.start(
            "run", "--suite", Product.misbehaving, "--filter", "/slow|/behaves", "--trials", "2", "--seed", "7",
            "--output", folder.path)
        let suite = suiteInMeasure(of: run, folder)
        run.signal(SIGINT)
        #expect(run.waitUntilExit() == .exited(130))
        #expect(kill(suite, 0) != 0, "the suite has ended")
        #expect(try folder.latest.readRun().state == .interrupted)
        let trials = try TrialCSV.read(folder.latest.trialsFile)
        let last = try #require(trials.last)
        #expect(last.status == .interrupted)
        #expect(last.tasks.ended >= 2)
        #expect(FileManager.default.fileExists(atPath: folder.latest.reportFile))
    }

    /// Waits until the suite measures the benchmark “slow” and some of its tasks have ended; returns the suite's pid.
    private func suiteInMeasure(of run: ChildProcess, _ folder: TemporaryFolder) -> pid_t {
        eventually("some tasks of the slow benchmark have ended") {
            let logs = (try? FileManager.default.contentsOfDirectory(atPath: folder.latest.logsFolder)) ?? []
            guard let name = logs.first(where: { $0.hasSuffix(".log") }),
                let log = try? RecordLogReader(folder.latest.logsFolder + "/" + name), log.benchmark.name == "slow"
            else { return false }
            var ended = 0
            _ = try? log.forEachRecord { record throws(ResultsError) in ended += record.end == nil ? 0 : 1 }
            return ended >= 2
        }
        return children(of: run.pid).first ?? -1
    }

    @Test("a trial whose phases cannot be read is failed, keeps its tasks, and costs the run nothing else")
    func phasesAreLost() throws {
        let folder = TemporaryFolder()
        let run = try Product.start(
            "run", "--suite", Product.misbehaving, "--filter", "/slow", "--trials", "1", "--time-limit", "2",
            "--output", folder.path, "--no-report")
        let records = folder.latest.logsFolder + "/0.log"
        eventually("a task has ended") {
            var ended = 0
            if let log = try? RecordLogReader(records) {
                ended = (try? log.forEachRecord { _ throws(ResultsError) in }.ended) ?? 0
            }
            return ended > 0
        }
        #expect(truncate(records + RecordLogLayout.phasesSuffix, 0) == 0)
        #expect(run.waitUntilExit() == .exited(1))
        let trial = try #require(try TrialCSV.read(folder.latest.trialsFile).first)
        #expect(trial.status == .failed && trial.tasks.ok > 0)
        #expect(trial.reason.contains("the phases of its tasks cannot be read"), "\(trial.reason)")
        #expect(try folder.latest.readRun().state == .complete)
        #expect(fileSize(records) != nil, "what could not be read is left")
    }
}
