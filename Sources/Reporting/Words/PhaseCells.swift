import Results
import Statistics
import Words

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
