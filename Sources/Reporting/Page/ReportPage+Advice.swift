import Analysis
import Results
import Statistics
import Words

/// Which strategy for a workload: each criterion with its ranks, and who is efficient.
extension ReportPage {
    func adviceTable(_ workload: WorkloadView, _ html: inout HTML) {
        guard let advice = workload.advice, advice.criteria.count > 1 else { return }
        html.element("div", [(.class, "scroll"), (.tabindex, "0")]) { html in
            html.element("table", [(.class, "advice")]) { html in
                html.element("caption", "Which strategy? Ranks by each criterion")
                html.element("thead") { html in
                    html.element("tr") { html in
                        html.element("th", [(.scope, "col")], "Strategy")
                        html.element("th", [(.scope, "col"), (.title, AdviceText.efficientMeaning)], "Efficient")
                        html.element(
                            "th", [(.scope, "col"), (.title, "threads that began a task, and most tasks at once")],
                            "Workers")
                        for criterion in advice.criteria {
                            html.element(
                                "th", [(.scope, "col"), (.title, PlainText.oneLine(criterion.metric.name))],
                                criterion.title)
                        }
                    }
                }
                html.element("tbody") { html in
                    for entry in workload.entries where entry.place != nil {
                        html.element("tr", entry.strategy == advice.choice ? [(.class, "leader")] : []) { html in
                            nameCell(entry, &html)
                            html.element(
                                "td", [(.class, "number")], advice.efficient.contains(entry.strategy) ? "★" : "")
                            number(
                                entry.summary.workers.map {
                                    PlainNumber.significant($0.workersInAll) + " / "
                                        + PlainNumber.significant($0.peakRunning)
                                }, hint: nil, &html)
                            for criterion in advice.criteria {
                                number(
                                    AdviceText.cell(criterion, entry.strategy), hint: AdviceText.hint(criterion), &html)
                            }
                        }
                    }
                }
            }
        }
        html.element("p", [(.class, "footnote")], AdviceText.note(advice))
    }
}

/// The cells of advice, which every form of a report shares.
enum AdviceText {
    static let efficientMeaning =
        "★ marks those that are efficient: no other is shown to be better in something without being shown to be worse in something else (the Pareto set)"

    /// `1= 4.20 ms`: rank, and median over trials.
    static func cell(_ criterion: Advice.Criterion, _ strategy: String) -> String? {
        guard let place = criterion.place(of: strategy) else { return nil }
        let rank = criterion.isJudged ? "\(place.rank)" + (place.sharesRank ? "=" : "") : "?"
        return "\(rank) · \(CostText.value(place.estimate.median, unit: criterion.metric.unit))"
    }

    static func hint(_ criterion: Advice.Criterion) -> String? {
        criterion.isJudged ? nil : "too few trials for a judgement: it takes \(criterion.ranking.blocksNeeded)"
    }

    static func note(_ advice: Advice) -> String {
        let undecided = advice.criteria.filter { !$0.isJudged }.map(\.ranking.blocksNeeded).max()
        return
            "Rank · median over trials; amounts are by task. A rank is one more than the number of strategies shown to be better; those that "
            + "share one, marked =, cannot be told apart in the order of it"
            + (undecided.map { "; ? marks what has too few trials for a judgement (\($0) are needed)" } ?? "")
            + ". \(efficientMeaning)."
    }
}
