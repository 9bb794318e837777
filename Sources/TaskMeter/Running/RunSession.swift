import Clocks
import FoundationEssentials
import Probes
import Recording
import Results

/// A run to which trials are added one by one: its folder, and what they are made and measured with.
///
/// Not for several threads at once.
package final class RunSession {
    package let folder: RunFolder
    package private(set) var run: Run
    package let selection: Selection
    package let selectedClock: ClockSelection
    /// Why what is declared to be counted is not; nil when it is.
    package let uncounted: String?

    let recording: RunRecording
    private let request: RunRequest
    private let signals: SignalInbox
    private let launches: SuiteLaunches
    private let counters: CounterAssignments
    private let energy: EnergyAccounts
    /// Whatever becomes of a suite or of this process, what they leave on disk outside the run's folder is removed: after
    /// the trial, or by the next run.
    private let scratch: PrivateFolder
    private var watch: ClockWatch
    private let quality: ClockQuality
    private let backwardStep: Int64?
    /// Timed trials of each benchmark that were made to their end, well or not.
    private var made: [Int]
    /// Sampled benchmarks whose threads turned out to run at once when they were emulated.
    private var apart: Set<Int> = []

    package var clock: MonotonicClock { selectedClock.clock }
    /// Trials so far: the number of the next.
    package private(set) var trials = 0

    /// An emulated or simulated trial may take this many times as long as another.
    private static let slowdown: Int64 = 10

    /// Makes the run's folder.
    ///
    /// - Parameters:
    ///   - folder: where it is made; nil for a new folder in the request's output, which `latest` points at.
    ///   - revision: what the suites were built of; nil to ask git about the working folder.
    ///   - clock: of a session that runs beside this one, so that their moments are comparable.
    /// - Throws: `RunError`, `ResultsError`.
    package init(
        _ request: RunRequest, _ selection: Selection, folder: String? = nil, revision: Revision? = nil,
        clock: ClockSelection? = nil,
        signals: SignalInbox
    ) throws {
        self.request = request
        self.selection = selection
        self.signals = signals
        made = Array(repeating: 0, count: selection.members.count)
        let trials = request.trials(for: selection)
        var counting = request.countingTrials(eventGroups: 0)
        var launches = try SuiteLaunches(request.counting, selection.executables)
        // What is declared to be counted is counted where it can be; only what a person asked for is refused.
        let declared = selection.members.filter { $0.description.countedExactly == true }
        var uncounted: String?
        if request.countsDeclared, !declared.isEmpty, !request.counting.contains(.exact) {
            do throws(RunError) {
                try launches.findEmulator(declared[0].executable)
                counting.append(RunConfiguration.CountingTrials(mode: .exact, trials: 2, onlyDeclared: true))
            } catch { uncounted = error.description }
        }
        counters = try CounterAssignments(trials > 0 || request.counters != nil ? request.counters : [])
        do { selectedClock = try clock ?? ClockSelection(request.clock) } catch {
            throw RunError.environment("\(error)")
        }
        let observed = try Self.observed(selection.members.map(\.description))
        let now = Date()
        let revision = revision ?? currentRevision(of: ".", ignoring: [request.output])
        self.folder =
            try folder.map { path throws(RunError) in try RunFolder.create(at: path) }
            ?? RunFolder.create(in: request.output, revision: revision, utc: now)
        counting = request.countingTrials(eventGroups: counters.groups) + counting.filter { $0.onlyDeclared == true }
        let configuration = RunConfiguration(
            command: request.command, trials: trials, seed: request.seed, quick: request.quick,
            timeLimit: request.timeLimit, maxTime: request.maxTime, allowDebug: request.allowDebug,
            counting: counting.isEmpty ? nil : counting, counters: request.counters, full: request.full ? true : nil)
        let origin = Date() - Double(selectedClock.clock.now().sinceOrigin) / 1e9
        run = Run(
            id: UUID().uuidString,
            originUTC: origin.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            revision: revision,
            environment: currentEnvironment(buildConfiguration: .known(selection.areOptimised ? "release" : "debug")),
            configuration: configuration, benchmarks: selection.members.map(\.description),
            metrics: Self.metrics(Set(counting.map(\.mode)), counters)
                + observed)
        run.emulator = launches.emulatorText
        run.simulator = launches.simulatorText
        self.launches = launches
        self.uncounted = uncounted
        watch = ClockWatch(selectedClock)
        quality = ClockQuality(selectedClock.clock)
        backwardStep = largestBackwardStep(selectedClock.clock)
        run.selfCost = try SelfCost.measured(selectedClock.clock)
        run.clock = watch.facts(quality: quality, backwardStep: backwardStep)
        try self.folder.write(run)
        recording = try RunRecording(self.folder)
        energy = EnergyAccounts(batteryWattHours: request.batteryWattHours)
        run.energyIsShared = energy.isCounting ? energy.isShared : nil
        scratch = try PrivateFolder(prefix: "taskmeter-scratch-")
    }

    /// Measures the machine at rest, where it counts energy.
    package func rest(isLast: Bool) {
        energy.rest(run.configuration.trials > 0 ? request.idle : .zero, isLast: isLast, sleep: signals.sleep)
    }

    /// A trial that was made, and what the caller may want to know of it at once.
    package struct Executed {
        package var trial: Trial
        package var took: Nanoseconds
        /// All that it said as a whole; batches of iterations are not among it.
        package var samples: [Sample]
    }

    /// How long a trial of a kind may take when nothing else limits it.
    package func timeLimit(of mode: Trial.Mode) -> Nanoseconds {
        let isEmulated = mode == .exact || mode == .simulated
        return isEmulated ? Nanoseconds(request.timeLimit.count * Self.slowdown) : request.timeLimit
    }

    /// Executes a trial and writes it to the run's files.
    ///
    /// - Parameters:
    ///   - share: what it may take; nil for its own time limit alone.
    ///   - reading: is given the log of its tasks or samples, before that is copied and removed.
    ///   - onTick: called a few times a second while it runs.
    /// - Throws: `RunError`, `ResultsError`.
    package func execute(
        _ entry: RunPlan.Entry, share: TimeBudget.Share? = nil, reading: (String) -> Void = { _ in },
        onTick: () -> Void
    ) throws -> Executed {
        let member = selection.members[entry.benchmark]
        let fullLimit = timeLimit(of: entry.mode)
        let share = share ?? TimeBudget.Share(timeLimit: fullLimit)
        recording.log.begin(entry.trial, member.description.id)
        guard let scratchFolder = scratch.makeFolder("\(entry.trial)") else {
            throw RunError.environment("cannot make a folder in \(scratch.path): \(errnoText())")
        }
        defer { PrivateFolder.removeTree(scratchFolder) }
        let started = clock.now()
        var (outcome, energyUse) = try outcome(entry, member, share, scratchFolder, onTick)
        if outcome.threadsRanAtOnce { apart.insert(entry.benchmark) }
        watch.check()
        let ended = clock.now()
        if share.timeLimit < fullLimit, outcome.isCutShort, let end = share.end, ended >= end {
            outcome.status = .interrupted
            outcome.reason = Self.cutShort
        }
        reading(recording.recordsPath(entry.trial, of: member.description))
        let (trial, written, samples) = try recording.take(
            outcome, entry, member.description, started: started, ended: ended)
        energy.keep(energyUse, of: trial, count: outcome.measuredCount, nextSample: written)
        trials = entry.trial + 1
        if trial.status != .interrupted, entry.mode == .timed { made[entry.benchmark] += 1 }
        return Executed(trial: trial, took: clock.now() - started, samples: samples)
    }

    /// The reason of a trial that the time of the whole run ended.
    static let cutShort = "the time given by --max-time was over while this trial ran"

    private func outcome(
        _ entry: RunPlan.Entry, _ member: Selection.Member, _ share: TimeBudget.Share, _ scratchFolder: String,
        _ onTick: () -> Void
    ) throws(RunError) -> (TrialProcess.Outcome, EnergyUse?) {
        if entry.mode == .simulated, member.description.sampling == nil { return (.tasksAreNotSimulated, nil) }
        let runsAtOnce = member.description.manner != .samples || apart.contains(entry.benchmark)
        var machine = MachineWatch(energy)
        var outcome = try TrialProcess(
            executable: member.executable, benchmark: member.description, entry: entry,
            recordsPath: recording.recordsPath(entry.trial, of: member.description), scratchFolder: scratchFolder,
            log: recording.log, clock: clock, share: share,
            seed: request.seed, quick: request.quick, launches: launches, counters: counters,
            threadsRunAtOnce: runsAtOnce,
            signals: signals
        ).run(&machine, onTick: onTick)
        outcome.samples += counters.absences(of: member.description, entry.mode)
        guard entry.mode == .timed else { return (outcome, nil) }
        outcome.samples +=
            machine.samples(of: outcome.samples) + energy.samples(of: machine.energyUse, count: outcome.measuredCount)
        return (outcome, machine.energyUse)
    }

    /// Records a trial that is not made because those before it failed.
    func passOver(_ entry: RunPlan.Entry) throws -> Trial {
        try recording.passOver(entry, selection.members[entry.benchmark].description, at: clock.now())
    }

    /// Says that no more trials come.
    ///
    /// - Parameters:
    ///   - state: how the run ended.
    ///   - stopReason: why it was stopped, when it was not the person who did.
    ///   - madeAsPlanned: whether so many trials were planned as were made, because nobody knew before.
    package func end(_ state: Run.State, stopReason: String? = nil, madeAsPlanned: Bool = false) throws {
        for (benchmark, trial, sample) in energy.net() {
            try recording.samples.append(benchmark: benchmark, trial: trial, [sample])
        }
        if madeAsPlanned {
            run.configuration.trials = made.max() ?? 0
            for (index, count) in made.enumerated() { run.benchmarks[index].trials = count }
        }
        run.clock = watch.facts(quality: quality, backwardStep: backwardStep)
        run.state = state
        run.stopReason = stopReason
        run.duration = clock.now() - Instant(sinceOrigin: 0)
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
}
