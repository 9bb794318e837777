import TaskMeter

/// Work of a known length that touches no memory: a chain in which each step needs the one before, so that the processor can
/// neither skip nor overlap steps.
package struct Spinning: Sendable {
    /// How many steps last as long as asked for.
    package let steps: Int

    package init(steps: Int) { self.steps = steps }

    /// So many steps as last so long here and now.
    package init(lasting length: Nanoseconds, clock: MonotonicClock) {
        self.init(steps: max(Int((Double(length.count) / Self.stepTime(clock)).rounded()), 1))
    }

    /// Works, from a seed; the result depends on all steps.
    package func run(_ seed: UInt64 = 1) -> UInt64 {
        var value = identity(seed)
        for _ in 0..<steps { value = (value ^ (value >> 29)) &* 0xbf58_476d_1ce4_e5b9 &+ 1 }
        return value
    }

    /// What a step takes, in nanoseconds: the least of some chains, for whatever interrupts one makes it longer, never shorter.
    private static func stepTime(_ clock: MonotonicClock) -> Double {
        let chain = Spinning(steps: 50_000)
        blackHole(chain.run())
        let times = (0..<7).map { _ in
            let begin = clock.now()
            blackHole(chain.run())
            return (clock.now() - begin).count
        }
        return Double(times.min()!) / Double(chain.steps)
    }
}
