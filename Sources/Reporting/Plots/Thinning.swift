/// Points reduced to what a picture can show: for each pixel column the least, the median and the greatest value.
///
/// Nothing that a full drawing would show at its edge is lost: the extremes of each column are kept exactly.
package enum Thinning {
    package struct Column: Hashable, Sendable {
        /// The middle of the column.
        package var at: Double
        package var count: Int
        package var least: Int64
        /// The median of nearest rank: a value that was measured.
        package var median: Int64
        package var greatest: Int64
    }

    /// - Parameters:
    ///   - points: pairs of a moment and a value, in any order.
    ///   - span: the moments run from 0 to this.
    ///   - columns: how many columns the picture has.
    package static func columns(_ moments: [Int64], _ values: [Int64], span: Int64, columns: Int) -> [Column] {
        let span = max(span, 1)
        // Counting sort by column: two passes, no dictionary of arrays.
        func column(_ moment: Int64) -> Int {
            min(max(Int(Double(moment) / Double(span) * Double(columns)), 0), columns - 1)
        }
        var ends = [Int](repeating: 0, count: columns + 1)
        for moment in moments { ends[column(moment) + 1] += 1 }
        for index in 1...columns { ends[index] += ends[index - 1] }
        var next = ends
        var sorted = [Int64](repeating: 0, count: values.count)
        for index in values.indices {
            let place = column(moments[index])
            sorted[next[place]] = values[index]
            next[place] += 1
        }
        return (0..<columns).compactMap { index in
            let range = ends[index]..<ends[index + 1]
            guard !range.isEmpty else { return nil }
            sorted[range].sort()
            return Column(
                at: (Double(index) + 0.5) / Double(columns) * Double(span), count: range.count,
                least: sorted[range.lowerBound], median: sorted[range.lowerBound + (range.count - 1) / 2],
                greatest: sorted[range.upperBound - 1])
        }
    }
}
