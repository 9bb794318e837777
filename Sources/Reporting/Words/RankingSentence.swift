import Analysis
import Statistics
import Words

extension WorkloadView {
    /// Whether the run set out to time nothing of it.
    var isOnlyCounted: Bool { entries.allSatisfy { $0.summary.trialsPlanned == 0 } }

    /// The answer for this workload in one or two sentences, never surer than the data.
    var rankingSentence: String {
        let isOpen = entries.contains { $0.summary.response != nil }
        return isOpen ? "By throughput, which is the schedule's for all that keep up: " + comparison : comparison
    }

    private var comparison: String {
        guard let best = ranking.best else {
            if isOnlyCounted { return "Not timed: this run only counts." }
            return entries.allSatisfy { $0.description.id.strategy == nil }
                ? "Not a comparison: this workload runs under one strategy only."
                : "Nothing to rank: \(measured.isEmpty ? "no trial completed" : "no task ended well")."
        }
        guard best.rank == 1 else { return "Undecided: the comparisons of pairs contradict one another." }
        let bestName = PlainText.oneLine(best.name)
        guard ranking.places.count > 1 else {
            let alone = entries.count == 1 ? "it has no other strategy" : "no task of another strategy ended well"
            return "Nothing to compare \(bestName) with: \(alone)."
        }
        let others = ranking.places.filter { !$0.isBest }
        let told = others.filter(\.isToldApartFromBest)
        let undecided = others.filter { !$0.canBeToldApart }
        let compared = others.filter { !$0.isToldApartFromBest && $0.canBeToldApart }

        guard undecided.count < others.count else {
            let trials = undecided.map { $0.ratioToBest?.count ?? 0 }.max() ?? 0
            return "Undecided: \(PlainNumber.counted(trials, "trial")), needs \(ranking.blocksNeeded); "
                + "\(bestName) has the highest median so far."
        }
        var parts: [String] = []
        let leaders = compared.filter { $0.rank == best.rank }.map { PlainText.oneLine($0.name) }
        let followers = compared.filter { $0.rank != best.rank }.map { PlainText.oneLine($0.name) }
        if compared.isEmpty {
            let sure = undecided.isEmpty ? "is fastest" : "has the highest median"
            parts.append("\(bestName) \(sure)" + (told.first.map { ", \(advantage($0))" } ?? ""))
        } else {
            // Those of rank 1 are told apart from none of each other; a follower is beaten by another than the best.
            if !leaders.isEmpty { parts.append("\(PlainText.list([bestName] + leaders)) cannot be told apart") }
            if !followers.isEmpty {
                parts.append(
                    "\(PlainText.list(followers)) cannot be told apart from \(bestName), but from others ahead")
            }
            if let next = told.first { parts.append("\(bestName) has \(advantage(next))") }
        }
        if told.count > 1, let last = told.last { parts.append("\(advantage(last, bare: true))") }
        if !undecided.isEmpty {
            let names = PlainText.list(undecided.map { PlainText.oneLine($0.name) })
            parts.append("undecided: \(names) (needs \(ranking.blocksNeeded) trials)")
        }
        return parts.joined(separator: "; ") + "."
    }

    /// `1.35× [1.30, 1.41] the throughput of serial-queue`. A ratio to the best is contender over best; it is told
    /// the other way round.
    private func advantage(_ place: Ranking.Place, bare: Bool = false) -> String {
        guard let ratio = place.ratioToBest else { return "" }
        let text = EstimateText.ratio(EstimateText.reciprocal(ratio))
        return bare
            ? "\(text) that of \(PlainText.oneLine(place.name))"
            : "\(text) the throughput of \(PlainText.oneLine(place.name))"
    }
}
