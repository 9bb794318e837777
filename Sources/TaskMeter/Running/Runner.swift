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
    /// Counts the time of `--max-time`, from here on.
    private let sinceCommand = MonotonicClock()

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
            timeLimit: request.timeLimit, maxTime: request.maxTime, allowDebug: request.allowDebug)
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
            let ending = try execute(selection, trials, clock, recording, &watch)
            run.clock = watch.facts(quality: quality, backwardStep: backwardStep)
            run.state = ending == .finished ? .complete : .interrupted
            if case .outOfTime(let made) = ending {
                run.stopReason =
                    "The time given by --max-time was over: \(made) of \(run.plannedTrials) trials were made"
            }
            run.duration = clock.now() - Instant(sinceOrigin: 0)
            return try conclude(run, folder)
        } catch {
            throw (error as? RunError) ?? .environment("\(error)")
        }
    }

    /// After so many failures in a row a benchmark is not tried again: one that hangs costs its time limit each time.
    private static let mostFailures = 3

    private enum Ending: Equatable {
        case finished
        /// A signal asked for the end.
        case interrupted
        /// After so many trials there was no time for another.
        case outOfTime(made: Int)
    }

    /// Executes all trials, or as many as signals and the time let it.
    private func execute(
        _ selection: Selection, _ trials: Int, _ clock: MonotonicClock, _ recording: RunRecording,
        _ watch: inout ClockWatch
    ) throws -> Ending {
        // Whatever becomes of a suite or of this process, what they leave on disk outside the run's folder is removed:
        // after the trial, or by the next run.
        let scratch = try PrivateFolder(prefix: "taskmeter-scratch-")
        let plan = RunPlan(benchmarks: selection.members.count, trials: trials, seed: request.seed)
        var budget = request.maxTime.map {
            TimeBudget(
                $0, from: Instant(sinceOrigin: sinceCommand.origin - clock.origin),
                selection.members.map(\.description))
        }
        let order = plan.entries.map(\.benchmark)
        // Failed trials of each benchmark since its last one that completed.
        var failures: [Int: Int] = [:]
        for entry in plan.entries {
            if signals.take() { return .interrupted }
            let member = selection.members[entry.benchmark]
            if failures[entry.benchmark, default: 0] >= Self.mostFailures {
                observer(.trialPassedOver(try recording.passOver(entry, member.description, at: clock.now())))
                continue
            }
            var share = TimeBudget.Share(timeLimit: request.timeLimit)
            if let budget {
                let rest = order[entry.trial...].filter { failures[$0, default: 0] < Self.mostFailures }
                guard let left = budget.share(of: rest[...], at: clock.now(), timeLimit: request.timeLimit) else {
                    return .outOfTime(made: entry.trial)
                }
                share = left
            }
            observer(.trialBegan(entry.trial, block: entry.block, member.description.id))
            recording.log.begin(entry.trial, member.description.id)
            guard let scratchFolder = scratch.makeFolder("\(entry.trial)") else {
                throw RunError.environment("cannot make a folder in \(scratch.path): \(errnoText())")
            }
            defer { PrivateFolder.removeTree(scratchFolder) }
            let started = clock.now()
            var outcome = try execute(entry, member, share, clock, recording, scratchFolder)
            watch.check()
            let ended = clock.now()
            let isCutShort =
                share.timeLimit < request.timeLimit && outcome.isCutShort
                && budget.map { ended >= $0.end } ?? false
            if isCutShort {
                outcome.status = .interrupted
                outcome.reason = "the time given by --max-time was over while this trial ran"
            }
            let trial = try recording.take(outcome, entry, member.description, started: started, ended: ended)
            let took = clock.now() - started
            observer(.trialEnded(trial, took: took))
            if trial.status == .interrupted { return isCutShort ? .outOfTime(made: entry.trial) : .interrupted }
            failures[entry.benchmark] = trial.status == .failed ? failures[entry.benchmark, default: 0] + 1 : 0
            let measuring = trial.measureBegin.flatMap { begin in trial.measureEnd.map { $0 - begin } } ?? .zero
            budget?.learn(entry.benchmark, took: took, measuring: measuring)
        }
        return .finished
    }

    /// Executes one trial.
    private func execute(
        _ entry: RunPlan.Entry, _ member: Selection.Member, _ share: TimeBudget.Share, _ clock: MonotonicClock,
        _ recording: RunRecording, _ scratchFolder: String
    ) throws(RunError) -> TrialProcess.Outcome {
        var machine = MachineWatch()
        var outcome = try TrialProcess(
            executable: member.executable, benchmark: member.description, entry: entry,
            recordsPath: recording.recordsPath(entry.trial, of: member.description), scratchFolder: scratchFolder,
            log: recording.log, clock: clock, share: share,
            seed: request.seed, quick: request.quick, signals: signals
        ).run(&machine) { observer(.tick) }
        outcome.samples += machine.samples(of: outcome.samples)
        return outcome
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
            // What was unfinished when the time of the run was over is no failure.
            summary.trialsFailed > 0 || summary.tasks.failed > 0
                || summary.tasks.unfinished > 0 && run.stopReason == nil
        }
        // A run that had no more time is done when each of its benchmarks was measured.
        let unmeasured = run.stopReason != nil && run.summaries.contains { $0.trialsCompleted == 0 }
        let code =
            run.state == .interrupted && run.stopReason == nil
            ? ExitCode.interrupted : failed || unmeasured ? ExitCode.benchmarkFailed : ExitCode.done
        return Outcome(data: data, summaries: run.summaries, exitCode: code)
    }
}
