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
        var counting = request.countingTrials(eventGroups: 0)
        var launches = try SuiteLaunches(request.counting, selection.executables)
        // What is declared to be counted is counted where it can be; only what a person asked for is refused.
        let declared = selection.members.filter { $0.description.countedExactly == true }
        var uncounted: String?
        if !declared.isEmpty, !request.counting.contains(.exact) {
            do throws(RunError) {
                try launches.findEmulator(declared[0].executable)
                counting.append(RunConfiguration.CountingTrials(mode: .exact, trials: 2, onlyDeclared: true))
            } catch { uncounted = error.description }
        }
        let counters = try CounterAssignments(trials > 0 || request.counters != nil ? request.counters : [])
        let selectedClock: ClockSelection
        do { selectedClock = try ClockSelection(request.clock) } catch { throw .environment(error.description) }
        let clock = selectedClock.clock
        let observed = try Self.observed(selection.members.map(\.description))
        let now = Date()
        let revision = currentRevision(of: ".", ignoring: [request.output])
        let folder = try RunFolder.create(in: request.output, revision: revision, utc: now)
        counting = request.countingTrials(eventGroups: counters.groups) + counting.filter { $0.onlyDeclared == true }
        let configuration = RunConfiguration(
            command: request.command, trials: trials, seed: request.seed, quick: request.quick,
            timeLimit: request.timeLimit, maxTime: request.maxTime, allowDebug: request.allowDebug,
            counting: counting.isEmpty ? nil : counting, counters: request.counters, full: request.full ? true : nil)
        var run = Run(
            id: UUID().uuidString, originUTC: now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            revision: revision,
            environment: currentEnvironment(buildConfiguration: .known(selection.areOptimised ? "release" : "debug")),
            configuration: configuration, benchmarks: selection.members.map(\.description),
            metrics: Self.metrics(Set(counting.map(\.mode)), counters)
                + observed)
        run.emulator = launches.emulatorText
        run.simulator = launches.simulatorText
        var watch = ClockWatch(selectedClock)
        let quality = ClockQuality(clock)
        let backwardStep = largestBackwardStep(clock)
        do {
            run.selfCost = try SelfCost.measured(clock)
            run.clock = watch.facts(quality: quality, backwardStep: backwardStep)
            try folder.write(run)
            let recording = try RunRecording(folder)
            observer(
                .planned(
                    folder, benchmarks: selection.members.count,
                    trials: run.plannedTrials))
            let energy = EnergyAccounts(batteryWattHours: request.batteryWattHours)
            run.energyIsShared = energy.isCounting ? energy.isShared : nil
            let means = Means(launches: launches, counters: counters, energy: energy)
            energy.rest(trials > 0 ? request.idle : .zero, isLast: false, sleep: signals.sleep)
            let ending = try execute(
                selection, RunPlan(run.benchmarks, configuration), clock, recording, means, &watch)
            if ending == .finished {
                energy.rest(trials > 0 ? request.idle : .zero, isLast: true, sleep: signals.sleep)
            }
            for (benchmark, trial, sample) in energy.net() {
                try recording.samples.append(benchmark: benchmark, trial: trial, [sample])
            }
            run.clock = watch.facts(quality: quality, backwardStep: backwardStep)
            run.state = ending == .finished ? .complete : .interrupted
            if case .outOfTime(let made) = ending {
                run.stopReason =
                    "The time given by --max-time was over: \(made) of \(run.plannedTrials) trials were made"
            }
            run.duration = clock.now() - Instant(sinceOrigin: 0)
            return try conclude(run, folder, uncounted: uncounted)
        } catch {
            throw (error as? RunError) ?? .environment("\(error)")
        }
    }

    /// With what the trials of a run are made and measured.
    private struct Means {
        var launches: SuiteLaunches
        var counters: CounterAssignments
        var energy: EnergyAccounts
    }

    /// Everything that the run's trials may tell of.
    private static func metrics(_ counting: Set<Trial.Mode>, _ counters: CounterAssignments) -> [Metric] {
        Metric.standard + Metric.energyOfParts + counters.metrics
            + (counting.contains(.allocations)
                ? AllocationReading.metrics(.thread) + AllocationReading.metrics(.process) : [])
            + (counting.contains(.exact)
                ? ExactMetrics.metrics(.thread) + ExactMetrics.metrics(.process) + [ExactMetrics.spread] : [])
            + (counting.contains(.simulated) ? SimulatedMetrics.metrics : [])
    }

    /// What benchmarks observe, each metric once.
    private static func observed(_ benchmarks: [BenchmarkDescription]) throws(RunError) -> [Metric] {
        var known: [String: (metric: Metric, benchmark: BenchmarkID)] = [:]
        var metrics: [Metric] = []
        for benchmark in benchmarks {
            for metric in benchmark.observes ?? [] {
                guard let (other, place) = known[metric.name] else {
                    known[metric.name] = (metric, benchmark.id)
                    metrics.append(metric)
                    continue
                }
                guard other == metric else {
                    throw .usage(
                        "\(place) and \(benchmark.id) declare the metric “\(metric.name)” with different units, directions or "
                            + "titles; give one of them another name")
                }
            }
        }
        return metrics
    }

    /// After so many failures in a row a benchmark is not tried again: one that hangs costs its time limit each time.
    private static let mostFailures = 3
    /// An emulated or simulated trial may take this many times as long as another.
    private static let slowdown: Int64 = 10

    private struct FailureKey: Hashable {
        var benchmark: Int
        var mode: Trial.Mode
    }

    private enum Ending: Equatable {
        case finished
        /// A signal asked for the end.
        case interrupted
        /// After so many trials there was no time for another.
        case outOfTime(made: Int)
    }

    /// Executes all trials, or as many as signals and the time let it.
    private func execute(
        _ selection: Selection, _ plan: RunPlan, _ clock: MonotonicClock, _ recording: RunRecording, _ means: Means,
        _ watch: inout ClockWatch
    ) throws -> Ending {
        // Whatever becomes of a suite or of this process, what they leave on disk outside the run's folder is removed:
        // after the trial, or by the next run.
        let scratch = try PrivateFolder(prefix: "taskmeter-scratch-")
        var budget = request.maxTime.map {
            TimeBudget(
                $0, from: Instant(sinceOrigin: sinceCommand.origin - clock.origin),
                selection.members.map(\.description))
        }
        let timedOrder = plan.entries.filter { $0.mode == .timed }.map(\.benchmark)
        // Failed trials of each benchmark since its last one that completed, each kind for itself.
        var failures: [FailureKey: Int] = [:]
        // Sampled benchmarks whose threads turned out to run at once when they were emulated.
        var apart: Set<Int> = []
        for entry in plan.entries {
            if signals.take() { return .interrupted }
            let member = selection.members[entry.benchmark]
            let kind = FailureKey(benchmark: entry.benchmark, mode: entry.mode)
            if failures[kind, default: 0] >= Self.mostFailures {
                observer(.trialPassedOver(try recording.passOver(entry, member.description, at: clock.now())))
                continue
            }
            let isEmulated = entry.mode == .exact || entry.mode == .simulated
            let fullLimit = isEmulated ? Nanoseconds(request.timeLimit.count * Self.slowdown) : request.timeLimit
            var share = TimeBudget.Share(timeLimit: fullLimit)
            if let budget, entry.mode != .timed {
                let left = budget.end - clock.now()
                guard left > .zero else { return .outOfTime(made: entry.trial) }
                share = TimeBudget.Share(timeLimit: min(share.timeLimit, left), end: budget.end)
            } else if let budget {
                let rest = timedOrder[entry.trial...].filter {
                    failures[FailureKey(benchmark: $0, mode: .timed), default: 0] < Self.mostFailures
                }
                guard let left = budget.share(of: rest[...], at: clock.now(), timeLimit: request.timeLimit) else {
                    return .outOfTime(made: entry.trial)
                }
                share = left
            }
            observer(.trialBegan(entry.trial, block: entry.block, member.description.id, entry.mode))
            recording.log.begin(entry.trial, member.description.id)
            guard let scratchFolder = scratch.makeFolder("\(entry.trial)") else {
                throw RunError.environment("cannot make a folder in \(scratch.path): \(errnoText())")
            }
            defer { PrivateFolder.removeTree(scratchFolder) }
            let started = clock.now()
            let runsAtOnce = member.description.manner != .samples || apart.contains(entry.benchmark)
            var (outcome, energyUse) = try execute(
                entry, member, share, clock, recording, means, scratchFolder, threadsRunAtOnce: runsAtOnce)
            if outcome.threadsRanAtOnce { apart.insert(entry.benchmark) }
            watch.check()
            let ended = clock.now()
            let isCutShort =
                share.timeLimit < fullLimit && outcome.isCutShort
                && budget.map { ended >= $0.end } ?? false
            if isCutShort {
                outcome.status = .interrupted
                outcome.reason = "the time given by --max-time was over while this trial ran"
            }
            let (trial, samples) = try recording.take(
                outcome, entry, member.description, started: started, ended: ended)
            means.energy.keep(energyUse, of: trial, count: outcome.measuredCount, nextSample: samples)
            let took = clock.now() - started
            observer(.trialEnded(trial, took: took))
            if trial.status == .interrupted { return isCutShort ? .outOfTime(made: entry.trial) : .interrupted }
            failures[kind] = trial.status == .failed ? failures[kind, default: 0] + 1 : 0
            guard entry.mode == .timed else { continue }
            let measuring = trial.measureBegin.flatMap { begin in trial.measureEnd.map { $0 - begin } } ?? .zero
            budget?.learn(entry.benchmark, took: took, measuring: measuring)
        }
        return .finished
    }

    /// Executes one trial.
    private func execute(
        _ entry: RunPlan.Entry, _ member: Selection.Member, _ share: TimeBudget.Share, _ clock: MonotonicClock,
        _ recording: RunRecording, _ means: Means, _ scratchFolder: String, threadsRunAtOnce: Bool
    ) throws(RunError) -> (TrialProcess.Outcome, EnergyUse?) {
        if entry.mode == .simulated, member.description.sampling == nil { return (.tasksAreNotSimulated, nil) }
        var machine = MachineWatch(means.energy)
        var outcome = try TrialProcess(
            executable: member.executable, benchmark: member.description, entry: entry,
            recordsPath: recording.recordsPath(entry.trial, of: member.description), scratchFolder: scratchFolder,
            log: recording.log, clock: clock, share: share,
            seed: request.seed, quick: request.quick, launches: means.launches, counters: means.counters,
            threadsRunAtOnce: threadsRunAtOnce,
            signals: signals
        ).run(&machine) { observer(.tick) }
        outcome.samples += means.counters.absences(of: member.description, entry.mode)
        guard entry.mode == .timed else { return (outcome, nil) }
        outcome.samples +=
            machine.samples(of: outcome.samples)
            + means.energy.samples(of: machine.energyUse, count: outcome.measuredCount)
        return (outcome, machine.energyUse)
    }

    /// Reads the run back from its files, as everyone else will, and writes what they say into `run.json`.
    ///
    /// - Parameter uncounted: why what is declared to be counted was not.
    private func conclude(_ run: Run, _ folder: RunFolder, uncounted: String?) throws -> Outcome {
        var run = run
        rmdir(folder.logsFolder)
        // The state is written first: reading back a run that is still “running” would call it killed.
        try folder.write(run)
        var data = try RunData.load(folder)
        run.summaries = data.summaries()
        let suspicions = Suspicions(data, run.summaries)
        run.warnings = suspicions.grave + suspicions.slight
        if let uncounted { run.warnings.append("Instructions, retains and allocations were not counted: \(uncounted)") }
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
        let modes = (run.configuration.counting ?? []).map(\.mode) + (run.configuration.trials > 0 ? [.timed] : [])
        let unmeasured =
            run.stopReason != nil
            && run.benchmarks.contains { benchmark in
                modes.contains { mode in
                    run.plans(mode, of: benchmark)
                        && !data.trials.contains {
                            $0.benchmark == benchmark.id && $0.mode == mode && $0.status == .completed
                        }
                }
            }
        let code =
            run.state == .interrupted && run.stopReason == nil
            ? ExitCode.interrupted : failed || unmeasured ? ExitCode.benchmarkFailed : ExitCode.done
        return Outcome(data: data, summaries: run.summaries, exitCode: code)
    }
}
