import Analysis
import Results
import Statistics

/// One row a benchmark, for spreadsheets and scripts (RFC 4180). Units stand in the headings and never change; what is
/// not known is an empty field, never a zero.
enum CSVExporter: ResultExporter {
    static let name = "csv"

    private struct Row {
        var description: BenchmarkDescription
        var summary: BenchmarkSummary
        /// Its place among strategies; nil for code that is timed in batches, which has none.
        var entry: WorkloadView.Entry?
    }

    private typealias Column = (title: String, value: @Sendable (Row) -> String)

    private static let columns: [Column] = identity + measures + workers + iterations

    private static let identity: [Column] = [
        ("benchmark", { $0.summary.benchmark.description }),
        ("workload", { $0.summary.benchmark.workload.description }),
        ("strategy", { $0.summary.benchmark.strategy ?? "" }),
        ("standing", { $0.entry.map { standing($0.standing) } ?? "" }),
        ("rank", { $0.entry?.standing.rank.map(String.init) ?? "" }),
        ("trials_planned", { "\($0.summary.trialsPlanned)" }),
        ("trials_completed", { "\($0.summary.trialsCompleted)" }),
        ("trials_failed", { "\($0.summary.trialsFailed)" }),
        ("tasks_submitted", { "\($0.summary.tasks.submitted)" }),
        ("tasks_ok", { "\($0.summary.tasks.ok)" }),
        ("tasks_failed", { "\($0.summary.tasks.failed)" }),
        ("tasks_cancelled", { "\($0.summary.tasks.cancelled)" }),
        ("tasks_unfinished", { "\($0.summary.tasks.unfinished)" }),
    ]

    private static let measures: [Column] = [
        estimate("throughput", "per_s") { $0.summary.throughput },
        estimate("ratio_to_best", "") { $0.entry?.place?.ratioToBest },
        estimate("elapsed", "ns") { $0.summary.elapsed },
        estimate("cpu_per_task", "ns") { $0.summary.processorTimePerTask },
        distribution("spent") { $0.summary.spent },
        distribution("wait") { $0.summary.wait },
    ].flatMap { $0 }

    private static let workers: [Column] = [
        ("workers_at_start", { $0.summary.workers.map { number($0.workersAtStart) } ?? "" }),
        ("workers_in_all", { $0.summary.workers.map { number($0.workersInAll) } ?? "" }),
        ("workers_gained_per_s", { $0.summary.workers?.workersPerSecond.map { number($0) } ?? "" }),
        ("peak_running", { $0.summary.workers.map { number($0.peakRunning) } ?? "" }),
        ("oldest_unfinished_ns", { $0.summary.oldestUnfinished.map { "\($0.count)" } ?? "" }),
        ("faults", { "\($0.summary.faults.total)" }),
        ("warnings", { $0.summary.warnings.joined(separator: " ") }),
    ]

    private static let sampling: [Column] = [("sampling", { $0.description.sampling ?? "" })]

    private static let iterations: [Column] = [
        sampling, estimate("iteration_time", "ns") { $0.summary.iteration?.time },
        estimate("empty_iteration_time", "ns") { $0.summary.iteration?.empty },
        samples, doubts,
    ].flatMap { $0 }

    private static let samples: [Column] = [
        ("samples", { $0.summary.iteration.map { "\($0.samples)" } ?? "" }),
        ("iterations_per_sample", { $0.summary.iteration.map { "\($0.iterationsPerSample)" } ?? "" }),
        ("scatter", { $0.summary.iteration.map { number($0.scatter) } ?? "" }),
    ]

    private static let doubts: [Column] = [
        ("doubt_kinds", { ($0.summary.doubts ?? []).map(\.kind.rawValue).joined(separator: " ") }),
        ("doubts", { ($0.summary.doubts ?? []).map(\.sentence).joined(separator: " ") }),
    ]

    static func export(_ data: RunData, _ summaries: [BenchmarkSummary], style: TextStyle) -> String {
        let entries = WorkloadView.all(data, summaries).flatMap(\.entries)
        let entryOf = Dictionary(entries.map { ($0.description.id, $0) }, uniquingKeysWith: { first, _ in first })
        let columns = columns + costs(summaries) + phases(summaries)
        var bytes = CSV.row(columns.map(\.title))
        let summaryOf = Dictionary(summaries.map { ($0.benchmark, $0) }, uniquingKeysWith: { first, _ in first })
        // In the order of declaration, so that two exports of one run's kind can be laid side by side.
        for benchmark in data.run.benchmarks {
            let entry = benchmark.sampling == nil ? entryOf[benchmark.id] : nil
            guard let summary = entry?.summary ?? summaryOf[benchmark.id] else { continue }
            bytes += CSV.row(columns.map { $0.value(Row(description: benchmark, summary: summary, entry: entry)) })
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Four columns for each cost of which any benchmark tells: by task, by iteration and by trial are different ones. Where there
    /// is no number, the status says which kind of none it is.
    private static func costs(_ summaries: [BenchmarkSummary]) -> [Column] {
        struct Kind: Hashable {
            var metric: String
            var unit: String
            var per: CostSummary.Divisor
        }
        var seen: Set<Kind> = []
        let kinds = summaries.flatMap { $0.costs ?? [] }.map { Kind(metric: $0.metric, unit: $0.unit, per: $0.per) }
            .filter { seen.insert($0).inserted }
        return kinds.flatMap { kind in
            cost("cost_\(kind.metric)_\(kind.unit == "1" ? "" : kind.unit + "_")per_\(kind.per.rawValue)") { row in
                row.summary.costs?.first { $0.metric == kind.metric && $0.unit == kind.unit && $0.per == kind.per }
            }
        }
    }

    /// Eight columns for each segment of which any benchmark tells, and how many tasks have no part in them.
    private static func phases(_ summaries: [BenchmarkSummary]) -> [Column] {
        let told = summaries.compactMap(\.phases)
        guard !told.isEmpty else { return [] }
        let names = PhaseOrder.merged(told.map { $0.segments.filter { !$0.isRest }.map(\.name) })
        var columns: [Column] = []
        for name in names { columns += segment("segment_\(name)") { $0.segment(name) } }
        columns += segment("rest") { $0.rest }
        columns.append(
            ("tasks_with_phases_out_of_order", { row in row.summary.phases.map { "\($0.tasksOutOfOrder)" } ?? "" }))
        return columns
    }

    private static func segment(
        _ name: String, _ value: @escaping @Sendable (PhaseSummary) -> PhaseSummary.Segment?
    ) -> [Column] {
        @Sendable func times(_ row: Row) -> Distribution? { row.summary.phases.flatMap(value)?.times }
        @Sendable func share(_ row: Row) -> Double? { row.summary.phases.flatMap(value)?.share }
        let columns: [Column] = [
            ("\(name)_count", { times($0).map { "\($0.count)" } ?? "" }),
            ("\(name)_p99_ns", { times($0)?.p99.value.map { "\($0.count)" } ?? "" }),
            ("\(name)_mean_ns", { times($0).map { "\($0.mean.count)" } ?? "" }),
            ("\(name)_share", { share($0).map { number($0) } ?? "" }),
        ]
        return columns + estimate("\(name)_trial_median", "ns") { times($0)?.medianOverTrials }
    }

    private static func cost(_ name: String, _ value: @escaping @Sendable (Row) -> CostSummary?) -> [Column] {
        [
            (name, { value($0)?.estimate.map { number($0.median) } ?? "" }),
            ("\(name)_lower", { value($0)?.estimate?.interval.map { number($0.lower) } ?? "" }),
            ("\(name)_upper", { value($0)?.estimate?.interval.map { number($0.upper) } ?? "" }),
            ("\(name)_status", { value($0).flatMap { status($0) }?.rawValue ?? "" }),
        ]
    }

    /// Of the number where there is one, else of the most frequent reason for none.
    private static func status(_ cost: CostSummary) -> Reading.Status? {
        cost.estimate == nil ? cost.gaps.first?.reading.status : cost.isEstimated ? .estimated : .measured
    }

    static func standing(_ standing: WorkloadView.Standing) -> String {
        switch standing {
        case .best: "best"
        case .tied: "tied"
        case .place: "behind"
        case .undecided: "undecided"
        case .unmeasured: "unmeasured"
        }
    }

    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return "" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func estimate(
        _ name: String, _ unit: String, _ value: @escaping @Sendable (Row) -> MedianEstimate?
    ) -> [Column] {
        let suffix = unit.isEmpty ? "" : "_" + unit
        return [
            ("\(name)_median\(suffix)", { value($0).map { number($0.median) } ?? "" }),
            ("\(name)_lower\(suffix)", { value($0)?.interval.map { number($0.lower) } ?? "" }),
            ("\(name)_upper\(suffix)", { value($0)?.interval.map { number($0.upper) } ?? "" }),
            ("\(name)_confidence", { value($0)?.interval.map { number($0.confidence) } ?? "" }),
        ]
    }

    private static func distribution(
        _ name: String, _ value: @escaping @Sendable (Row) -> Distribution?
    ) -> [Column] {
        @Sendable func text(_ percentile: Percentile?) -> String { percentile?.value.map { "\($0.count)" } ?? "" }
        let columns: [Column] = [
            ("\(name)_count", { value($0).map { "\($0.count)" } ?? "" }),
            ("\(name)_p50_ns", { text(value($0)?.p50) }),
            ("\(name)_p90_ns", { text(value($0)?.p90) }),
            ("\(name)_p99_ns", { text(value($0)?.p99) }),
            ("\(name)_p999_ns", { text(value($0)?.p999) }),
            ("\(name)_max_ns", { value($0).map { "\($0.max.count)" } ?? "" }),
            ("\(name)_mean_ns", { value($0).map { "\($0.mean.count)" } ?? "" }),
        ]
        return columns + estimate("\(name)_trial_median", "ns") { value($0)?.medianOverTrials }
    }
}
