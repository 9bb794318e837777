import Analysis
import Results
import Statistics
import Words

/// What a colleague would say about a workload's strategies.
extension WorkloadView {
    /// What kind of work it is: “blocking work of 20 ms”, or the workload's own name.
    private var workText: String {
        if let text = entries.first?.description.workClass { return "For \(PlainText.oneLine(text))" }
        return "For \(shortTitle)"
    }

    /// Which strategy to take and which to leave alone; nil where the data support neither.
    var adviceSentence: String? {
        guard let advice else { return nil }
        var parts: [String] = []
        if let choice = advice.choice {
            let firsts = advice.criteria.filter { $0.isJudged && $0.place(of: choice)?.rank == 1 }.map(\.title)
            parts.append(
                "\(workText), take \(PlainText.oneLine(choice)): nothing is shown to be better in \(PlainText.list(firsts))"
            )
            if let price = price(of: choice, advice) { parts.append(price) }
        }
        if let warning = warning(advice) { parts.append(warning) }
        guard !parts.isEmpty else { return nil }
        let text = parts.joined(separator: "; ")
        return (advice.choice == nil ? "\(workText): \(text)" : text) + "."
    }

    /// In what the one to take is shown to be the worse, and by how much at most.
    private func price(of choice: String, _ advice: Advice) -> String? {
        let lost = advice.criteria.filter(\.isJudged).map { ($0, $0.loss(of: choice)) }.filter { $0.1 > 1 }
        guard let (criterion, loss) = lost.max(by: { $0.1 < $1.1 }), let best = criterion.ranking.best else {
            return nil
        }
        let share = criterion.metric.direction == .higherIsBetter ? 1 / loss : loss
        return "its price is \(criterion.title), \(PlainNumber.times(share)) that of \(PlainText.oneLine(best.name))"
    }

    /// The greatest difference in times that the data bear out: who makes tasks wait, or takes longest.
    private func warning(_ advice: Advice) -> String? {
        let worst = advice.criteria.compactMap { criterion -> (Advice.Criterion, Ranking.Place, Double)? in
            guard criterion.metric.unit == "ns", criterion.metric.name != Metric.processorTime.name, criterion.isJudged,
                let place = criterion.ranking.places.last(where: \.isToldApartFromBest),
                let ratio = place.ratioToBest?.median, ratio >= 1.5
            else { return nil }
            return (criterion, place, ratio)
        }.max { $0.2 < $1.2 }
        guard let (criterion, place, ratio) = worst, let best = criterion.ranking.best else { return nil }
        let word = criterion.title.split(separator: " ").first.map(String.init) ?? criterion.title
        let verb = word == "wait" ? "makes tasks wait" : word == "spent" ? "makes tasks take" : "answers"
        let percentile = criterion.title.split(separator: " ").last.map(String.init) ?? ""
        return
            "\(PlainText.oneLine(place.name)) \(verb) \(PlainNumber.times(ratio)) as long as \(PlainText.oneLine(best.name)) "
            + "(\(percentile) \(PlainDuration.text(place.estimate.median)) against \(PlainDuration.text(best.estimate.median)))"
    }
}
