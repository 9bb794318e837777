import ChildProcesses
import Clocks
import Glibc
import Probes
import Recording
import Results

/// Starts a suite for one trial, listens to it, and ends it when it runs past its limit or the person says so.
struct TrialProcess {
    var executable: SuiteExecutable
    var benchmark: BenchmarkDescription
    var entry: RunPlan.Entry
    var recordsPath: String
    var scratchFolder: String
    var log: SuiteLog
    var clock: MonotonicClock
    var share: TimeBudget.Share
    var seed: UInt64
    var quick: Bool
    var launches: SuiteLaunches
    var counters: CounterAssignments
    /// Whether threads of the suite run at once while an emulator counts; counting them apart takes longer.
    var threadsRunAtOnce: Bool
    var signals: SignalInbox

    struct Outcome {
        var status: Trial.Status
        /// Why it did not complete; empty when it did.
        var reason: String
        var samples: [Sample]
        var tasksMeant: Int
        /// Whether all tasks had ended when the suite stopped waiting for them.
        var allEnded: Bool
        /// Tasks or iterations that its costs speak of.
        var measuredCount: Int { samples.first { $0.metric == Metric.processorTime.name }?.iterations ?? 0 }
        /// Whether the emulator counted wrongly because threads ran at once though they were counted as one.
        var threadsRanAtOnce: Bool {
            samples.contains { $0.reading == .notCounted(reason: ExactCounts.Doubt.threadsRanAtOnce.reason) }
        }
        /// Whether it may have come out so because its time was over.
        var isCutShort: Bool { status == .failed || status == .completed && !allEnded }
    }

    /// Beyond its limit a suite has this long to tell of it by itself, before it is killed.
    private var grace: Nanoseconds { .seconds(min(max(share.timeLimit.seconds / 4, 1), 5)) }
    /// After a request to end, a suite has this long before it is killed.
    private static let patience: Int = 2_000
    /// How often the machine is looked at, and how many looks there are to a tick.
    private static let look: Int32 = 50
    private static let looksPerTick = 4

    /// Executes the trial to its end.
    ///
    /// - Parameters:
    ///   - machine: looks at the machine, and at the suite from outside, while it runs.
    ///   - onTick: called a few times a second while it runs.
    func run(_ machine: inout MachineWatch, onTick: () -> Void) throws(RunError) -> Outcome {
        let deadline = clock.now() + share.timeLimit
        let talk: Pipe
        let child: ChildProcess
        do {
            talk = try Pipe(for: executable.path)
            defer { close(talk.write) }
            let launch = launches.launch(
                executable, arguments(deadline), for: entry, threadsRunAtOnce: threadsRunAtOnce)
            child = try ChildProcess(
                launch.program, launch.arguments, environment: launch.environment, output: .descriptor(log.descriptor),
                error: .descriptor(log.descriptor), fourth: talk.write, leadsGroup: true)
        } catch {
            throw .environment("suite \(executable.name): \(error)")
        }
        _ = fcntl(talk.read, F_SETFL, O_NONBLOCK)
        defer { close(talk.read) }
        let watch = child.openExitWatch()
        guard watch >= 0 else {
            child.signal(SIGKILL)
            _ = child.waitUntilExit()
            throw .environment("the kernel gives no descriptor to watch a process by (pidfd_open: \(errnoText()))")
        }
        defer { close(watch) }
        machine.suite = child.pid
        return listen(
            to: child, talk.read, watch, until: min(deadline + grace, share.end ?? deadline + grace), &machine, onTick)
    }

    private func arguments(_ deadline: Instant) -> [String] {
        [
            SuiteProgram.trialOption, benchmark.id.description, "--records", recordsPath, "--scratch", scratchFolder,
            "--trial", "\(entry.trial)", "--block", "\(entry.block)", "--clock",
            // An emulator's time-stamp counter is not this machine's.
            (entry.mode == .exact || entry.mode == .simulated ? nil : clock.ticks?.text) ?? SuiteProgram.kernelClock,
            "--origin", "\(clock.origin)", "--deadline", "\(deadline.sinceOrigin)", "--seed", "\(seed)",
        ] + (share.samplingLimit.map { ["--sampling-limit", "\($0.count)"] } ?? []) + (quick ? ["--quick"] : [])
            + (entry.mode == .simulated
                ? launches.simulatorCounts(trial: entry.trial).map { ["--simulator-counts", $0] } ?? [] : [])
            + counters.arguments(block: entry.block, entry.mode)
            + (entry.mode == .timed ? [] : ["--mode", entry.mode.rawValue])
    }

    private func listen(
        to child: ChildProcess, _ messagesPipe: Int32, _ watch: Int32, until limit: Instant,
        _ machine: inout MachineWatch, _ onTick: () -> Void
    ) -> Outcome {
        var talk = Conversation()
        var looks = 0
        var end: Outcome?
        while end == nil {
            var entries = [
                pollfd(fd: talk.isOver ? -1 : messagesPipe, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&entries, 3, Self.look)
            if entries[0].revents != 0 { talk.read(from: messagesPipe) }
            machine.look(talk.phase)
            looks += 1
            if looks % Self.looksPerTick == 0 { onTick() }
            if entries[2].revents != 0, signals.take() {
                child.signal(SIGTERM)
                _ = child.waitForExit(milliseconds: Self.patience)
                end = outcome(.interrupted, "the run was interrupted while this trial ran", talk)
            } else if let garbage = talk.garbage {
                end = failure("\(garbage)", talk)
            } else if entries[1].revents != 0 {
                break
            } else if clock.now() >= limit {
                let phase = talk.phase.map { " in its phase “\($0.rawValue)”" } ?? ""
                end = failure("it ran past its limit of \(share.timeLimit.seconds) s\(phase) and was killed", talk)
            }
        }
        // Its whole group goes before it is reaped, while the group's number cannot be another's.
        child.signal(SIGKILL)
        let status = child.waitUntilExit()
        talk.read(from: messagesPipe)
        return end ?? judge(status, talk)
    }

    /// How a trial came out whose process ended by itself.
    private func judge(_ status: ExitStatus, _ talk: Conversation) -> Outcome {
        if let garbage = talk.garbage { return failure(garbage, talk) }
        if let complaint = talk.complaint { return failure(complaint, talk) }
        let phase = talk.phase.map { " in its phase “\($0.rawValue)”" } ?? ""
        guard status == .exited(0) else { return failure("it ended by \(status)\(phase)", talk) }
        guard let finished = talk.finished else { return failure("it left\(phase) before the trial's end", talk) }
        var outcome = outcome(.completed, "", talk)
        outcome.tasksMeant = finished.tasksMeant
        outcome.allEnded = finished.allEnded
        return outcome
    }

    private func failure(_ sentence: String, _ talk: Conversation) -> Outcome {
        let output = log.tail()
        return outcome(.failed, sentence + (output.isEmpty ? "" : "; its last output: “\(output)”"), talk)
    }

    private func outcome(_ status: Trial.Status, _ reason: String, _ talk: Conversation) -> Outcome {
        Outcome(status: status, reason: reason, samples: talk.samples, tasksMeant: benchmark.tasks, allEnded: false)
    }
}

/// What a suite has said so far.
private struct Conversation {
    var phase: TrialPhase?
    var samples: [Sample] = []
    var finished: SuiteMessage.Finished?
    var complaint: String?
    var garbage: String?
    /// Whether nothing more can come.
    var isOver = false

    private var reader = SuiteMessageReader()

    /// Takes in what is there, without waiting.
    mutating func read(from pipe: Int32) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while garbage == nil {
            let count = Glibc.read(pipe, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 {
                isOver = count == 0
                return
            }
            do {
                for message in try reader.take(chunk[..<count]) { take(message) }
            } catch {
                garbage = error.sentence
            }
        }
    }

    private mutating func take(_ message: SuiteMessage) {
        switch message {
        case .hello(let hello):
            if hello.protocol != SuiteMessage.currentProtocol {
                garbage = "the suite speaks protocol \(hello.protocol), not \(SuiteMessage.currentProtocol)"
            }
        case .phase(let phase): self.phase = phase
        case .sample(let sample):
            samples.append(sample)
        case .finished(let finished): self.finished = finished
        case .failed(let sentence): complaint = sentence
        case .benchmark: garbage = "the suite described a benchmark in the middle of a trial"
        }
    }
}
