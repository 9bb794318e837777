import Analysis
import Results
import Statistics
import Words

/// One workload as every form of the report shows it: its strategies in the order of their ranking.
struct WorkloadView {
    /// One strategy of the workload.
    struct Entry {
        var description: BenchmarkDescription
        var summary: BenchmarkSummary
        /// The strategy's name; the benchmark's own name when it has no such axis.
        var strategy: String
        /// Nil when no task ended well in a completed trial.
        var place: Ranking.Place?
        var standing: Standing
        /// How it is drawn, the same in every plot.
        var look: SeriesLook

        /// The name on one line, without anything that could disturb it.
        var name: String { PlainText.oneLine(strategy) }
    }

    /// What is known of a strategy's place.
    enum Standing: Hashable {
        /// Alone at the top: nobody is shown to beat it, and somebody to beat each of the others.
        case best
        /// One of several that nobody is shown to beat.
        case tied
        /// Others are shown to beat it; its rank, and whether another has the same.
        case place(Int, shared: Bool)
        /// Too few trials for any judgement.
        case undecided
        /// No task ended well in a completed trial.
        case unmeasured

        /// Nil where nothing is shown of its place.
        var rank: Int? {
            switch self {
            case .best, .tied: 1
            case .place(let rank, _): rank
            case .undecided, .unmeasured: nil
            }
        }

        var text: String {
            switch self {
            case .best: "1"
            case .tied: "1="
            case .place(let rank, let shared): "\(rank)" + (shared ? "=" : "")
            case .undecided: "?"
            case .unmeasured: "–"
            }
        }
    }

    /// What a rank is, for a footnote.
    static let rankMeaning =
        "a rank is one more than the number of strategies shown to be faster in the same blocks; = marks a rank that several share"

    var workload: BenchmarkID
    /// Ranked strategies first, then those that were not measured, in the order of declaration.
    var entries: [Entry]
    var ranking: Ranking
    /// How its strategies compare in all that matters; nil where fewer than two completed a trial.
    var advice: Advice?

    var title: String { PlainText.oneLine(workload.description) }
    /// The title without the suite, under whose heading it stands, and with spaces at which a line may break:
    /// `get, bytes=1024, keepalive=on`.
    var shortTitle: String {
        PlainText.oneLine(
            ([workload.name] + workload.parameters.map { "\($0.axis)=\($0.value)" }).joined(separator: ", "))
    }
    var measured: [Entry] { entries.filter { $0.summary.trialsCompleted > 0 } }
    /// One sentence: what a task of it does.
    var about: String { PlainText.oneLine(entries.first?.description.about ?? "") }

    /// All workloads of a run, in the order of their declaration.
    static func all(_ data: RunData, _ summaries: [BenchmarkSummary]) -> [WorkloadView] {
        let summaryOf = Dictionary(summaries.map { ($0.benchmark, $0) }, uniquingKeysWith: { first, _ in first })
        let members = Dictionary(grouping: data.run.benchmarks, by: \.id.workload)
        let workloads = data.workloads
        let looks = SeriesLook.all(in: data)
        return workloads.map { workload in
            let ranking = data.ranking(of: workload)
            let entries = (members[workload] ?? []).map { description in
                let name = strategyName(description.id)
                let place = ranking.places.first { $0.name == name }
                return Entry(
                    description: description,
                    summary: summaryOf[description.id]
                        ?? BenchmarkSummary(
                            benchmark: description.id, trialsPlanned: data.run.timedTrials(of: description)),
                    strategy: name, place: place, standing: standing(of: name, in: ranking),
                    look: looks[name] ?? SeriesLook(number: 0))
            }
            let order = Dictionary(
                ranking.places.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
            let sorted = entries.enumerated().sorted {
                (order[$0.element.strategy] ?? .max, $0.offset) < (order[$1.element.strategy] ?? .max, $1.offset)
            }
            return WorkloadView(
                workload: workload, entries: sorted.map(\.element), ranking: ranking,
                advice: data.advice(for: workload))
        }
    }

    private static func strategyName(_ benchmark: BenchmarkID) -> String { benchmark.strategy ?? benchmark.name }

    private static func standing(of name: String, in ranking: Ranking) -> Standing {
        guard let place = ranking.places.first(where: { $0.name == name }) else { return .unmeasured }
        guard place.rank == 1 else { return .place(place.rank, shared: place.sharesRank) }
        let others = ranking.places.filter { !$0.isBest }
        let isCompared =
            place.isBest
            ? others.isEmpty || others.contains(where: \.canBeToldApart) : place.canBeToldApart
        return isCompared ? (place.sharesRank ? .tied : .best) : .undecided
    }
}
