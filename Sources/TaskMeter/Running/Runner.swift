import Analysis
import Clocks
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
        do {
            let session = try RunSession(request, selection, signals: signals)
            observer(
                .planned(
                    session.folder, benchmarks: selection.members.count, trials: session.run.plannedTrials))
            session.rest(isLast: false)
            let ending = try execute(RunPlan(session.run.benchmarks, session.run.configuration), in: session)
            if ending == .finished { session.rest(isLast: true) }
            var stopReason: String?
            if case .outOfTime(let made) = ending {
                stopReason =
                    "The time given by --max-time was over: \(made) of \(session.run.plannedTrials) trials were made"
            }
            try session.end(ending == .finished ? .complete : .interrupted, stopReason: stopReason)
            let data = try session.conclude()
            return Outcome(data: data, summaries: data.run.summaries, exitCode: Self.exitCode(of: data))
        } catch {
            throw (error as? RunError) ?? .environment("\(error)")
        }
    }

    /// After so many failures in a row a benchmark is not tried again: one that hangs costs its time limit each time.
    private static let mostFailures = 3

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
    private func execute(_ plan: RunPlan, in session: RunSession) throws -> Ending {
        let clock = session.clock
        let members = session.selection.members
        var budget = request.maxTime.map {
            TimeBudget(
                $0, from: Instant(sinceOrigin: sinceCommand.origin - clock.origin), members.map(\.description))
        }
        let timedOrder = plan.entries.filter { $0.mode == .timed }.map(\.benchmark)
        // Failed trials of each benchmark since its last one that completed, each kind for itself.
        var failures: [FailureKey: Int] = [:]
        for entry in plan.entries {
            if signals.take() { return .interrupted }
            let benchmark = members[entry.benchmark].description.id
            let kind = FailureKey(benchmark: entry.benchmark, mode: entry.mode)
            if failures[kind, default: 0] >= Self.mostFailures {
                observer(.trialPassedOver(try session.passOver(entry)))
                continue
            }
            let fullLimit = session.timeLimit(of: entry.mode)
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
            observer(.trialBegan(entry.trial, block: entry.block, benchmark, entry.mode))
            let executed = try session.execute(entry, share: share) { observer(.tick) }
            let trial = executed.trial
            observer(.trialEnded(trial, took: executed.took))
            if trial.status == .interrupted {
                return trial.reason == RunSession.cutShort ? .outOfTime(made: entry.trial) : .interrupted
            }
            failures[kind] = trial.status == .failed ? failures[kind, default: 0] + 1 : 0
            guard entry.mode == .timed else { continue }
            let measuring = trial.measureBegin.flatMap { begin in trial.measureEnd.map { $0 - begin } } ?? .zero
            budget?.learn(entry.benchmark, took: executed.took, measuring: measuring)
        }
        return .finished
    }

    private static func exitCode(of data: RunData) -> Int32 {
        let run = data.run
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
        return run.state == .interrupted && run.stopReason == nil
            ? ExitCode.interrupted : failed || unmeasured ? ExitCode.benchmarkFailed : ExitCode.done
    }
}
