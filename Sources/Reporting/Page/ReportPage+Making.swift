import Results
import Words

/// How the run was made: environment, configuration, definitions, how to repeat it, and its files.
extension ReportPage {
    func howItWasMade(_ html: inout HTML) {
        html.lineBreak()
        html.element("section", [(.id, "environment")]) { html in
            html.element("h2", "Environment and configuration")
            html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
                html.element("table", [(.class, "pairs")]) { html in
                    html.element("tbody") { html in
                        for (name, fact) in facts { pair(name, fact, &html) }
                    }
                }
            }
        }
        html.element("section", [(.id, "definitions")]) { html in
            html.element("h2", "Definitions")
            html.element("dl", [(.class, "definitions")]) { html in
                for (word, meaning) in Self.definitions {
                    html.element("dt", word)
                    html.element("dd", meaning)
                }
            }
        }
        html.element("section", [(.id, "files")]) { html in
            html.element("h2", "Repeat it, and the files")
            html.element("p", "The command, as it was typed:")
            html.element("pre", [(.tabindex, "0")]) { $0.element("code", ShellText.command(run.configuration.command)) }
            html.element("p") { html in
                html.text("The seed \(run.configuration.seed) fixes the order of trials; add ")
                html.element("code", "--seed \(run.configuration.seed)")
                html.text(" to repeat it exactly.")
            }
            html.element("ul", [(.class, "files")]) { html in
                for (name, about) in Self.files {
                    html.element("li") { html in
                        html.element("a", [(.href, name)], name)
                        html.text(": " + about)
                    }
                }
            }
        }
    }

    private var facts: [(String, Fact)] {
        let environment = run.environment
        let configuration = run.configuration
        let memory = environment.memoryBytes.value.flatMap { Int64($0) }.map { Fact.known(PlainNumber.bytes($0)) }
        return [
            ("Operating system", environment.operatingSystem), ("Kernel", environment.kernel),
            ("Architecture", environment.architecture), ("Processor", environment.processor),
            ("Usable processors", .known("\(environment.usableProcessors)")),
            ("Memory", memory ?? environment.memoryBytes), ("Clock source", environment.clockSource),
            ("Clock resolution", .known(PlainDuration.text(environment.clockResolution))),
            ("Governor", environment.governor), ("Simultaneous multithreading", environment.simultaneousMultithreading),
            ("Virtual machine", environment.virtualMachine), ("Load at start", environment.loadAtStart),
            ("Swift", environment.swiftVersion), ("Build", environment.buildConfiguration),
            ("Commit", run.revision.commit), ("Branch", run.revision.branch),
            (
                "Uncommitted changes",
                .known(
                    run.revision.differenceHash.map { "yes, difference \($0)" }
                        ?? (run.revision.commit.value == nil ? "unavailable: no commit to compare with" : "none"))
            ),
            ("Run", .known(run.id)), ("State", .known(run.state.rawValue)),
            ("Trials a benchmark", .known("\(configuration.trials)")), ("Seed", .known("\(configuration.seed)")),
            (
                "Trials that count",
                .known(
                    (configuration.counting ?? []).map { "\($0.trials) \($0.mode.inWords)" }.joined(separator: ", "))
            ),
            ("Emulator", .known(run.emulator ?? "")), ("Quick", .known(configuration.quick ? "yes" : "no")),
            ("Time limit of a trial", .known(PlainDuration.long(configuration.timeLimit))),
        ].filter { $0.1 != .known("") } + InstrumentText.facts(run)
    }

    private func pair(_ name: String, _ fact: Fact, _ html: inout HTML) {
        html.element("tr") { html in
            html.element("th", [(.scope, "row")], name)
            switch fact {
            case .known(let text): html.element("td") { $0.element("bdi", PlainText.oneLine(text)) }
            case .unavailable(let reason):
                html.element("td", [(.class, "quiet")]) {
                    $0.element("bdi", "unavailable: " + PlainText.oneLine(reason))
                }
            }
        }
    }

    private static let definitions: [(String, String)] = [
        ("Task", "One unit of work with an ID: a request, a job, one iteration."),
        ("Spent", "From a task's begin to its end: what the work itself took."),
        ("Wait", "From a task's submission to its begin: how long it queued."),
        (
            "Phase, segment",
            "A phase is a named instant inside a task. A segment runs to a phase from what came before it, another phase or the begin of the task; the last one from the last phase to the end. So the segments of a task add up to what it spent. Tasks whose phases are marked out of order have no part in them."
        ),
        ("Strategy", "A way of executing tasks; benchmarks of one workload differ in nothing else."),
        (
            "Trial",
            "One process that ran one benchmark once. Tasks of one process share its heap, its threads and its luck, so the trial, not the task, is the independent unit of all statistics here."
        ),
        (
            "Throughput",
            "Tasks of a trial that ended well, over the time from its first submission to its last end."
        ),
        (
            "Percentile",
            "Exact and of nearest rank, over the tasks of all completed trials: p99 is the smallest measured value that at least 99 % of all values do not exceed. It is shown only when at least ten tasks lie beyond it, that is from 10/(1 − p) tasks on: 100 for p90, 1,000 for p99, 10,000 for p99.9."
        ),
        (
            "Interval",
            "The order-statistic interval of the median over trials, with a confidence of at least 95 %. It assumes only that trials are independent. Fewer than six trials cannot support one, and none is shown."
        ),
        (
            "Ratio to best",
            "Median over blocks of a strategy's throughput over that of the best in the same block, so that a machine that drifts moves both. The intervals of one ranking hold together with at least 95 % (Bonferroni)."
        ),
        (
            "Code timed in batches",
            "Code too short to be timed once: a sample times a batch of iterations. Batches that do nothing are timed in between, and what they take for an iteration is subtracted, trial by trial. The samples of a process are no independent unit either: the interval is over trials."
        ),
        (
            "Doubt",
            "Something in a benchmark’s own data, or in what kernel and instrument told of its trials, that makes its numbers less sure than they look. What tests find must be improbable (p < 0.001), large enough to matter (1 %) and seen in more than half of the trials; what was told must concern at least a quarter of them."
        ),
        ("Cannot be told apart", "The interval of the ratio contains 1: the data allow either to be faster."),
    ]

    private static let files: [(String, String)] = [
        ("run.json", "revision, environment, configuration, benchmarks, summaries"),
        ("tasks.csv", "one row a task: when it was submitted, began and ended, on which worker"),
        ("phases.csv", "one row a named instant in a task"),
        ("samples.csv", "one row a measured value: of a trial, or of a batch of iterations"),
        ("trials.csv", "one row a trial: how it came out"),
        ("plots/", "each plot as SVG with its gnuplot script and its data: cd plots && gnuplot NAME.gnuplot"),
    ]
}

/// A command as a person can paste it into a shell.
enum ShellText {
    static func command(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
        let plain = word.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_./=:,+@%".unicodeScalars.contains($0))
        }
        guard !plain || word.isEmpty else { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
