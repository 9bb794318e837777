/// Puts events into groups that are counted at the same time; a trial counts one of them.
///
/// A processor has some four to eight counters. Asked for more events than that, it lets them take turns, and what is then
/// scaled up is useless for short work: off by whole percents at 18 ms, by anything at a millisecond. So several trials
/// count a group each.
package enum CounterGrouping {
    /// Events whose ratio people ask for: only of one group is it a ratio of the same work.
    private static let partners = [
        ["instructions", "cycles"], ["branches", "branch-misses"], ["cache-references", "cache-misses"],
    ]

    /// - Parameters:
    ///   - events: that count one by one, in the order in which they matter.
    ///   - most: events of the processor in a group, at most; nil for as many as fit.
    ///   - fit: tries whether events count together all of the time. Asked a few times for each event.
    /// - Returns: groups that fit, each event in one of them; what does not even fit alone is in none.
    package static func groups(
        of events: [CounterEvent], most: Int? = nil, fit: ([CounterEvent]) -> Bool
    ) -> [[CounterEvent]] {
        func fits(_ group: [CounterEvent]) -> Bool {
            if let most, group.count(where: { !$0.isSoftware }) > most { return false }
            return fit(group)
        }
        func placed(_ cluster: [CounterEvent], in groups: [[CounterEvent]]) -> [[CounterEvent]]? {
            var groups = groups
            for index in groups.indices where fits(groups[index] + cluster) {
                groups[index] += cluster
                return groups
            }
            guard fits(cluster) else { return nil }
            return groups + [cluster]
        }
        let clusters = clusters(of: events)
        // Mostly everything fits, and each trial takes its time.
        let all = clusters.flatMap { $0 }
        if all.count > 1, fits(all) { return [all] }
        var groups: [[CounterEvent]] = []
        for cluster in clusters {
            if let placed = placed(cluster, in: groups) {
                groups = placed
            } else if cluster.count > 1 {
                for single in cluster { groups = placed([single], in: groups) ?? groups }
            }
        }
        return groups
    }

    /// Events in their order, each with its partners right behind it.
    private static func clusters(of events: [CounterEvent]) -> [[CounterEvent]] {
        var clusters: [[CounterEvent]] = []
        var rest = events
        while let event = rest.first {
            let cluster =
                partners.first { $0.contains(event.name) }
                .map { names in rest.filter { names.contains($0.name) } } ?? [event]
            rest.removeAll { cluster.contains($0) }
            clusters.append(cluster)
        }
        return clusters
    }
}
