import Results
import Statistics
import Words

extension RunData {
    /// What the run says of each of its benchmarks, in the order of their declaration.
    package func summaries() -> [BenchmarkSummary] { run.benchmarks.map { summary(of: $0) } }

    package func summary(of description: BenchmarkDescription) -> BenchmarkSummary {
        let benchmark = description.id
        var summary = BenchmarkSummary(benchmark: benchmark, trialsPlanned: run.timedTrials(of: description))
        let everyMode = trials.filter { $0.benchmark == benchmark }
        let all = everyMode.filter { $0.mode == .timed }
        let completed = completedTrials(of: benchmark)
        summary.trialsCompleted = completed.count
        summary.trialsFailed = everyMode.count { $0.status == .failed }
        summary.tasks = all.reduce(TaskCounts()) { $0 + $1.tasks }
        summary.faults = all.reduce(RecordingFaults.none) { $0 + $1.faults }
        let reasons = all.compactMap { failureReasons[$0.number] }.reduce(into: [:]) {
            $0.merge($1, uniquingKeysWith: +)
        }
        summary.failureReasons = reasons.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(5)
            .map { BenchmarkSummary.FailureReason(reason: $0.key, count: $0.value) }
        summary.failureClasses = FailureClass.grouped(reasons)
        summary.phases = phases[benchmark]

        summary.oldestUnfinished =
            all.compactMap { trial in
                oldestUnfinished[trial.number].flatMap { oldest in trial.measureEnd.map { $0 - oldest } }
            }.max()

        let throughputs = completed.compactMap { sample($0, .throughput)?.value }
        summary.throughput = MedianEstimate(of: throughputs)
        summary.elapsed = MedianEstimate(of: completed.compactMap { sample($0, .elapsed)?.value })
        switch description.manner {
        case .samples: summary.iteration = iterationSummary(completed)
        case .observations: break
        case .tasks:
            summary.processorTimePerTask = MedianEstimate(
                of: completed.compactMap { trial in
                    sample(trial, .processorTime).flatMap { sample in
                        sample.iterations > 0 ? sample.value.map { $0 / Double(sample.iterations) } : nil
                    }
                })
        }
        let columns = completed.compactMap { tasks[$0.number] }
        summary.spent = distribution(columns) { $0.spent($1) }
        summary.wait = distribution(columns) { $0.wait($1) }
        if columns.contains(where: \.haveLags) {
            summary.response = distribution(columns) { $0.response($1) }
            summary.lag = distribution(columns) { $0.lag($1) }
        }
        summary.workers = workerGrowth(completed)
        summary.costs = costs(of: benchmark)
        summary.warnings = warnings(everyMode, summary)
        summary.doubts = DoubtSearch(data: self, benchmark: description, trials: completed, summary: summary).doubts
        return summary
    }

    /// The one value that a trial gave for a metric.
    package func sample(_ trial: Trial, _ metric: Metric) -> Sample? {
        samples[trial.number]?.first { $0.metric == metric.name }
    }

    /// Strategies of a workload, ranked by throughput, paired by block.
    package func ranking(of workload: BenchmarkID) -> Ranking {
        var values: [String: [Int: Double]] = [:]
        for benchmark in run.benchmarks where benchmark.id.workload == workload && benchmark.manner == .tasks {
            guard let strategy = benchmark.id.strategy else { continue }
            for trial in completedTrials(of: benchmark.id) {
                // A trial in which no task ended well has no throughput to rank.
                if let value = sample(trial, .throughput)?.value, value > 0 {
                    values[strategy, default: [:]][trial.block] = value
                }
            }
        }
        return Ranking(values)
    }

    /// The workloads of the run whose tasks strategies execute, in the order of their declaration; those that answer the question
    /// of an experiment stand there.
    package var workloads: [BenchmarkID] {
        var seen: Set<BenchmarkID> = []
        return run.benchmarks.filter { $0.manner == .tasks && $0.experiment == nil }.map(\.id.workload).filter {
            seen.insert($0).inserted
        }
    }

    private func distribution(_ trials: [TaskColumns], _ value: (TaskColumns, Int) -> Int64) -> Distribution? {
        Distribution(trials.map(\.count)) { trial, index in value(trials[trial], index) }
    }

    private func warnings(_ trials: [Trial], _ summary: BenchmarkSummary) -> [String] {
        var sentences: [String] = []
        // Trials that failed alike are told once.
        let unwell = trials.filter { $0.status != .completed }
        for trial in unwell {
            let alike = unwell.filter { $0.reason == trial.reason && $0.status == trial.status }.map(\.number)
            guard alike.first == trial.number else { continue }
            let who =
                alike.count == 1 ? "Trial \(trial.number)" : "Trials \(PlainText.list(alike.map(String.init)))"
            sentences.append("\(who) \(trial.status.rawValue): \(PlainText.excerpt(trial.reason)).")
        }
        let counts = summary.tasks
        if counts.unfinished > 0 {
            let age = summary.oldestUnfinished.map { "; the oldest was \(PlainDuration.text($0)) old" } ?? ""
            let were =
                counts.unfinished == 1
                ? "was unfinished when its trial ended" : "were unfinished when their trial ended"
            sentences.append("\(PlainNumber.counted(counts.unfinished, "task")) \(were)\(age).")
        }
        sentences += (summary.failureClasses ?? []).flatMap(\.sentences)
        if counts.cancelled > 0 {
            let were = counts.cancelled == 1 ? "was" : "were"
            sentences.append("\(PlainNumber.counted(counts.cancelled, "task")) \(were) cancelled.")
        }
        if summary.faults.total > 0 {
            sentences.append("The recorder was misused: " + summary.faults.sentences.joined(separator: ", ") + ".")
        }
        if isSampled(summary.benchmark), summary.trialsCompleted > summary.iteration?.time.count ?? 0 {
            let without = summary.trialsCompleted - (summary.iteration?.time.count ?? 0)
            sentences.append("\(PlainNumber.counted(without, "completed trial")) left no sample.")
        }
        // A run that only counts sets out to time nothing.
        if summary.trialsCompleted == 0, summary.trialsPlanned > 0 {
            sentences.append("No trial completed: there is nothing to judge.")
        }
        return sentences
    }
}
