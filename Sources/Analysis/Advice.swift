import Results
import Statistics

/// How the strategies of a workload compare in all that matters: throughput, tails, memory, processor time, switches, energy.
///
/// Each criterion ranks strategies by itself, paired by block as in `Ranking`. A strategy is efficient when no other is shown to be
/// better in something without being worse in anything else that is shown: the Pareto set, as far as the data tell it.
package struct Advice: Sendable {
    /// Something that one may want of a strategy.
    package struct Criterion: Sendable {
        /// As the head of a column: “p99 of wait”.
        package var title: String
        package var metric: Metric
        package var ranking: Ranking

        package init(title: String, metric: Metric, ranking: Ranking) {
            self.title = title
            self.metric = metric
            self.ranking = ranking
        }

        package func place(of strategy: String) -> Ranking.Place? { ranking.places.first { $0.name == strategy } }

        /// How many times worse it is than the best, where that is shown and 5 % or more; else 1.
        package func loss(of strategy: String) -> Double {
            guard let place = place(of: strategy), place.isToldApartFromBest, let ratio = place.ratioToBest?.median,
                ratio > 0
            else { return 1 }
            let loss = metric.direction == .higherIsBetter ? 1 / ratio : ratio
            return loss >= 1.05 ? loss : 1
        }

        /// Whether there are blocks enough to tell strategies apart.
        package var isJudged: Bool { ranking.places.contains(where: \.canBeToldApart) }
    }

    /// What leads comes first: throughput, or of an open loop, where all have the same, the response.
    package var criteria: [Criterion]
    /// In the order of the ranking by what leads.
    package var efficient: [String]
    /// What to take: of the efficient ones that nobody is shown to beat in what leads, the one that loses least in the others (the
    /// least product of its ratios to the best, where it is shown to be worse by 5 % or more). Nil where the data do not
    /// support a choice.
    package var choice: String?

    package init(_ criteria: [Criterion]) {
        self.criteria = criteria
        let names = criteria.first?.ranking.places.map(\.name) ?? []
        let judged = criteria.filter(\.isJudged)
        efficient = names.filter { name in
            !names.contains { other in
                judged.contains { $0.ranking.isShown(other, toBeat: name) }
                    && !judged.contains { $0.ranking.isShown(name, toBeat: other) }
            }
        }
        guard let leading = criteria.first, leading.isJudged else { return }
        let leaders = efficient.filter { leading.place(of: $0)?.rank == 1 }
        func loss(_ name: String) -> Double { judged.reduce(1) { $0 * $1.loss(of: name) } }
        let least = leaders.map(loss).min()
        choice = leaders.first { loss($0) == least }
    }
}

extension RunData {
    /// Nil for a workload with fewer than two strategies that completed a trial.
    package func advice(for workload: BenchmarkID) -> Advice? {
        let members = run.benchmarks.filter { $0.id.workload == workload && $0.manner == .tasks }
        let columns = members.flatMap { completedTrials(of: $0.id) }.compactMap { tasks[$0.number]?.count }
        guard let fewest = columns.min() else { return nil }
        let tail = Metric.Statistic.furthest(supportedBy: fewest)
        let isOpen = arrivesBySchedule(members)
        let throughput = ("tasks/s", Metric.throughput)
        let wanted: [(String, Metric)] =
            (isOpen ? [("response \(tail.rawValue)", Metric.tasks(.response, tail)), throughput] : [throughput]) + [
                ("wait \(tail.rawValue)", .tasks(.wait, tail)), ("spent \(tail.rawValue)", .tasks(.spent, tail)),
                ("CPU", .processorTime), ("switches", .voluntarySwitches), ("peak memory", .peakResidentMemory),
                ("energy", .processorEnergy),
            ]
        let criteria = wanted.compactMap { title, metric -> Advice.Criterion? in
            var values: [String: [Int: Double]] = [:]
            for member in members {
                guard let strategy = member.id.strategy else { continue }
                let measured = self.values(of: metric, member.id).byBlock
                // A trial in which no task ended well has no throughput to rank.
                let ranked = metric.name == Metric.throughput.name ? measured.filter { $0.value > 0 } : measured
                if !ranked.isEmpty { values[strategy] = ranked }
            }
            guard values.count > 1 else { return nil }
            return Advice.Criterion(
                title: title, metric: metric, ranking: Ranking(values, preferring: metric.direction.preference))
        }
        return criteria.isEmpty ? nil : Advice(criteria)
    }

    private func arrivesBySchedule(_ members: [BenchmarkDescription]) -> Bool {
        members.contains { member in
            completedTrials(of: member.id).contains { tasks[$0.number]?.haveLags == true }
        }
    }
}

extension Metric.Statistic {
    /// The last percentile beyond which ten of so many tasks lie.
    static func furthest(supportedBy count: Int) -> Metric.Statistic {
        for statistic in [Metric.Statistic.p99, .p90] {
            if let share = statistic.share, count >= valuesNeeded(forPercentile: share) { return statistic }
        }
        return .p50
    }
}
