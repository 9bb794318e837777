/// Bars of a timeline, merged where the eye could not part them.
enum BarMerging {
    struct Bar: Hashable {
        var begin: Int64
        var end: Int64
    }

    /// Joins bars that overlap or lie closer than `gap`. Bars must be sorted by their begin.
    static func merged(_ bars: some Sequence<Bar>, gap: Int64) -> [Bar] {
        var result: [Bar] = []
        for bar in bars {
            if let last = result.last, bar.begin - last.end < max(gap, 1) {
                result[result.count - 1].end = max(last.end, bar.end)
            } else {
                result.append(bar)
            }
        }
        return result
    }

    /// Merges all lanes with the smallest gap, from `gap` on, that leaves no more than `limit` bars.
    ///
    /// - Returns: the lanes and the gap that was used.
    static func merged(_ lanes: [[Bar]], gap: Int64, limit: Int) -> (lanes: [[Bar]], gap: Int64) {
        var gap = max(gap, 1)
        var result = lanes.map { merged($0, gap: gap) }
        while result.reduce(0, { $0 + $1.count }) > max(limit, lanes.count), gap < Int64.max / 4 {
            gap += gap / 2 + 1
            result = result.map { merged($0, gap: gap) }
        }
        return (result, gap)
    }

    /// `count` whole numbers evenly spread over 0 ..< total, both ends among them; all of them when they are no more.
    static func evenly(_ count: Int, of total: Int) -> [Int] {
        guard total > count else { return Array(0..<total) }
        guard count > 1 else { return [0] }
        return (0..<count).map { $0 * (total - 1) / (count - 1) }
    }
}
