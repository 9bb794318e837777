/// The order in which tasks come to phases, from how often each comes right after each other one in a task.
///
/// Tasks need not agree: some lack phases, a few may have two of them the other way round. The order is the one that a greedy
/// heuristic finds against as few of these observations as it can (P. Eades, X. Lin, W. F. Smyth, “A fast and effective heuristic for
/// the feedback arc set problem”, Information Processing Letters 47, 1993).
package enum PhaseOrder {
    /// - Parameter follows: how often the second index came right after the first; a square.
    /// - Returns: indices, those that nothing tells apart in ascending order.
    package static func order(_ follows: [[Int]]) -> [Int] {
        var left = Array(follows.indices)
        var head: [Int] = []
        var tail: [Int] = []
        func before(_ phase: Int) -> Int { left.reduce(0) { $0 + ($1 == phase ? 0 : follows[$1][phase]) } }
        func after(_ phase: Int) -> Int { left.reduce(0) { $0 + ($1 == phase ? 0 : follows[phase][$1]) } }
        while !left.isEmpty {
            if let first = left.first(where: { before($0) == 0 }) {
                left.removeAll { $0 == first }
                head.append(first)
            } else if let last = left.last(where: { after($0) == 0 }) {
                left.removeAll { $0 == last }
                tail.append(last)
            } else {
                let leads = left.map { after($0) - before($0) }
                guard let greatest = leads.max(), let place = leads.firstIndex(of: greatest) else { break }
                head.append(left.remove(at: place))
            }
        }
        return head + tail.reversed()
    }

    /// One order of all names in several lists, each of which has its own.
    package static func merged(_ lists: [[String]]) -> [String] {
        var names: [String] = []
        var numbers: [String: Int] = [:]
        for name in lists.joined() where numbers[name] == nil {
            numbers[name] = names.count
            names.append(name)
        }
        var follows = [[Int]](repeating: [Int](repeating: 0, count: names.count), count: names.count)
        for list in lists {
            for (one, other) in zip(list, list.dropFirst()) {
                if let one = numbers[one], let other = numbers[other], one != other { follows[one][other] += 1 }
            }
        }
        return order(follows).map { names[$0] }
    }
}
