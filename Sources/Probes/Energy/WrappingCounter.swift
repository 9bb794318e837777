import Results

/// A counter of energy that rises, and may begin anew at zero: what two reads of it mean. Pure arithmetic.
///
/// The counters of x86 processors have 32 bits, in units of 2⁻¹⁴ J (61 µJ) or 2⁻¹⁶ J and others; the kernel shows them in µJ.
/// 262 kJ last for 67 minutes at 65 W, 66 kJ for less than three at 400 W: who reads at the beginning and at the end of a long
/// run only may see two rounds as one.
package struct WrappingCounter: Hashable, Sendable {
    package enum Range: Hashable, Sendable {
        /// The highest count that it shows (`max_energy_range_uj`).
        case upTo(UInt64)
        /// The kernel does not tell: the file is unreadable, or says 0 as on some old machines.
        case unknown
        /// 64 bits that the kernel or the driver keeps itself: a fall is a reset.
        case endless
    }

    /// What one count is.
    package var unit: Joules
    package var range: Range
    /// More than the domain can take: a rise beyond it is no energy, but a reset that looks like a round.
    package var highestPower: Watts
    /// How late a count may be shown: so much energy more than its own time can account for may be in a step.
    package var updatePeriod: Nanoseconds

    package init(
        unit: Joules, range: Range, highestPower: Watts, updatePeriod: Nanoseconds = .milliseconds(10)
    ) {
        self.unit = unit
        self.range = range
        self.highestPower = highestPower
        self.updatePeriod = updatePeriod
    }

    /// What became of a counter between two reads.
    package enum Step: Hashable, Sendable {
        case counted(UInt64)
        /// It fell, and by more than a round at the highest power can explain: somebody set it to zero, or the driver was
        /// loaded anew.
        case reset
        /// It rose by more than the highest power can explain.
        case leapt
        /// It fell, and the kernel does not tell at which count it begins anew.
        case fellFromUnknownRange
        /// So much time passed that it may have gone round more than once.
        case ambiguous
    }

    /// The finest step that the register can make, in counts: its 32 bits span the whole range.
    package var quantum: Double {
        switch range {
        case .upTo(let highest): max(Double(highest) / Double(UInt32.max), 1)
        // 2⁻¹⁴ J, the coarsest unit of a processor's package.
        case .unknown, .endless: max(61.035e-6 / unit.count, 1)
        }
    }

    /// How long it takes at the highest power until it has gone round once; nil where it does not.
    package var shortestRound: Nanoseconds? {
        let counts: Double
        switch range {
        case .upTo(let highest): counts = Double(highest)
        // The smallest range of a processor's counter that is known: 2³² units of 2⁻¹⁶ J.
        case .unknown: counts = 65_532 / unit.count
        case .endless: return nil
        }
        return .seconds(min(counts * unit.count / highestPower.count, 1e9))
    }

    /// How long to wait between two reads at most: half a round at the highest power, and half a minute.
    package var samplingInterval: Nanoseconds {
        let most = Nanoseconds.seconds(30)
        guard let shortestRound else { return most }
        return min(Nanoseconds(shortestRound.count / 2), most)
    }

    /// What two reads mean that lie so far apart.
    package func step(from earlier: UInt64, to later: UInt64, over time: Nanoseconds) -> Step {
        if let shortestRound, time > shortestRound { return .ambiguous }
        let rise: UInt64
        if later >= earlier {
            rise = later - earlier
        } else {
            switch range {
            case .unknown: return .fellFromUnknownRange
            case .endless: return .reset
            case .upTo(let highest):
                guard earlier <= highest else { return .reset }
                // A round has one count more than the highest: zero. In units of the register that is one unit.
                rise = (highest - earlier) + UInt64(quantum.rounded()) + later
            }
        }
        let bound = highestPower * Nanoseconds(max(time.count, 0) + updatePeriod.count)
        let excess = Double(rise) - 2 * quantum
        guard excess * unit.count <= bound.count else { return later >= earlier ? .leapt : .reset }
        return .counted(rise)
    }
}
