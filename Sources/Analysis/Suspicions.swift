import Results
import Words

/// What makes a run's numbers less trustworthy than they look, each with what to do about it.
package struct Suspicions: Sendable {
    /// Things that change the meaning of the numbers: missing trials, failures.
    package var grave: [String] = []
    /// Things that add noise or doubt.
    package var slight: [String] = []

    package init(_ data: RunData, _ summaries: [BenchmarkSummary]) {
        let run = data.run
        grave += data.missing
        let failedTrials = summaries.reduce(0) { $0 + $1.trialsFailed }
        if failedTrials > 0 {
            // Code that is timed in batches has no workload.
            let isOfSampled = summaries.allSatisfy { $0.trialsFailed == 0 || data.isSampled($0.benchmark) }
            let whose = isOfSampled ? "benchmark" : "workload"
            let place =
                failedTrials == 1 ? "the reason stands with its \(whose)" : "the reasons stand with their \(whose)s"
            grave.append("\(PlainNumber.counted(failedTrials, "trial")) failed; \(place).")
        }
        let failedTasks = summaries.reduce(0) { $0 + $1.tasks.failed }
        let unfinished = summaries.reduce(0) { $0 + $1.tasks.unfinished }
        if failedTasks > 0 {
            grave.append(
                "\(PlainNumber.counted(failedTasks, "task")) failed; they do not count for throughput, but their times are among the percentiles."
            )
        }
        if unfinished > 0 {
            grave.append(
                "\(PlainNumber.counted(unfinished, "task")) had not ended when the trial did; "
                    + "counted as unfinished, and without a part in percentiles.")
        }
        let faults = summaries.reduce(RecordingFaults.none) { $0 + $1.faults }
        if faults.total > 0 {
            grave.append(
                "Tasks were begun or ended more than once, or out of order (\(faults.sentences.joined(separator: ", "))): "
                    + "a suite or a strategy does not do what it should.")
        }
        if let build = run.environment.buildConfiguration.value, build.lowercased().contains("debug"),
            !build.lowercased().contains("release")
        {
            grave.append(
                "This is a debug build (\(PlainText.oneLine(build))): its times say nothing of a release build.")
        }
        grave += (run.clock?.misbehaviour ?? []).map { PlainText.oneLine($0) }
        if run.revision.differenceHash != nil {
            slight.append("The tree was not clean: no commit holds exactly this code. Commit, then measure again.")
        }
        if run.revision.commit.value == nil {
            slight.append("The revision is not known (\(PlainText.oneLine(run.revision.commit.description))).")
        }
        if let machine = run.environment.virtualMachine.value, !Self.saysNo(machine) {
            slight.append(
                "Measured in a place shared with others: \(PlainText.oneLine(machine)). They can take processor time unseen."
            )
        }
        if let load = run.environment.loadAtStart.value, let first = Self.firstNumber(load),
            first >= 0.5 * Double(run.environment.usableProcessors)
        {
            slight.append(
                "Something else ran when the run began, or had just run (load \(PlainText.oneLine(load)))."
            )
        }
        if let governor = run.environment.governor.value, governor != "performance" {
            slight.append("The processor's clock may change while measuring (governor \(PlainText.oneLine(governor))).")
        }
        if run.configuration.quick {
            slight.append("A quick run: fewer tasks, wider intervals. Leave out --quick for numbers to keep.")
        }
    }

    private static func saysNo(_ text: String) -> Bool {
        let lower = text.lowercased()
        return lower.isEmpty || lower == "no" || lower == "none" || lower.hasPrefix("none ") || lower.hasPrefix("no ")
            || lower == "false"
    }

    private static func firstNumber(_ text: String) -> Double? {
        Double(text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") })
    }
}
