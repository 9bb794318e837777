import Results
import Statistics
import Words

/// Doubts from what kernel and engine told of each trial. What they did not tell gives no doubt.
extension DoubtSearch {
    /// The share of a trial's time that may be stolen. Less than three ticks of the kernel's counter (30 ms) is not told from none.
    private static let stealLimit = 0.01
    private static let leastSteal = 30e6
    /// A second. Kernel threads interrupt an idle machine a few times a second; a program that competes takes the processor a
    /// hundred times.
    private static let interruptionLimit = 20.0
    private static let migrationLimit = 10.0
    /// Fewer events than this in a trial are no rate.
    private static let leastEvents = 10.0

    var machineDoubts: [Doubt] {
        // Threads of a strategy interrupt each other and move, because that is how it works.
        (isSampled ? [stolenTime, throttling, busyMachine, migrations] : [stolenTime, throttling]).compactMap { $0 }
    }

    private var stolenTime: Doubt? {
        let found = disturbed(TrialFact.stealTime, of: .wholeTrial) { stolen, seconds in
            let share = stolen / 1e9 / seconds
            return share > Self.stealLimit && stolen >= Self.leastSteal ? share : nil
        }
        return found.map { found in
            Doubt(
                .stolenTime,
                "In \(found.text) the host took processor time away, \(PlainNumber.roughPercent(found.size)) of the trial. Measure on a "
                    + "host of its own, or at a quieter hour.")
        }
    }

    private var throttling: Doubt? {
        let found = disturbed(TrialFact.throttled, of: .wholeTrial) { events, _ in events > 0 ? events : nil }
        return found.map { found in
            Doubt(
                .throttling,
                "In \(found.text) the processor was throttled, \(PlainNumber.significant(found.size)) times a trial: a quota or "
                    + "heat held it back. Lift the quota, or let the machine cool, and measure again.")
        }
    }

    private var busyMachine: Doubt? {
        let found = disturbed(TrialFact.involuntarySwitches, of: .measuredPart) { events, seconds in
            events >= Self.leastEvents && events / seconds > Self.interruptionLimit ? events / seconds : nil
        }
        return found.map { found in
            Doubt(
                .busyMachine,
                "In \(found.text) other work took the processor away from the measurement, "
                    + "\(PlainNumber.significant(found.size, digits: 2)) times a second. Stop what else runs, and measure again."
            )
        }
    }

    private var migrations: Doubt? {
        let found = disturbed(TrialFact.migrations, of: .measuredPart) { events, seconds in
            events >= Self.leastEvents && events / seconds > Self.migrationLimit ? events / seconds : nil
        }
        return found.map { found in
            Doubt(
                .migrations,
                "In \(found.text) the measuring thread was moved to another processor, "
                    + "\(PlainNumber.significant(found.size, digits: 2)) times a second: its caches were cold each time. Bind the run to "
                    + "one processor (taskset), or stop what else runs.")
        }
    }

    /// The time over which a fact was counted.
    private enum Span {
        /// From the start of the process on, with preparation and warm-up. When it ended is not told: to the end of what was
        /// measured, at the least.
        case wholeTrial
        case measuredPart
    }

    /// The trials that a fact shows to be disturbed, when they are at least a quarter of those that tell it.
    ///
    /// - Parameter size: how much, from the fact's value and the seconds of its span; nil for a trial that is not.
    private func disturbed(_ fact: String, of span: Span, size: (Double, Double) -> Double?) -> DoubtRules.Finding? {
        var sizes: [Double] = []
        var asked = 0
        for trial in trials {
            guard let value = data.value(of: trial, fact), let begin = trial.measureBegin, let end = trial.measureEnd,
                end > begin
            else { continue }
            asked += 1
            let since = span == .wholeTrial ? min(trial.started, begin) : begin
            if let size = size(value, (end - since).seconds) { sizes.append(size) }
        }
        guard let size = median(sizes), sizes.count * 4 >= asked else { return nil }
        return DoubtRules.Finding(trials: sizes.count, asked: asked, size: size)
    }
}

/// What an engine may tell of a whole trial, by the names of the metrics in `samples.csv`.
enum TrialFact {
    static let involuntarySwitches = "involuntary_switches"
    static let migrations = "migrations"
    static let stealTime = "steal_time"
    static let throttled = "throttled"
    static let clockCost = "clock_cost"
    static let clockResolution = "clock_resolution"
    static let warmUpSteady = "warmup_steady"
}

extension RunData {
    /// The value of a metric of a whole trial; nil where it was not told.
    package func value(of trial: Trial, _ metric: String) -> Double? {
        samples[trial.number]?.first { $0.metric == metric }?.value
    }
}
