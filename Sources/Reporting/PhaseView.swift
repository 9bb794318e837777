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
        self.init(
            title: view.identity + (facet.title.isEmpty ? "" : " with " + facet.title),
            rows: view.members(of: facet).map {
                Row(name: $0.name, look: $0.look, description: $0.description, summary: $0.summary)
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
