/// Moves labels apart on a line from 0 to 1, each as little as order allows.
package enum LabelPlaces {
    /// - Returns: places in the order of the wishes, at least `distance` apart and inside 0…1 where that is possible.
    package static func spread(_ wishes: [Double], distance: Double) -> [Double] {
        let order = wishes.indices.sorted { (wishes[$0], $0) < (wishes[$1], $1) }
        /// Neighbours that touch move as one block, around the mean of their wishes.
        struct Block {
            var members: [Int]
            var sum: Double
            var start: Double
        }
        var blocks: [Block] = []
        func start(_ members: [Int], _ sum: Double) -> Double {
            let length = Double(members.count - 1) * distance
            let centred = sum / Double(members.count) - length / 2
            return min(max(centred, 0), max(1 - length, 0))
        }
        for member in order {
            var block = Block(members: [member], sum: wishes[member], start: wishes[member])
            block.start = start(block.members, block.sum)
            while let last = blocks.last, last.start + Double(last.members.count) * distance > block.start + 1e-12 {
                blocks.removeLast()
                block.members = last.members + block.members
                block.sum += last.sum
                block.start = start(block.members, block.sum)
            }
            blocks.append(block)
        }
        var places = wishes
        for block in blocks {
            for (offset, member) in block.members.enumerated() {
                places[member] = block.start + Double(offset) * distance
            }
        }
        return places
    }
}
