import Results
import Words

/// A sampled benchmark's results in words, the same in every form of the report; “–” where there are none.
struct SampledCells {
    private let summary: BenchmarkSummary

    init(_ entry: SampledView.Entry) { summary = entry.summary }

    var time: String { summary.iteration.map { EstimateText.duration($0.time) } ?? "–" }
    var empty: String { summary.iteration?.empty.map { EstimateText.duration($0.withoutInterval) } ?? "–" }
    var scatter: String { summary.iteration.map { PlainNumber.roughPercent($0.scatter) } ?? "–" }
    var samples: String { summary.iteration.map { PlainNumber.grouped($0.samples) } ?? "–" }
    var iterations: String { summary.iteration.map { PlainNumber.grouped($0.iterationsPerSample) } ?? "–" }
    var trials: String {
        "\(summary.trialsCompleted)/\(summary.trialsPlanned)"
            + (summary.trialsFailed > 0 ? ", \(summary.trialsFailed) failed" : "")
    }
    var doubts: String { DoubtText.short(summary.doubts) }

    /// What the time of an iteration is, for a footnote.
    static let timeMeaning =
        "the time of an iteration is the median over trials [interval of at least 95 %] of what each trial’s median sample says, "
        + "less what it says of an iteration that does nothing; negative where noise outweighs the work"
    /// What scatter is, for a footnote.
    static let scatterMeaning =
        "scatter is the median absolute deviation of the samples inside a trial, as a share of their median"
}
