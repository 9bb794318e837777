import Glibc
import Results

/// Watches how a run's clock goes, against the kernel's clocks, from now on.
package struct ClockWatch: Sendable {
    private let selection: ClockSelection
    private let start: Moment
    private var last: Moment
    private var misbehaviour: [String] = []

    /// The run's clock and those of the kernel at one moment, in nanoseconds.
    package struct Moment: Hashable, Sendable {
        package var clock: Int64
        package var monotonic: Int64
        package var raw: Int64
        /// How long the machine has been suspended since it was started: `CLOCK_BOOTTIME` − `CLOCK_MONOTONIC`.
        package var suspended: Int64

        package init(clock: Int64, monotonic: Int64, raw: Int64, suspended: Int64) {
            self.clock = clock
            self.monotonic = monotonic
            self.raw = raw
            self.suspended = suspended
        }

        /// Reads all clocks as nearly at once as can be.
        package init(now clock: MonotonicClock) {
            self.init(
                clock: 0, monotonic: Self.near(clock, CLOCK_MONOTONIC), raw: Self.near(clock, CLOCK_MONOTONIC_RAW),
                suspended: 0)
            // The other clocks were read as their distance from this one: their moments are brought together here.
            self.clock = clock.now().sinceOrigin
            monotonic += self.clock
            raw += self.clock
            suspended = Self.near(clock, CLOCK_BOOTTIME) - Self.near(clock, CLOCK_MONOTONIC)
        }

        /// How far a clock of the kernel is ahead of the run's clock: of some attempts the one that took the least time.
        private static func near(_ clock: MonotonicClock, _ other: clockid_t) -> Int64 {
            var ahead: Int64 = 0
            var least = Int64.max
            for _ in 0..<16 {
                let before = clock.now().sinceOrigin
                let reading = MonotonicClock.reading(other)
                let took = clock.now().sinceOrigin - before
                guard took < least else { continue }
                least = took
                ahead = reading - before - took / 2
            }
            return ahead
        }
    }

    package init(_ selection: ClockSelection) {
        self.init(selection, start: Moment(now: selection.clock))
    }

    package init(_ selection: ClockSelection, start: Moment) {
        self.selection = selection
        self.start = start
        last = start
    }

    /// Looks at the clocks; call it from time to time, such as after each trial.
    package mutating func check() { check(Moment(now: selection.clock)) }

    package mutating func check(_ now: Moment) {
        let passed = now.clock - last.clock
        let kernel = now.monotonic - last.monotonic
        let place = "\(Nanoseconds(last.clock).seconds.rounded()) s into the run"
        if passed < 0 {
            misbehaviour.append("The clock ran backwards by \(-passed) ns, \(place).")
        } else if abs(passed - kernel) > Self.tolerance + kernel / Self.tolerated {
            misbehaviour.append(
                "The clock went \(abs(passed - kernel)) ns \(passed > kernel ? "ahead of" : "behind") CLOCK_MONOTONIC "
                    + "within \(Nanoseconds(kernel).seconds) s, \(place): times of that part are wrong by as much.")
        }
        let suspended = now.suspended - last.suspended
        if suspended > Self.leastSuspension {
            misbehaviour.append(
                "The machine was suspended for \(Nanoseconds(suspended).seconds) s, \(place); what ran then is not to be trusted."
            )
        }
        last = now
    }

    /// What is known of the clock by now.
    ///
    /// - Parameter backwardStep: the largest step back between two processors, see `largestBackwardStep`.
    package func facts(quality: ClockQuality, backwardStep: Int64?) -> ClockFacts {
        let raw = Double(last.raw - start.raw)
        func rate(_ passed: Int64) -> Double? {
            // Within less than a tenth of a second the reading's own error would be some parts per million.
            raw >= 1e8 ? (Double(passed) / raw - 1) * 1e6 : nil
        }
        var facts = ClockFacts(
            source: selection.clock.ticks == nil ? "clock_gettime" : "tsc", reason: selection.reason,
            readCost: quality.readCost, resolution: quality.smallestStep.map(Double.init))
        facts.backwardSteps = backwardStep.map(Double.init)
        facts.driftAgainstRaw = rate(last.clock - start.clock)
        facts.slewOfMonotonic = rate(last.monotonic - start.monotonic)
        let suspended = last.suspended - start.suspended
        facts.suspended = Nanoseconds(suspended > Self.leastSuspension ? suspended : 0)
        facts.misbehaviour = misbehaviour
        if let backwardStep, backwardStep > 0 {
            facts.misbehaviour.insert(
                "Read on one processor after another, the clock stepped back by up to \(backwardStep) ns: a task that moved "
                    + "between processors may be told too short by as much.", at: 0)
        }
        return facts
    }

    /// A calibration of 20 ms is right to some parts per million, and the kernel may slew its clock by 500.
    private static let tolerated: Int64 = 1_000
    private static let tolerance: Int64 = 20_000
    /// The two clocks that tell of a suspension are read one after the other.
    private static let leastSuspension: Int64 = 1_000_000
}
