/// What the ticks of the processor's time-stamp counter mean in nanoseconds of `CLOCK_MONOTONIC`.
@usableFromInline
package struct TickScale: Hashable, Sendable {
    /// A reading of the counter, and that of `CLOCK_MONOTONIC` at the same moment.
    package var referenceTicks: UInt64
    package var referenceNanoseconds: Int64
    /// Nanoseconds of a tick, times 2³²: for 3 GHz some 1.4 × 10⁹, so that rounding it changes less than 1 in 10⁹.
    package var multiplier: Int64

    package init(referenceTicks: UInt64, referenceNanoseconds: Int64, multiplier: Int64) {
        self.referenceTicks = referenceTicks
        self.referenceNanoseconds = referenceNanoseconds
        self.multiplier = multiplier
    }

    /// The scale on which two pairs of readings lie; nil where no counter could have given them.
    package init?(from first: Reading, to second: Reading) {
        let ticks = Int64(bitPattern: second.ticks &- first.ticks)
        let nanoseconds = second.nanoseconds - first.nanoseconds
        guard ticks > 0, nanoseconds > 0 else { return nil }
        let multiplier = (Double(nanoseconds) / Double(ticks) * 4_294_967_296).rounded()
        guard multiplier >= 1, multiplier < 1e15 else { return nil }
        self.init(
            referenceTicks: second.ticks, referenceNanoseconds: second.nanoseconds, multiplier: Int64(multiplier))
    }

    /// The counter and the kernel's clock, read as nearly at once as could be.
    package struct Reading: Hashable, Sendable {
        package var ticks: UInt64
        package var nanoseconds: Int64

        package init(ticks: UInt64, nanoseconds: Int64) {
            self.ticks = ticks
            self.nanoseconds = nanoseconds
        }
    }

    /// Ticks × multiplier ÷ 2³², downwards. The product has up to 128 bits.
    @inlinable @inline(__always)
    static func nanoseconds(ticks: Int64, multiplier: Int64) -> Int64 {
        let product = ticks.multipliedFullWidth(by: multiplier)
        return product.high &<< 32 | Int64(bitPattern: UInt64(product.low) &>> 32)
    }

    /// The moment on `CLOCK_MONOTONIC` that a reading of the counter means.
    package func nanoseconds(at ticks: UInt64) -> Int64 {
        referenceNanoseconds
            + Self.nanoseconds(ticks: Int64(bitPattern: ticks &- referenceTicks), multiplier: multiplier)
    }
}

extension TickScale {
    /// `TICKS:NANOSECONDS:MULTIPLIER`, as a runner hands it to its suites.
    package var text: String { "\(referenceTicks):\(referenceNanoseconds):\(multiplier)" }

    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let ticks = UInt64(parts[0]), let nanoseconds = Int64(parts[1]),
            let multiplier = Int64(parts[2]), multiplier > 0
        else { return nil }
        self.init(referenceTicks: ticks, referenceNanoseconds: nanoseconds, multiplier: multiplier)
    }
}
