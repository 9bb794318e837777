/// Bars of a timeline, merged where the eye could not part them.
package enum BarMerging {
    package struct Bar: Hashable, Sendable {
        package var begin: Int64
        package var end: Int64
        /// How many tasks it stands for.
        package var tasks: Int

        package init(begin: Int64, end: Int64, tasks: Int = 1) {
            self.begin = begin
            self.end = end
            self.tasks = tasks
        }

        var length: Int64 { end - begin }
    }

    /// Bars at least this many gaps long stay apart from their neighbours, so that single tasks can be counted.
    static let lengthOfSeparateBars: Int64 = 4

    /// Joins bars that overlap or lie closer than `gap`. Bars must be sorted by their begin.
    ///
    /// - Parameter keepsLong: whether two long bars that touch stay two.
    package static func merged(_ bars: some Sequence<Bar>, gap: Int64, keepsLong: Bool = false) -> [Bar] {
        let gap = max(gap, 1)
        var result: [Bar] = []
        for bar in bars {
            guard let last = result.last, bar.begin - last.end < gap, !(keepsLong && areSeparate(last, bar, gap)) else {
                result.append(bar)
                continue
            }
            result[result.count - 1].end = max(last.end, bar.end)
            result[result.count - 1].tasks += bar.tasks
        }
        return result
    }

    private static func areSeparate(_ first: Bar, _ second: Bar, _ gap: Int64) -> Bool {
        let long = gap.multipliedReportingOverflow(by: lengthOfSeparateBars)
        guard !long.overflow, first.end <= second.begin else { return false }
        return first.tasks == 1 && second.tasks == 1 && min(first.length, second.length) >= long.partialValue
    }

    /// Merges all lanes with the smallest gap, from `gap` on, that leaves no more than `limit` bars.
    ///
    /// - Returns: the lanes and the gap that was used.
    package static func merged(
        _ lanes: [[Bar]], gap: Int64, limit: Int, keepsLong: Bool = false
    ) -> (lanes: [[Bar]], gap: Int64) {
        var gap = max(gap, 1)
        if keepsLong, areMostlyLong(lanes, gap) {
            let separate = lanes.map { merged($0, gap: gap, keepsLong: true) }
            if separate.reduce(0, { $0 + $1.count }) <= limit { return (separate, gap) }
        }
        var result = lanes.map { merged($0, gap: gap) }
        while result.reduce(0, { $0 + $1.count }) > max(limit, lanes.count), gap < Int64.max / 4 {
            gap += gap / 2 + 1
            result = result.map { merged($0, gap: gap) }
        }
        return (result, gap)
    }

    /// Whether nine of ten bars are long. Where they are mixed, some would stand apart and others not, and the eye
    /// would read a pattern into it.
    private static func areMostlyLong(_ lanes: [[Bar]], _ gap: Int64) -> Bool {
        let long = gap.multipliedReportingOverflow(by: lengthOfSeparateBars)
        guard !long.overflow else { return false }
        let all = lanes.reduce(0) { $0 + $1.count }
        let enough = lanes.reduce(0) { $0 + $1.count { $0.length >= long.partialValue } }
        return enough * 10 >= all * 9
    }

    /// `count` whole numbers evenly spread over 0 ..< total, both ends among them; all of them when they are no more.
    package static func evenly(_ count: Int, of total: Int) -> [Int] {
        guard total > count else { return Array(0..<total) }
        guard count > 1 else { return [0] }
        return (0..<count).map { $0 * (total - 1) / (count - 1) }
    }
}
