import Analysis
import Results
import Words

/// Benchmarks that are shown together by the phases of their tasks: those of a workload, or of an experiment's facet.
struct PhaseView {
    /// A benchmark.
    struct Row {
        var name: String
        var look: SeriesLook
        var description: BenchmarkDescription
        var summary: BenchmarkSummary

        /// Nil where its tasks have no phases.
        var phases: PhaseSummary? { summary.phases.flatMap { $0.tasks > 0 ? $0 : nil } }
    }

    /// A segment, as a column of the table.
    struct Column: Hashable {
        var name: String
        var isRest: Bool

        var title: String { isRest ? "to the end" : PlainText.oneLine(name, columns: 40) }
        var hint: String {
            isRest
                ? "from the last phase to the end of the task; all of a task without phases"
                : "from what came before it, a phase or the begin of the task, to “\(PlainText.oneLine(name))”"
        }
    }

    /// What is drawn in one colour: a segment, or all those for which there is none left.
    struct Part {
        var title: String
        var colour: String
        var columns: Set<Column>
        /// Of what is written on the colour.
        var ink = "#ffffff"
    }

    /// What they are, for titles of plots.
    var title: String
    /// Those with a completed trial.
    var rows: [Row]
    /// In the order in which tasks come to them, the rest last.
    var columns: [Column]

    /// Nil where no benchmark has phases.
    init?(title: String, rows: [Row]) {
        let told = rows.compactMap(\.phases)
        guard !told.isEmpty else { return nil }
        self.title = title
        self.rows = rows.filter { $0.summary.trialsCompleted > 0 }
        columns =
            PhaseOrder.merged(told.map { $0.segments.filter { !$0.isRest }.map(\.name) })
            .map { Column(name: $0, isRest: false) }
        if told.contains(where: { $0.rest != nil }) { columns.append(Column(name: "end", isRest: true)) }
    }

    init?(_ workload: WorkloadView) {
        self.init(
            title: workload.title,
            rows: workload.entries.map {
                Row(name: $0.name, look: $0.look, description: $0.description, summary: $0.summary)
            })
    }

    init?(_ view: ExperimentView, _ facet: ExperimentView.Facet) {
        let along = facet.conditions.count > 1 ? view.result.description.along : nil
        self.init(
            title: view.identity + (facet.title.isEmpty ? "" : " with " + facet.title),
            rows: facet.conditions.flatMap { condition in
                condition.members.compactMap { member in
                    let place = along.flatMap { axis in condition.parameters.first { $0.axis == axis } }
                    return view.summaries[member.description.id].map { summary in
                        Row(
                            name: PlainText.oneLine(member.name + (place.map { ", \($0.axis)=\($0.value)" } ?? "")),
                            look: view.look(member), description: member.description, summary: summary)
                    }
                }
            })
    }

    /// Nil where the benchmark's tasks never come to it.
    func segment(_ row: Row, _ column: Column) -> PhaseSummary.Segment? {
        row.phases?.segments.first { $0.name == column.name && $0.isRest == column.isRest }
    }

    /// Colours of segments in their order: those of series, so ordered that neighbours differ in lightness as well as in hue. More
    /// colours than these cannot be told apart.
    private static let palette = [
        "#0072b2", "#d55e00", "#00875f", "#b5489a", "#b07d00", "#2a94d6", "#332288", "#2f8f84", "#882255", "#7a4fc9",
        "#6e6e1f",
    ]
    private static let restColour = "#5f5f5f"
    private static let othersColour = "#dcc88f"

    /// The colours, in the order of segments. Where there are too many segments, those of which no benchmark has a large share are
    /// drawn as one, after the others.
    var parts: [Part] {
        let phases = columns.filter { !$0.isRest }
        func share(_ column: Column) -> Double { rows.compactMap { segment($0, column)?.share }.max() ?? 0 }
        var own = Set(phases)
        if phases.count > Self.palette.count {
            let shares = Dictionary(uniqueKeysWithValues: phases.map { ($0, share($0)) })
            own = Set(
                phases.enumerated().sorted {
                    (-(shares[$0.element] ?? 0), $0.offset) < (-(shares[$1.element] ?? 0), $1.offset)
                }
                .prefix(Self.palette.count).map(\.element))
        }
        var parts = zip(phases.filter { own.contains($0) }, Self.palette).map { column, colour in
            Part(title: PlainText.oneLine(column.name, columns: 28), colour: colour, columns: [column])
        }
        let others = phases.filter { !own.contains($0) }
        if !others.isEmpty {
            parts.append(
                Part(
                    title: "\(others.count) other phases", colour: Self.othersColour, columns: Set(others),
                    ink: GnuplotScript.ink))
        }
        if let rest = columns.first(where: \.isRest) {
            parts.append(Part(title: rest.title, colour: Self.restColour, columns: [rest]))
        }
        return parts
    }

    /// The phases that some do not tell: `curl: name resolved and TLS done`; empty where all tell the same.
    var untold: [String] {
        let texts = rows.compactMap { row -> (name: String, text: String)? in
            guard row.phases != nil else { return (row.name, "no phases at all") }
            let lacking = columns.filter { !$0.isRest && segment(row, $0) == nil }.map(\.title)
            guard !lacking.isEmpty else { return nil }
            let named = lacking.count <= 4 ? PlainText.list(lacking) : PlainNumber.counted(lacking.count, "phase")
            return (row.name, named)
        }
        return texts.map { "\($0.name): \($0.text)" }
    }
}

/// The numbers of segments, as all tables show them.
struct PhaseCells {
    /// A table that has more columns cannot be read: the segments of least share are left out then.
    private static let mostColumns = 16

    var view: PhaseView
    var columns: [PhaseView.Column]
    var leftOut: Int

    init(_ view: PhaseView) {
        self.view = view
        let shares = view.columns.map { column in view.rows.compactMap { view.segment($0, column)?.share }.max() ?? 0 }
        let kept = Set(
            view.columns.indices.sorted { (-shares[$0], $0) < (-shares[$1], $1) }.prefix(Self.mostColumns))
        columns = view.columns.indices.filter { kept.contains($0) }.map { view.columns[$0] }
        leftOut = view.columns.count - columns.count
    }

    /// `1.20 ms · 45 %`, and in how many of the tasks where that is not all; `not told` where the benchmark's tasks never come to it.
    func cell(_ row: PhaseView.Row, _ column: PhaseView.Column) -> String {
        guard let phases = row.phases, let segment = view.segment(row, column) else { return "not told" }
        let some =
            segment.times.count < phases.tasks
            ? ", in \(PlainNumber.roughPercent(Double(segment.times.count) / Double(phases.tasks)))" : ""
        return
            "\(PlainDuration.text(segment.times.medianOverTrials.median)) · \(PlainNumber.roughPercent(segment.share))"
            + some
    }

    func hint(_ row: PhaseView.Row, _ column: PhaseView.Column) -> String {
        guard let segment = view.segment(row, column) else {
            return row.phases == nil ? "its tasks have no phases" : "its tasks never come to this phase"
        }
        let interval =
            EstimateText.interval(segment.times.medianOverTrials) ?? segment.times.medianOverTrials.doubt ?? ""
        return
            "interval of the median \(interval); p90 \(EstimateText.percentile(segment.times.p90)), p99 "
            + "\(EstimateText.percentile(segment.times.p99)), mean \(PlainDuration.text(segment.times.mean)); "
            + PlainNumber.counted(segment.times.count, "task")
    }

    static let meaning =
        "Median over trials of each trial’s median · share of all that tasks spent. A segment runs to its phase from what came before it, a "
        + "phase or the begin of the task; “in 3 %” tells that so many of the tasks came to it, and the median is of those; what is not "
        + "told is not zero"

    var note: String {
        Self.meaning
            + (leftOut > 0
                ? "; \(PlainNumber.counted(leftOut, "more segment")) of the least share \(leftOut == 1 ? "stands" : "stand") in --format json"
                : "") + "."
    }
}
