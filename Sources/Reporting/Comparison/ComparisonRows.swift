import Comparison
import Results
import Words

/// A comparison as people read it: one sentence first, then what changed, then the rest.
struct ComparisonRows {
    struct Row {
        var judgement: Judgement
        var verdict: String
        var name: String
        var metric: String
        var base: String
        var head: String
        var change: String
        var interval: String
        var pairs: String
        /// The smallest change that would have been seen.
        var seen: String
        var note: String
    }

    var rows: [Row]

    /// In the order in which they deserve to be looked at.
    private static let order: [Verdict] = [
        .regressed, .failed, .improved, .unstable, .undecided, .notComparable, .new, .removed, .unchanged,
    ]

    init(_ result: ComparisonRecord) {
        let ranks = Dictionary(uniqueKeysWithValues: Self.order.enumerated().map { ($1, $0) })
        func rank(_ judgement: Judgement) -> Int { ranks[judgement.verdict] ?? Self.order.count }
        rows = result.judgements.enumerated()
            .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map { Row($0.element) }
    }

    /// Rows about which somebody may want to do something.
    static func isNoted(_ row: Row) -> Bool { row.judgement.verdict != .unchanged }

    /// What each verdict is worth in the one sentence: `2 regressed`.
    static func counts(_ result: ComparisonRecord) -> String {
        let counted = order.compactMap { verdict in
            let count = result.count(verdict)
            return count == 0 ? nil : "\(PlainNumber.grouped(count)) \(verdict.rawValue)"
        }
        return counted.isEmpty ? "nothing to compare" : counted.joined(separator: ", ")
    }

    /// `2 regressed, 17 unchanged: a1b2c3d against the base 0f1e2d3`.
    static func sentence(_ result: ComparisonRecord) -> String {
        let stopped = result.stopReason.map { " (not finished: \($0))" } ?? ""
        return "\(counts(result)): \(PlainText.oneLine(result.head.name)) against the base "
            + "\(PlainText.oneLine(result.base.name))\(stopped)"
    }

    /// How it was judged, in sentences.
    static func method(_ result: ComparisonRecord) -> [String] {
        let judge = result.judge
        return [
            "\(PlainNumber.counted(result.pairs, "pair")) of trials, by turns in an order drawn by a coin, in "
                + "\(PlainDuration.long(result.duration)). Changes within ±\(PlainNumber.percent(judge.tolerance)) do not matter; at most "
                + "\(PlainNumber.percent(judge.falseAlarms)) of comparisons of a program with itself tell of any change."
        ] + result.warnings
    }
}

extension ComparisonRows.Row {
    init(_ judgement: Judgement) {
        self.judgement = judgement
        let unit = judgement.metric.unit
        func value(_ value: Double?) -> String { value.map { CostText.value($0, unit: unit) } ?? "" }
        verdict = judgement.verdict.rawValue
        name = PlainText.oneLine(judgement.benchmark.description)
        metric = judgement.metric.title ?? judgement.metric.name
        base = value(judgement.base)
        head = value(judgement.head)
        change = judgement.change.map(Self.signed) ?? ""
        interval =
            judgement.interval.map { "[\(Self.signed($0.lower - 1)), \(Self.signed($0.upper - 1))]" } ?? ""
        pairs = judgement.pairs + judgement.gaps == 0 ? "" : "\(judgement.pairs)"
        seen = judgement.smallestChange.map { PlainNumber.roughPercent($0) } ?? ""
        var notes = judgement.reason.isEmpty ? [] : [PlainText.oneLine(judgement.reason)]
        if judgement.gaps > 0 { notes.append("\(PlainNumber.counted(judgement.gaps, "pair")) without a ratio") }
        if judgement.disturbed > 0 { notes.append("\(judgement.disturbed) disturbed") }
        if judgement.verdict == .undecided, let needed = judgement.pairsNeeded {
            notes.append("about \(PlainNumber.counted(needed, "more pair")) may decide it")
        }
        note = notes.joined(separator: "; ")
    }

    /// `+3.2 %`, `−0.4 %`.
    private static func signed(_ share: Double) -> String {
        let text = PlainNumber.fixed(abs(share) * 100, decimals: abs(share) < 0.1 ? 2 : 1)
        return (share < 0 ? "−" : "+") + text + " %"
    }
}
