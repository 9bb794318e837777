import Clocks
import CommandOptions
import Comparison
import Results
import Words

/// Shows a comparison's progress on standard error: one line that changes on a terminal, a line now and then elsewhere.
final class ComparisonProgress {
    private let clock = MonotonicClock()
    private let isTerminal = Console.isTerminal(.error)
    private let width = Console.width(.error)
    private let isQuiet: Bool
    private var open = 0
    private var pairs = 0
    private var current = ""
    private var shown = Instant(sinceOrigin: .min / 2)

    init(quiet: Bool) { isQuiet = quiet }

    func show(_ event: ComparisonEvent) {
        switch event {
        case .planned(let folder, let benchmarks, _):
            open = benchmarks
            say("\(PlainNumber.counted(benchmarks, "benchmark")) on both sides, into \(folder)")
        case .pairBegan(let benchmark, let number):
            current = "\(benchmark), pair \(number + 1)"
            refresh()
        case .tick: refresh()
        case .trialFailed(let benchmark, let side, let reason):
            say("a trial of the \(side)'s \(benchmark) failed: \(PlainText.oneLine(reason))")
        case .roundEnded(let open, let pairs):
            (self.open, self.pairs) = (open, pairs)
            refresh()
        }
    }

    /// Clears the line that changes.
    func finish() {
        if isTerminal, !isQuiet { Console.write("\r\u{1B}[K", to: .error) }
    }

    private func refresh() {
        guard !isQuiet else { return }
        let now = clock.now()
        guard now - shown >= (isTerminal ? .milliseconds(100) : .seconds(10)) else { return }
        shown = now
        let line =
            "\(PlainDuration.long(now - Instant(sinceOrigin: 0))) · \(PlainNumber.counted(pairs, "pair")) · \(open) undecided · \(current)"
        if isTerminal {
            Console.write("\r\u{1B}[K" + (width.map { String(line.prefix($0 - 1)) } ?? line), to: .error)
        } else {
            Console.write(line + "\n", to: .error)
        }
    }

    private func say(_ line: String) {
        guard !isQuiet else { return }
        Console.write((isTerminal ? "\r\u{1B}[K" : "") + line + "\n", to: .error)
    }
}
