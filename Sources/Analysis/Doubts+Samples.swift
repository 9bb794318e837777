import Results
import Statistics
import Words

/// Doubts from the look of a sampled benchmark's samples.
extension DoubtSearch {
    var sampleDoubts: [Doubt] {
        let series = trials.compactMap { data.batches[$0.number]?.work.perIteration }.filter { !$0.isEmpty }
        let drift = drift(series)
        let clock = clockResolution
        // Samples that drift depend on the ones before, and those of a coarse clock gather around its ticks: what follows from another
        // doubt is no doubt of its own.
        return [
            drift, drift == nil ? autocorrelation(series) : nil, clock == nil ? severalModes(series) : nil, clock,
            unsteadyWarmUp,
        ].compactMap { $0 }
    }

    private func drift(_ series: [[Double]]) -> Doubt? {
        guard let found = DoubtRules.driftInside(series) else { return nil }
        let (direction, cause) =
            found.size > 0
            ? ("slower", "perhaps something fills up or heats up") : ("faster", "perhaps it was still warming up")
        return Doubt(
            .drift,
            "In \(found.text) samples become \(direction) as the trial goes on, by \(PlainNumber.roughPercent(abs(found.size))) "
                + "from the first to the last: \(cause). Look at the plot; let the warm-up take longer.")
    }

    private func autocorrelation(_ series: [[Double]]) -> Doubt? {
        guard let found = DoubtRules.dependence(series) else { return nil }
        return Doubt(
            .autocorrelation,
            "In \(found.text) samples depend on the ones before, and are worth about \(PlainNumber.roughPercent(found.size)) of "
                + "their number. The interval is over trials and holds; to narrow it, make more trials, not more samples."
        )
    }

    private func severalModes(_ series: [[Double]]) -> Doubt? {
        guard let (found, places) = DoubtRules.severalModes(series) else { return nil }
        let empty = summary.iteration?.empty?.median ?? 0
        let (lower, upper) = (PlainDuration.rough(places.0 - empty), PlainDuration.rough(places.1 - empty))
        return Doubt(
            .severalModes,
            "In \(found.text) samples gather around more than one place, such as \(lower) and \(upper): one median "
                + "describes neither. Look at the plot for when each comes, and measure apart what differs.")
    }

    /// Both the clock's cost and its resolution should be less than a thousandth of a sample. The engine aims at just that, so
    /// that only a sample shorter than half of it is doubtful.
    private var clockResolution: Doubt? {
        var short: [(sample: Double, clock: Double)] = []
        var asked = 0
        for trial in trials {
            guard let sample = data.batches[trial.number].flatMap({ median($0.work.elapsed) }),
                let clock = clockLimit(trial)
            else { continue }
            asked += 1
            if sample < 500 * clock { short.append((sample, clock)) }
        }
        guard short.count * 2 > asked, let sample = median(short.map(\.sample)), let clock = median(short.map(\.clock))
        else { return nil }
        let share = sample > clock ? "\(PlainNumber.roughPercent(clock / sample)) of it" : "as much as all of it"
        return Doubt(
            .clockResolution,
            "A sample takes \(PlainDuration.rough(sample)), and the clock costs or cannot tell apart \(PlainDuration.rough(clock)): "
                + "\(share), where 0.1 % is wanted. Time it in batches, with time enough for them.")
    }

    /// The larger of the clock's cost and its resolution, as the trial knows them or, failing that, the run.
    private func clockLimit(_ trial: Trial) -> Double? {
        let cost =
            data.value(of: trial, TrialFact.clockCost) ?? data.run.clock?.readCost ?? data.run.selfCost?.clockRead
        let resolution =
            data.value(of: trial, TrialFact.clockResolution) ?? data.run.clock?.resolution
            ?? data.run.selfCost?.clockResolution
        return [cost, resolution].compactMap { $0 }.max()
    }

    private var unsteadyWarmUp: Doubt? {
        let told = trials.compactMap { data.value(of: $0, TrialFact.warmUpSteady) }
        let unsteady = told.count { $0 == 0 }
        guard unsteady * 2 > told.count else { return nil }
        let text = DoubtRules.Finding(trials: unsteady, asked: told.count, size: 0).text
        return Doubt(
            .unsteadyWarmUp,
            "In \(text) the warm-up ended at its limit and not because times had become steady: what was measured may still "
                + "have been warming up. Let it take longer: a fifth of the duration of `sampling` is its limit.")
    }
}
