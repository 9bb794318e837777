/// A small generator of random numbers whose sequence is fixed by its seed, on every machine and for ever
/// (Steele, Lea & Flood, “Fast Splittable Pseudorandom Number Generators”, OOPSLA 2014). Not for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A whole number in 0 ..< bound, each equally likely.
    ///
    /// Written out here because the standard library does not promise which numbers `Int.random` draws.
    package mutating func next(below bound: Int) -> Int {
        precondition(bound > 0)
        let width = UInt64(bound)
        let unfair = UInt64.max - UInt64.max % width
        while true {
            let drawn = next()
            if drawn < unfair { return Int(drawn % width) }
        }
    }

    /// The elements in an order drawn by Fisher and Yates' method.
    package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var result = elements
        for index in stride(from: result.count - 1, to: 0, by: -1) {
            result.swapAt(index, next(below: index + 1))
        }
        return result
    }
}
