import Analysis
import Results
import Statistics
import Words

/// What an experiment found, in sentences that are never surer than the data.
extension ExperimentView {
    /// The finding under the condition that shows most: where two are told apart that lie the furthest from each other.
    var finding: String {
        guard let condition = tellingCondition else { return "No trial was made." }
        return finding(condition)
    }

    /// The conditions beside that one.
    var otherConditions: [ExperimentResult.Condition] {
        guard let telling = tellingCondition else { return [] }
        return result.conditions.filter { $0.parameters != telling.parameters }
    }

    /// The sentence about one condition.
    func finding(_ condition: ExperimentResult.Condition) -> String {
        let sentence = comparison(condition)
        guard !condition.parameters.isEmpty else { return capitalised(sentence) + absences(condition) }
        return "With \(Self.text(condition.parameters)): \(sentence)\(absences(condition))"
    }

    private var tellingCondition: ExperimentResult.Condition? {
        func distance(_ condition: ExperimentResult.Condition) -> Double {
            condition.ranking.places.filter(\.isToldApartFromBest).compactMap { spread(condition, $0) }.max() ?? 0
        }
        let most = result.conditions.map(distance).max() ?? 0
        if most > 0 { return result.conditions.first { distance($0) == most } }
        // Nothing is shown anywhere: one in which most have a number says most.
        let numbers = result.conditions.map(\.ranking.places.count).max() ?? 0
        return result.conditions.first { $0.ranking.places.count == numbers }
    }

    /// How many times as much a contender has as the best, or the best as it; above 1.
    private func spread(_ condition: ExperimentResult.Condition, _ place: Ranking.Place) -> Double? {
        place.ratioToBest.map { max($0.median, 1 / $0.median) }
    }

    private func comparison(_ condition: ExperimentResult.Condition) -> String {
        let ranking = condition.ranking
        guard let best = ranking.best else { return "no trial has a number" }
        let bestName = PlainText.oneLine(best.name)
        let others = ranking.places.filter { !$0.isBest }
        guard let last = others.last else {
            return "nothing to compare \(bestName) with; its \(metricTitle) is \(text(best.estimate))"
        }
        guard best.rank == 1 else { return "undecided, for the comparisons of pairs contradict one another" }
        guard others.contains(where: \.canBeToldApart) else {
            let trials = min(best.estimate.count, last.estimate.count)
            return
                "undecided, \(PlainNumber.counted(trials, "trial")) of the \(ranking.blocksNeeded) that it needs; so far "
                + "\(bestName) is ahead, with \(value(best.estimate.median)) as its \(metricTitle), and "
                + "\(PlainText.oneLine(last.name)) is last, with \(value(last.estimate.median))"
        }
        // By their medians, for a rank counts who is shown to be better, which noise decides among neighbours.
        let isLower = metric.direction == .lowerIsBetter
        let told = others.filter(\.isToldApartFromBest).sorted {
            isLower ? $0.estimate.median < $1.estimate.median : $0.estimate.median > $1.estimate.median
        }
        guard let worst = told.last else {
            return "\(names(ranking.places)) cannot be told apart by their \(metricTitle), \(between(ranking.places))"
        }
        let alike = ranking.places.filter { $0.rank == 1 }
        var parts = [
            alike.count == 1
                ? "\(bestName) is best, with \(text(best.estimate)) as its \(metricTitle)"
                : "none is shown to beat \(names(alike)), with \(between(alike)) as their \(metricTitle)"
        ]
        if alike.count == 1, let next = told.first, next.name != worst.name {
            parts.append("next comes \(PlainText.oneLine(next.name)), with \(amount(next, best))")
        }
        // Who has the worst median may scatter so much that nothing is shown of it.
        let isLast = others.allSatisfy {
            isLower ? $0.estimate.median <= worst.estimate.median : $0.estimate.median >= worst.estimate.median
        }
        let standing = isLast ? "is last" : "is shown to be worse"
        parts.append("\(PlainText.oneLine(worst.name)) \(standing), with \(amount(worst, best))")
        let open = others.filter { !$0.isToldApartFromBest && $0.rank > 1 }
        if !open.isEmpty { parts.append("\(names(open)) cannot be told apart from \(bestName), but from others ahead") }
        return parts.joined(separator: "; ")
    }

    /// `41× as much, 16.4 ms`.
    private func amount(_ place: Ranking.Place, _ best: Ranking.Place) -> String {
        let number = text(place.estimate.withoutInterval)
        // Where most have none at all, the ratio is that of the few blocks that have some.
        guard place.estimate.median > 0, let ratio = place.ratioToBest, ratio.median > 0 else { return number }
        return "\(PlainNumber.times(ratio.median)) as much, \(number)"
    }

    /// `380 µs to 413 µs`, or one number where they read alike.
    private func between(_ places: [Ranking.Place]) -> String {
        let medians = places.map(\.estimate.median)
        guard let least = medians.min(), let most = medians.max() else { return "–" }
        return value(least) == value(most) ? value(least) : "\(value(least)) to \(value(most))"
    }

    private func names(_ places: [Ranking.Place]) -> String {
        let names = places.map { PlainText.oneLine($0.name) }
        return names.count > 6
            ? PlainText.list(Array(names.prefix(3)) + ["\(names.count - 3) others"]) : PlainText.list(names)
    }

    /// Who has no number, and why: each reason once.
    private func absences(_ condition: ExperimentResult.Condition) -> String {
        var reasons: [(reason: String, names: [String])] = []
        for member in condition.members where member.values.isEmpty || !member.gaps.isEmpty {
            let why = member.gaps.first?.reason ?? failure(of: member)
            let trials = member.values.count + member.gaps.count
            // Ranked by its other trials, which may be its good ones: that must be told.
            let reason = member.values.isEmpty ? why : "in \(member.gaps.count) of its \(trials) trials: \(why)"
            if let index = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[index].names.append(PlainText.oneLine(member.name))
            } else {
                reasons.append((reason, [PlainText.oneLine(member.name)]))
            }
        }
        let sentences = reasons.map { "No number for \(PlainText.list($0.names)): \(PlainText.oneLine($0.reason))." }
        return sentences.isEmpty ? "." : ". " + sentences.joined(separator: " ")
    }

    private func failure(of member: ExperimentResult.Member) -> String {
        let warnings = summaries[member.description.id]?.warnings ?? []
        guard let first = warnings.first else { return "no trial completed" }
        return first.hasSuffix(".") ? String(first.dropLast()) : first
    }

    private func capitalised(_ text: String) -> String {
        // Names of what is compared stay as they are.
        guard let best = result.conditions.first?.ranking.best, !text.hasPrefix(PlainText.oneLine(best.name)) else {
            return text
        }
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
