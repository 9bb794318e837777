import Results
import Statistics
import Words

/// Finds what in a benchmark's own data makes its numbers less sure than they look, and says of each what was seen and what to do.
///
/// What concerns the whole run stands in `Suspicions`, and what went wrong among the warnings of a summary. When the look of samples is
/// worth a doubt, `DoubtRules` decides. What kernel and engine told of each trial counts where at least a quarter of the trials
/// that tell it are disturbed: a median over trials outlives fewer, its interval does not outlive many.
struct DoubtSearch {
    let data: RunData
    let benchmark: BenchmarkDescription
    /// Those that completed.
    let trials: [Trial]
    let summary: BenchmarkSummary

    var isSampled: Bool { benchmark.manner == .samples }

    /// In the order of their kinds.
    var doubts: [Doubt] {
        var found =
            [
                tooFewTrials, driftOverTrials, instrumentCost, lateLog, lateGenerator, failedTasks, phasesOutOfOrder,
                energyDoubt,
            ]
            .compactMap { $0 }
            + machineDoubts
        if isSampled { found += sampleDoubts }
        return Doubt.Kind.allCases.flatMap { kind in found.filter { $0.kind == kind } }
    }

    /// The value of each trial by which the benchmark is judged, in the order in which they were made.
    var values: [Double] {
        trials.sorted { $0.number < $1.number }.compactMap { trial in
            isSampled ? data.iterationTime(of: trial) : data.sample(trial, .throughput)?.value
        }
    }

    private var tooFewTrials: Doubt? {
        guard let doubt = (isSampled ? summary.iteration?.time : summary.throughput)?.doubt else { return nil }
        let enough = MedianEstimate.valuesNeeded(confidence: 0.95)
        return Doubt(.tooFewTrials, "\(doubt): run it with --trials \(enough) or more.")
    }

    private var driftOverTrials: Doubt? {
        // A share of what was read, for what is left after the subtraction may be next to nothing.
        let scale =
            isSampled
            ? summary.iteration.map { abs($0.time.median + ($0.empty?.median ?? 0)) } : summary.throughput?.median
        guard let scale, let change = DoubtRules.driftOver(values, scale: scale) else { return nil }
        let slower = (change > 0) == isSampled
        let size = PlainNumber.roughPercent(abs(change))
        return Doubt(
            .drift,
            "From the first trial of the run to the last it becomes \(slower ? "slower" : "faster") by \(size): the "
                + "machine changed meanwhile. Trust comparisons inside the run only, or measure again on a machine at rest."
        )
    }

    /// 300 ms are what makes a counter that moves once a millisecond sure to 1 %, both ends of the window taken together.
    private static let shortestEnergyWindow = 300e6

    private var energyDoubt: Doubt? {
        let windows = trials.compactMap { data.value(of: $0, Metric.energyWindow.name) }
        guard let shortest = windows.min() else { return nil }
        var reasons: [String] = []
        if shortest < Self.shortestEnergyWindow {
            reasons.append(
                "it was measured for \(PlainDuration.rough(shortest)) only, where 300 ms give 1 %: let a trial have more tasks"
            )
        }
        if data.run.energyIsShared == true {
            reasons.append("others share this machine, and their work is in it: measure on a machine of one's own")
        }
        guard !reasons.isEmpty else { return nil }
        return Doubt(.energy, "Energy is less sure than it looks: \(reasons.joined(separator: "; ")).")
    }

    private var instrumentCost: Doubt? {
        switch benchmark.manner {
        case .samples: subtractionCost
        case .tasks: costInsideSpent
        case .observations: nil
        }
    }

    /// What beginning and ending a task add to what it spent.
    private var costInsideSpent: Doubt? {
        guard let inside = data.run.selfCost?.insideSpent, inside > 0, let spent = summary.spent?.p50.value,
            Double(spent.count) < 100 * inside
        else { return nil }
        let share = PlainNumber.roughPercent(min(inside / Double(max(spent.count, 1)), 1))
        return Doubt(
            .instrumentCost,
            "Spent includes about \(PlainDuration.rough(inside)) of the instrument, \(share) of it. Do more in a task, or time "
                + "the code in batches.")
    }

    /// An open loop whose tasks come late is none. Half a millisecond is what a shared machine makes of any timer. Where a
    /// benchmark observes, it keeps its tasks itself, and how late they are may be what it is about.
    private var lateGenerator: Doubt? {
        guard benchmark.manner == .tasks, let lag = summary.lag, let responses = summary.response else { return nil }
        let isP99 = lag.p99.value != nil
        guard let late = isP99 ? lag.p99.value : lag.p90.value,
            let response = isP99 ? responses.p99.value : responses.p90.value
        else { return nil }
        guard late.count > max(500_000, response.count / 10) else { return nil }
        return Doubt(
            .lateGenerator,
            "Tasks were submitted up to \(PlainDuration.text(late)) after they were due (\(isP99 ? "p99" : "p90")), where responses take "
                + "\(PlainDuration.text(response)): the machine, or a strategy whose submission waits, holds up the arrivals. Ask for "
                + "fewer tasks a second, or leave the generator a processor of its own.")
    }

    /// What fails fast makes times look short, and what fails by a time limit makes them look long.
    private var failedTasks: Doubt? {
        let counts = summary.tasks
        guard counts.failed > 0, counts.submitted > 0 else { return nil }
        let share = Double(counts.failed) / Double(counts.submitted)
        guard share >= 0.001 else { return nil }
        return Doubt(
            .failedTasks,
            "\(PlainNumber.roughPercent(share)) of the tasks failed, and their times are among the percentiles: they took what failing "
                + "takes. See why they failed before you compare these times.")
    }

    private var phasesOutOfOrder: Doubt? {
        guard let phases = summary.phases, phases.tasksOutOfOrder > 0 else { return nil }
        let all = phases.tasks + phases.tasksOutOfOrder
        let tasks = phases.tasksOutOfOrder == 1 ? "1 has" : "\(PlainNumber.grouped(phases.tasksOutOfOrder)) have"
        return Doubt(
            .phasesOutOfOrder,
            "Of \(PlainNumber.counted(all, "task")) with phases \(tasks) some out of order: "
                + "\(PlainNumber.counted(phases.marksOutOfOrder, "mark")) earlier than the one before or than the begin of "
                + "the task, or later than its end. They have no part in the segments. Mark a task's phases in the order in which it "
                + "comes to them, by the recorder's own clock, and before it ends.")
    }

    /// Tasks that came faster than the log could grow made it grow themselves.
    private var lateLog: Doubt? {
        let late = trials.compactMap { data.value(of: $0, Metric.lateLogParts.name) }
        guard let parts = median(late) else { return nil }
        return Doubt(
            .instrumentCost,
            "In \(PlainNumber.counted(late.count, "trial")) tasks came faster than their log could grow: "
                + "\(PlainNumber.counted(Int(parts), "time")) a thread that submitted made it longer itself, for some tenths "
                + "of a millisecond of its wait. Declare how many tasks there are, or record to a faster disk.")
    }

    /// What is left of less than this, in nanoseconds, may be no more than the place of the code (see `Batches`): bodies
    /// that do nothing read up to 0.9.
    private static let shareOfPlace = 3.0

    private var subtractionCost: Doubt? {
        guard let iteration = summary.iteration else { return nil }
        let without = trials.count { data.iterationTime(of: $0) != nil && data.emptyTime(of: $0) == nil }
        if without > 0 {
            return Doubt(
                .instrumentCost,
                "In \(PlainNumber.counted(without, "trial")) no empty batch was timed: the loop and the clock are part of "
                    + "the time of an iteration.")
        }
        guard let subtracted = iteration.empty?.median else { return nil }
        let empty = PlainDuration.rough(subtracted)
        guard subtracted > DoubtRules.practicalShare * iteration.time.median else { return nil }
        if iteration.time.median <= 0 || iteration.time.interval?.contains(0) ?? false {
            return Doubt(
                .instrumentCost,
                "What is left after \(empty) of an empty iteration were subtracted cannot be told from nothing. If there is "
                    + "work in it, the compiler may have removed it: hand its result to blackHole.")
        }
        let ratio = subtracted / iteration.time.median
        let share =
            ratio < 2 ? "\(PlainNumber.roughPercent(ratio)) of" : "\(PlainNumber.significant(ratio, digits: 2)) times"
        // All trials run the same code at the same place, so that what this makes is no scatter that an interval could show.
        let place =
            iteration.time.median < Self.shareOfPlace
            ? " Where the body lies in memory alone changes a call by about a nanosecond, which the interval does not show."
            : ""
        return Doubt(
            .instrumentCost,
            "\(empty) of an empty iteration were subtracted, \(share) what is left: an error in it counts for as much."
                + place + " Do more in an iteration.")
    }
}
