import Clocks
import CommandOptions
import Results

/// The options of a run, which `taskmeter run` and a suite by itself share.
package enum RunOptions {
    package static let selecting: [CommandOption] = [
        CommandOption(
            "filter", short: "f", argument: "REGEX",
            "Only benchmarks whose identity (suite/name[axis=value,…]) the expression matches somewhere. May be repeated: one match is enough."
        ),
        CommandOption("skip", argument: "REGEX", "No benchmark that the expression matches. May be repeated."),
        CommandOption(
            "axis", argument: "NAME=VALUE[,VALUE…]",
            "Only benchmarks that have one of these values on the axis, such as strategy=pool-8. May be repeated."),
        CommandOption(
            "quick", "A tenth of the tasks or samples, and 2 trials: for trying things, not for judging them."),
        CommandOption(
            "full", "Also values of axes that take long, such as 10,000 tasks that block: minutes in place of seconds."),
    ]

    package static let running: [CommandOption] = [
        CommandOption(
            "trials", short: "n", argument: "N",
            "Trials (processes) of each benchmark. Default \(defaultTrials), or more where a workload has so many strategies that ranking them needs more; \(quickTrials) with --quick."
        ),
        CommandOption("seed", argument: "N", "Fixes the order of the trials. Default: drawn anew, and stored."),
        CommandOption(
            "time-limit", argument: "SECONDS",
            "How long a trial may take before it is ended. Default \(Int(defaultTimeLimit)), with --full \(Int(fullTimeLimit))."
        ),
        CommandOption(
            "clock", argument: "auto|tsc|kernel",
            "Which clock moments are read from: the processor's time-stamp counter, or the kernel's clock. Default auto: the counter where the kernel itself trusts it."
        ),
        CommandOption(
            "max-time", argument: "SECONDS",
            "How long all of it may take, the report included: sampled benchmarks then measure less, and trials that do not fit are left out. Default no limit."
        ),
        CommandOption(
            "counters", argument: "EVENT[,EVENT…]|none",
            "Make 2 more trials of each benchmark (more where events do not fit together) that count these events, of iterations or task by task, such as instructions,cycles,PAPI_L1_DCM,perf::BRANCH-LOADS. Default: instructions, cycles, branch and cache misses beside the times, where this machine counts them. May be repeated."
        ),
        CommandOption(
            "allocations",
            "Make 2 more trials of each benchmark that count allocations, which would disturb times."),
        CommandOption(
            "exact",
            "Make 2 more trials of each benchmark under an emulator that counts instructions one by one: repeatable to 0.01 %, on every machine. With --trials 0 these alone."
        ),
        CommandOption(
            "caches",
            "Make 1 more trial of each sampled benchmark under a simulator of caches and branch prediction: its misses repeat, and no processor has exactly these. With --trials 0 these alone."
        ),
        CommandOption(
            "idle", argument: "SECONDS",
            "Where this machine counts energy: how long it is measured at rest before the first trial and after the last, for what the work takes beyond that. Default 10, 2 with --quick; 0 for not at all."
        ),
        CommandOption(
            "battery", argument: "WH",
            "Capacity of a battery in watt-hours: energy is then also told as hours of its life. Default: the machine's own battery, if it has one."
        ),
        CommandOption("output", short: "o", argument: "DIR", "Where the run's folder is made. Default Reports."),
        CommandOption("allow-debug", "Accept suites that were built without optimisation."),
        CommandOption("quiet", short: "q", "No progress on standard error."),
    ]

    /// Ten blocks are the fewest in which one of seven strategies can be told apart from another; see `Ranking`.
    static let defaultTrials = 10
    static let quickTrials = 2
    static let defaultTimeLimit = 60.0
    static let fullTimeLimit = 300.0

    /// The request that the options make.
    package static func request(
        _ command: ParsedCommand, suites: [SuiteExecutable], suitesWereNamed: Bool
    ) throws(UsageError) -> RunRequest {
        let quick = command.has("quick")
        let clock = command.last("clock") ?? ClockChoice.automatic.rawValue
        guard let clockChoice = ClockChoice(rawValue: clock) else {
            let choices = ClockChoice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--clock “\(clock)” is none of \(choices)")
        }
        let modes: [(option: String, mode: Trial.Mode)] = [
            ("allocations", .allocations), ("exact", .exact), ("caches", .simulated),
        ]
        var counting = Set(modes.filter { command.has($0.option) }.map(\.mode))
        let events = command.all("counters").isEmpty ? nil : try counters(command.all("counters"))
        if events?.isEmpty == false { counting.insert(.events) }
        let trials = try command.integer("trials", in: 0...10_000)
        if trials == 0, counting.isEmpty {
            throw UsageError(
                "--trials 0 leaves nothing to measure; it goes with --exact, --allocations, --caches or --counters")
        }
        let seed = try command.integer("seed", in: 0...Int.max).map(UInt64.init)
        return RunRequest(
            suites: suites, suitesWereNamed: suitesWereNamed, filters: command.all("filter"),
            skips: command.all("skip"), axes: try axes(command.all("axis")), quick: quick, full: command.has("full"),
            trials: trials,
            // 53 bits, so that every reader of JSON gets the same number back.
            seed: seed ?? UInt64.random(in: 0..<1 << 53),
            timeLimit: .seconds(
                try command.seconds("time-limit") ?? (command.has("full") ? fullTimeLimit : defaultTimeLimit)),
            maxTime: try command.seconds("max-time").map(Nanoseconds.seconds),
            allowDebug: command.has("allow-debug"), clock: clockChoice, counting: counting,
            counters: events,
            idle: .seconds(try idle(command) ?? (quick ? 2 : 10)), batteryWattHours: try wattHours(command),
            output: command.last("output") ?? "Reports",
            command: [lastPart(CommandLine.arguments[0])] + CommandLine.arguments.dropFirst())
    }

    private static func idle(_ command: ParsedCommand) throws(UsageError) -> Double? {
        command.last("idle").flatMap { Double($0) } == 0 ? 0 : try command.seconds("idle")
    }

    private static func wattHours(_ command: ParsedCommand) throws(UsageError) -> Double? {
        guard let text = command.last("battery") else { return nil }
        guard let value = Double(text), value > 0, value.isFinite else {
            throw UsageError("--battery is “\(text)”; it must be a number of watt-hours above 0")
        }
        return value
    }

    /// Names from lists of them; none for “none”.
    private static func counters(_ texts: [String]) throws(UsageError) -> [String] {
        let names = texts.flatMap { $0.split(separator: ",").map(String.init) }
        guard !names.isEmpty, !names.contains("none") || names == ["none"] else {
            throw UsageError("--counters “\(texts.joined(separator: ","))” is neither a list of events nor “none”")
        }
        return names.filter { $0 != "none" }
    }

    /// A program's name without the folders that lead to it: what repeats a run on another machine.
    private static func lastPart(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    private static func axes(_ texts: [String]) throws(UsageError) -> [String: Set<String>] {
        var axes: [String: Set<String>] = [:]
        for text in texts {
            let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let values = halves.count == 2 ? halves[1].split(separator: ",").map(String.init) : []
            guard halves.count == 2, !halves[0].isEmpty, !values.isEmpty else {
                throw UsageError("--axis “\(text)” is not of the form NAME=VALUE or NAME=VALUE,VALUE")
            }
            axes[String(halves[0]), default: []].formUnion(values)
        }
        return axes
    }
}
