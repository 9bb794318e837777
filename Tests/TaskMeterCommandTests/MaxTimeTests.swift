import ChildProcesses
import FoundationEssentials
import Glibc
import Results
import TestSupport
import Testing

@Suite("The option --max-time")
struct MaxTimeTests {
    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let begin = ContinuousClock.now
        try body()
        return (ContinuousClock.now - begin) / .seconds(1)
    }

    @Test("ends a run in time with what it has, says what is missing, and counts as done when all were measured")
    func ends() throws {
        let folder = TemporaryFolder()
        let took = try seconds {
            let output = try Product.run(
                "run", "--suite", Product.misbehaving, "--filter", "/behaves|/sampled-behaves", "--trials", "1000",
                "--max-time", "5", "--output", folder.path)
            #expect(output.status == .exited(0), "\(output.errors)")
        }
        #expect(took > 3 && took < 7, "\(took) s")
        let run = try folder.latest.readRun()
        // The last may have been cut short.
        let made = try TrialCSV.read(folder.latest.trialsFile).count { $0.status == .completed }
        #expect(run.state == .interrupted)
        #expect(
            run.stopReason == "The time given by --max-time was over: \(made) of 3000 trials were made",
            "\(String(describing: run.stopReason))")
        #expect(run.configuration.maxTime == .seconds(5))
        let page = try String(contentsOfFile: folder.latest.reportFile, encoding: .utf8)
        #expect(page.contains("The time given by --max-time was over"))
        #expect(page.contains("planned trials are missing"))
    }

    @Test("ends a trial that does not end in time, which is no failure of it, but a benchmark without a trial is")
    func cutsShort() throws {
        let folder = TemporaryFolder()
        let took = try seconds {
            let output = try Product.run(
                "run", "--suite", Product.misbehaving, "--filter", "/slow", "--trials", "1", "--max-time", "3",
                "--output", folder.path, "--no-report")
            #expect(output.status == .exited(1), "\(output.errors)")
        }
        #expect(took < 5, "\(took) s")
        let trial = try #require(try TrialCSV.read(folder.latest.trialsFile).first)
        #expect(trial.status == .interrupted)
        #expect(trial.reason == "the time given by --max-time was over while this trial ran")
        #expect(trial.tasks.ended >= 2)
    }

    @Test("shortens sampled benchmarks so that all are measured")
    func shortens() throws {
        let folder = TemporaryFolder()
        let took = try seconds {
            let output = try Product.run(
                "run", "--suite", Product.misbehaving, "--filter", "/sampled-slow", "--trials", "3", "--max-time", "6",
                "--output", folder.path, "--no-report")
            #expect(output.status == .exited(0), "\(output.errors)")
        }
        #expect(took < 7, "\(took) s")
        let trials = try TrialCSV.read(folder.latest.trialsFile)
        #expect(trials.map(\.status) == [.completed, .completed, .completed], "\(trials.map(\.reason))")
        #expect(try folder.latest.readRun().state == .complete)
    }
}
