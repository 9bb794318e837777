import Clocks
import CommandOptions
import Recording
import Results

/// Shows a run's progress on standard error: one line that changes on a terminal, a line now and then elsewhere.
package final class ProgressPrinter {
    private let clock = MonotonicClock()
    private let terminalWidth = Console.width(.error)
    private let isTerminal = Console.isTerminal(.error)
    private let isQuiet: Bool
    private var total = 0
    private var benchmarks = 0
    private var done = 0
    private var current = ""
    private var failures = 0
    /// How long a trial of each benchmark took when it last ran.
    private var durations: [Timed: Nanoseconds] = [:]
    private var spent = Nanoseconds.zero

    private struct Timed: Hashable {
        var benchmark: BenchmarkID
        var mode: Trial.Mode
    }
    private var lastLine = Instant(sinceOrigin: .min / 2)

    private static let pauseOnTerminal = Nanoseconds.milliseconds(100)
    private static let pauseElsewhere = Nanoseconds.seconds(10)

    package init(quiet: Bool) { isQuiet = quiet }

    package func show(_ event: RunEvent) {
        switch event {
        case .planned(let folder, let benchmarks, let trials):
            total = trials
            self.benchmarks = benchmarks
            let all = trials == 1 ? "1 trial" : "\(trials) trials"
            say("\(benchmarks) \(benchmarks == 1 ? "benchmark" : "benchmarks"), \(all) in all, into \(folder.path)")
        case .trialBegan(_, _, let benchmark, let mode):
            current = benchmark.description + (mode == .timed ? "" : " (\(mode.inWords))")
            refresh()
        case .tick: refresh()
        case .trialPassedOver:
            done += 1
            failures += 1
            if done == total { finish() } else { refresh() }
        case .trialEnded(let trial, let took):
            if trial.status != .interrupted { done += 1 }
            durations[Timed(benchmark: trial.benchmark, mode: trial.mode)] = took
            spent += took
            if trial.status == .failed {
                failures += 1
                say("trial \(trial.number) of \(trial.benchmark) failed: \(trial.reason)")
            }
            if done == total { finish() } else { refresh() }
        }
    }

    /// Leaves the last line as it is, and goes on below it.
    package func finish() {
        guard !isQuiet, total > 0 else { return }
        if isTerminal { Console.write("\r\u{1B}[K", to: .error) }
        let failed = failures > 0 ? ", \(failures) failed" : ""
        Console.write("\(done) of \(total) trials\(failed) in \(Self.clockText(elapsed))\n", to: .error)
        total = 0
    }

    private var elapsed: Nanoseconds { clock.now() - Instant(sinceOrigin: 0) }

    private func refresh() {
        guard !isQuiet, total > 0 else { return }
        let now = clock.now()
        guard now - lastLine >= (isTerminal ? Self.pauseOnTerminal : Self.pauseElsewhere) else { return }
        lastLine = now
        let failed = failures > 0 ? " · \(failures) failed" : ""
        let line = "\(done)/\(total) · \(Self.clockText(elapsed)) elapsed\(left)\(failed) · \(current)"
        if isTerminal {
            let shown = terminalWidth.map { String(line.prefix($0 - 1)) } ?? line
            Console.write("\r\u{1B}[K" + shown, to: .error)
        } else {
            Console.write(line + "\n", to: .error)
        }
    }

    /// What the trials to come will take: those of a benchmark that has run take as long again, others as the mean.
    private var left: String {
        guard done > 0, benchmarks > 0 else { return "" }
        let mean = Double(spent.count) / Double(done)
        let known = durations.values.reduce(0.0) { $0 + Double($1.count) }
        let perBlock = known + mean * Double(max(benchmarks - durations.count, 0))
        let remaining = perBlock * Double(total - done) / Double(benchmarks)
        return ", about \(Self.clockText(Nanoseconds(Int64(remaining)))) left"
    }

    private func say(_ line: String) {
        guard !isQuiet else { return }
        Console.write((isTerminal ? "\r\u{1B}[K" : "") + line + "\n", to: .error)
    }

    /// `4:07`: minutes and seconds.
    static func clockText(_ time: Nanoseconds) -> String {
        let seconds = Int(time.seconds.rounded())
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
}
