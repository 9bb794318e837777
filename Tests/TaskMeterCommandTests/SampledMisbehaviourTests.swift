import Analysis
import ChildProcesses
import FoundationEssentials
import Glibc
import Results
import TestSupport
import Testing

@Suite("Sampled benchmarks that misbehave")
struct SampledMisbehaviourTests {
    @Test("one that throws, aborts, hangs or misuses its window disturbs no other, and keeps its samples")
    func nobodyElseIsDisturbed() throws {
        let folder = TemporaryFolder()
        let output = try Product.run(
            "run", "--suite", Product.misbehaving, "--trials", "1", "--time-limit", "2", "--filter", "/sampled",
            "--skip", "/sampled-slow", "--output", folder.path)
        #expect(output.status == .exited(1), "\(output.errors)")

        let trials = try TrialCSV.read(folder.latest.trialsFile)
        let rows = Dictionary(grouping: try SampleCSV.read(folder.latest.samplesFile), by: \.trial)
        func trial(_ name: String) throws -> Trial {
            try #require(trials.first { $0.benchmark.name == "sampled-" + name })
        }
        func samples(_ trial: Trial) -> [Sample] {
            (rows[trial.number] ?? []).map(\.sample).filter { $0.metric == Metric.iterationTime.name }
        }
        #expect(trials.count == 8)

        let behaves = try trial("behaves")
        #expect(behaves.status == .completed, "\(behaves.reason)")
        #expect(samples(behaves).count == 50)
        #expect(behaves.tasks == TaskCounts())
        #expect(behaves.measureBegin != nil)

        let throwing = try trial("throws")
        #expect(throwing.status == .failed)
        #expect(throwing.reason.contains("an iteration failed: the door is shut"), "\(throwing.reason)")

        let aborts = try trial("aborts")
        #expect(aborts.status == .failed)
        #expect(aborts.reason.contains("signal 6"))
        #expect(aborts.reason.contains("about to abort"), "its last output is told: \(aborts.reason)")

        let hangs = try trial("hangs")
        #expect(hangs.status == .failed)
        #expect(hangs.reason.contains("did not end within the time limit"), "\(hangs.reason)")
        for trial in [throwing, aborts, hangs] {
            #expect(samples(trial).count > 100, "what was measured before is kept: \(trial.benchmark)")
        }
        #expect(try trial("hangs-async").reason.contains("did not end within the time limit"))
        #expect(try trial("starts-twice").reason.contains("started twice (startedTwice)"))
        #expect(try trial("stops-early").reason.contains("(stoppedWithoutStart)"))
        #expect(try trial("refuses").reason.contains("could not be prepared: the door is shut"))
        #expect(try folder.latest.readRun().state == .complete)
        #expect(FileManager.default.fileExists(atPath: folder.latest.reportFile))
    }

    @Test("samples of a suite that is killed are kept, and its trial is failed")
    func suiteKilled() throws {
        let folder = TemporaryFolder()
        let run = try Product.start(
            "run", "--suite", Product.misbehaving, "--filter", "/sampled-slow", "--trials", "1", "--output",
            folder.path)
        kill(suiteInMeasure(of: run, folder), SIGKILL)
        #expect(run.waitUntilExit() == .exited(1))
        let trial = try #require(try TrialCSV.read(folder.latest.trialsFile).first)
        #expect(trial.status == .failed)
        #expect(trial.reason.contains("signal 9"))
        let rows = try SampleCSV.read(folder.latest.samplesFile)
        #expect(rows.count { $0.sample.metric == Metric.iterationTime.name } >= 2)
    }

    @Test("a run whose taskmeter was killed in a sampled trial can be reported, with the samples that were left")
    func taskmeterKilled() throws {
        let folder = TemporaryFolder()
        let run = try Product.start(
            "run", "--suite", Product.misbehaving, "--filter", "/sampled-slow", "--trials", "2", "--output",
            folder.path)
        let suite = suiteInMeasure(of: run, folder)
        run.signal(SIGKILL)
        #expect(run.waitUntilExit() == .signalled(SIGKILL))
        eventually("the suite dies with the taskmeter that started it") { kill(suite, 0) != 0 }

        let report = try Product.run("report", folder.latest.path)
        #expect(report.status == .exited(0), "\(report.errors)")
        let data = try RunData.load(folder.latest)
        #expect(data.trials.map(\.status) == [.interrupted])
        #expect((data.batches[0]?.work.count ?? 0) >= 2)
        #expect(data.missing.contains { $0.contains("samples of it were saved") }, "\(data.missing)")
    }

    @Test("an interrupt ends a sampled trial, keeps its samples, makes the report and exits with 130")
    func interrupted() throws {
        let folder = TemporaryFolder()
        let run = try Product.start(
            "run", "--suite", Product.misbehaving, "--filter", "/sampled-slow", "--trials", "2", "--output",
            folder.path)
        _ = suiteInMeasure(of: run, folder)
        run.signal(SIGINT)
        #expect(run.waitUntilExit() == .exited(130))
        let trial = try #require(try TrialCSV.read(folder.latest.trialsFile).last)
        #expect(trial.status == .interrupted)
        #expect(try SampleCSV.read(folder.latest.samplesFile).count >= 2)
        #expect(FileManager.default.fileExists(atPath: folder.latest.reportFile))
    }

    /// Waits until the suite has taken some samples; returns its pid.
    private func suiteInMeasure(of run: ChildProcess, _ folder: TemporaryFolder) -> pid_t {
        eventually("some samples were taken") {
            let logs = (try? FileManager.default.contentsOfDirectory(atPath: folder.latest.logsFolder)) ?? []
            guard let name = logs.first,
                let log = try? SampleLogReader(folder.latest.logsFolder + "/" + name)
            else { return false }
            var samples = 0
            try? log.forEachSample { series, _, _, _ throws(ResultsError) in samples += series == .work ? 1 : 0 }
            return samples >= 2
        }
        return children(of: run.pid).first ?? -1
    }
}
