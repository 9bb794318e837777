import Analysis
import Results
import Statistics
import Words

/// How long the slowest responses of a workload, or of what an experiment compares, took, up to p99.99, with intervals over trials.
///
/// Of a closed loop it has a second row for each strategy: what the requests that were not sent during waits would have met.
struct TailTable {
    /// A benchmark whose responses are told.
    private struct Subject {
        var name: String
        var description: BenchmarkDescription
        var summary: BenchmarkSummary
    }

    struct Row {
        var name: String
        /// One for each of `titles`; “–” where there is none.
        var cells: [String]
    }

    static let titles = ["p50", "p90", "p99", "p99.9", "p99.99", "max"]

    var rows: [Row] = []
    /// Why cells are empty, each reason once.
    var reasons: [String] = []
    /// What is named at the begin of a row, as the head of a column.
    let compares: String
    /// What the rows mean.
    let meaning: String

    /// Nil for a workload whose tasks come neither by a schedule nor for a time: how long its slowest took is in its other tables.
    init?(_ workload: WorkloadView, _ data: RunData) {
        self.init(
            workload.entries.map { Subject(name: $0.name, description: $0.description, summary: $0.summary) },
            compares: "Strategy", data)
    }

    /// The same for what an experiment compares.
    init?(_ view: ExperimentView, _ facet: ExperimentView.Facet, _ data: RunData) {
        self.init(
            view.members(of: facet).map { Subject(name: $0.name, description: $0.description, summary: $0.summary) },
            compares: PlainText.oneLine(view.result.description.compares), data)
    }

    private init?(_ subjects: [Subject], compares: String, _ data: RunData) {
        let subjects = subjects.filter { $0.description.lasts != nil || $0.summary.response != nil }
        let tails = subjects.compactMap { subject in data.responseTail(of: subject.description).map { (subject, $0) } }
        guard !tails.isEmpty else { return nil }
        self.compares = compares
        var corrected = false
        for (subject, tail) in tails {
            rows.append(
                Row(
                    name: subject.name,
                    cells: tail.percentiles.map { percentile in
                        percentile.estimate.map { EstimateText.duration($0) } ?? "–"
                    }))
            for case .some(let gap) in tail.percentiles.map({ $0.estimate == nil ? $0.gap?.reason : nil })
            where !reasons.contains(gap) { reasons.append(gap) }
            guard let correction = tail.correction else { continue }
            corrected = true
            rows.append(
                Row(
                    name: "\(subject.name), corrected",
                    cells: Metric.Statistic.allCases.map { statistic in
                        let histogram = correction.histogram
                        guard let share = statistic.share else {
                            return histogram.maximum.map { PlainDuration.text(Nanoseconds($0)) } ?? "–"
                        }
                        // By the requests that were made: those that are added know nothing that these do not.
                        guard tail.histogram.totalCount >= valuesNeeded(forPercentile: share) else { return "–" }
                        return histogram.value(at: share).map { PlainDuration.text(Nanoseconds($0)) } ?? "–"
                    }))
        }
        meaning =
            "Response times: the median over trials of each trial’s percentile [interval]."
            + (corrected
                ? " “Corrected” adds what requests would have met that a closed loop did not send while it waited, had each place "
                    + "sent one as often as its median response allows (a guess; an open loop, --rate, measures it)."
                : "")
    }

    /// For a terminal.
    var text: TextTable {
        var table = TextTable(
            columns: [.init(title: "response", right: false, dispensability: 0)]
                + Self.titles.enumerated().map { place, title in
                    // What the tail is asked for goes last.
                    .init(title: title, right: true, dispensability: [1, 4, 0, 3, 2, 5][place])
                })
        table.rows = rows.map { [$0.name] + $0.cells }
        return table
    }
}
