import Analysis
import Clocks
import FoundationEssentials
import Glibc
import Probes
import Recording
import Results

/// Executes the trials of a run and writes its folder as they end.
package struct Runner {
    /// What a run left behind.
    package struct Outcome: Sendable {
        package var data: RunData
        package var summaries: [BenchmarkSummary]
        package var exitCode: Int32
    }

    var request: RunRequest
    var signals: SignalInbox
    var observer: (RunEvent) -> Void

    package init(_ request: RunRequest, signals: SignalInbox, observer: @escaping (RunEvent) -> Void) {
        self.request = request
        self.signals = signals
        self.observer = observer
    }

    /// Executes the run to its end, or until a signal asks for it.
    package func run() throws(RunError) -> Outcome {
        let selection = try request.select()
        let trials = request.trials(for: selection)
        let selectedClock: ClockSelection
        do { selectedClock = try ClockSelection(request.clock) } catch { throw .environment(error.description) }
        let clock = selectedClock.clock
        let now = Date()
        let revision = currentRevision(of: ".", ignoring: [request.output])
        let folder = try RunFolder.create(in: request.output, revision: revision, utc: now)
        let configuration = RunConfiguration(
            command: request.command, trials: trials, seed: request.seed, quick: request.quick,
            timeLimit: request.timeLimit, allowDebug: request.allowDebug)
        var run = Run(
            id: UUID().uuidString, originUTC: now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            revision: revision,
            environment: currentEnvironment(buildConfiguration: .known(selection.areOptimised ? "release" : "debug")),
            configuration: configuration, benchmarks: selection.members.map(\.description), metrics: Metric.standard)
        var watch = ClockWatch(selectedClock)
        let quality = ClockQuality(clock)
        let backwardStep = largestBackwardStep(clock)
        do {
            run.selfCost = try SelfCost.measured(clock)
            run.clock = watch.facts(quality: quality, backwardStep: backwardStep)
            try folder.write(run)
            let recording = try RunRecording(folder)
            observer(.planned(folder, benchmarks: selection.members.count, trials: trials))
            let finished = try execute(selection, trials, clock, recording, &watch)
            run.clock = watch.facts(quality: quality, backwardStep: backwardStep)
            run.state = finished ? .complete : .interrupted
            run.duration = clock.now() - Instant(sinceOrigin: 0)
            return try conclude(run, folder)
        } catch {
            throw (error as? RunError) ?? .environment("\(error)")
        }
    }

    /// After so many failures in a row a benchmark is not tried again: one that hangs costs its time limit each time.
    private static let mostFailures = 3

    /// Executes all trials; false when a signal ended the run before.
    private func execute(
        _ selection: Selection, _ trials: Int, _ clock: MonotonicClock, _ recording: RunRecording,
        _ watch: inout ClockWatch
    ) throws -> Bool {
        // Whatever becomes of a suite or of this process, what they leave on disk outside the run's folder is removed:
        // after the trial, or by the next run.
        let scratch = try PrivateFolder(prefix: "taskmeter-scratch-")
        let plan = RunPlan(benchmarks: selection.members.count, trials: trials, seed: request.seed)
        // Failed trials of each benchmark since its last one that completed.
        var failures: [Int: Int] = [:]
        for entry in plan.entries {
            if signals.take() { return false }
            let member = selection.members[entry.benchmark]
            if failures[entry.benchmark, default: 0] >= Self.mostFailures {
                observer(.trialPassedOver(try recording.passOver(entry, member.description, at: clock.now())))
                continue
            }
            observer(.trialBegan(entry.trial, block: entry.block, member.description.id))
            recording.log.begin(entry.trial, member.description.id)
            guard let scratchFolder = scratch.makeFolder("\(entry.trial)") else {
                throw RunError.environment("cannot make a folder in \(scratch.path): \(errnoText())")
            }
            defer { PrivateFolder.removeTree(scratchFolder) }
            let started = clock.now()
            let outcome = try TrialProcess(
                executable: member.executable, benchmark: member.description, entry: entry,
                recordsPath: recording.recordsPath(entry.trial, of: member.description), scratchFolder: scratchFolder,
                log: recording.log,
                clock: clock,
                timeLimit: request.timeLimit, seed: request.seed, quick: request.quick, signals: signals
            ).run { observer(.tick) }
            watch.check()
            let trial = try recording.take(
                outcome, entry, member.description, started: started, ended: clock.now())
            observer(.trialEnded(trial, took: clock.now() - started))
            if trial.status == .interrupted { return false }
            failures[entry.benchmark] = trial.status == .failed ? failures[entry.benchmark, default: 0] + 1 : 0
        }
        return true
    }

    /// Reads the run back from its files, as everyone else will, and writes what they say into `run.json`.
    private func conclude(_ run: Run, _ folder: RunFolder) throws -> Outcome {
        var run = run
        rmdir(folder.logsFolder)
        // The state is written first: reading back a run that is still “running” would call it killed.
        try folder.write(run)
        var data = try RunData.load(folder)
        run.summaries = data.summaries()
        let suspicions = Suspicions(data, run.summaries)
        run.warnings = suspicions.grave + suspicions.slight
        run.files = ["tasks.csv", "phases.csv", "samples.csv", "trials.csv"].map { name in
            FileSize(name: name, bytes: fileSize(folder.path + "/" + name) ?? 0)
        }
        try folder.write(run)
        data.run = run
        let failed = run.summaries.contains { summary in
            summary.trialsFailed > 0 || summary.tasks.failed > 0 || summary.tasks.unfinished > 0
        }
        let code =
            run.state == .interrupted ? ExitCode.interrupted : failed ? ExitCode.benchmarkFailed : ExitCode.done
        return Outcome(data: data, summaries: run.summaries, exitCode: code)
    }
}
