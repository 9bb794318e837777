/// The rank of each value, counted from 1; equal values share the mean of the ranks that they take up. And how many values
/// each group of equal ones has, in ascending order of the groups.
package func midranks(_ values: [Double]) -> (ranks: [Double], groups: [Int]) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = Array(repeating: 0.0, count: values.count)
    var groups: [Int] = []
    var start = 0
    while start < order.count {
        var end = start + 1
        while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
        for place in start..<end { ranks[order[place]] = Double(start + 1 + end) / 2 }
        groups.append(end - start)
        start = end
    }
    return (ranks, groups)
}
