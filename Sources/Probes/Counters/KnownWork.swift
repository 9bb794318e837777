import CCounters
import Glibc

/// A piece of work that makes events happen in known numbers: what a counter reads of it proves that it counts.
package struct KnownWork: Sendable {
    /// What makes a kind of events happen.
    package enum Part: Hashable, Sendable, CaseIterable {
        case spinning, guessing, multiplying, walking, touchingPages, sleeping, moving
    }

    package var parts: Set<Part>

    package init(_ parts: Set<Part>) { self.parts = parts }

    static let spins = 500_000
    static let guesses = 100_000
    static let pages = 64
    static let sleeps = 5
    static let moves = 4

    /// The work that shows whether some events are counted.
    package init(for events: [CounterEvent]) {
        parts = Set(events.flatMap(Self.parts(for:)))
    }

    private static func parts(for event: CounterEvent) -> [Part] {
        switch event.name {
        case "instructions", "cycles", "ref-cycles", "branches", "task-clock", "cpu-clock": [.spinning]
        case "branch-misses": [.guessing]
        case "cache-references", "cache-misses", "l1d-load-misses", "llc-load-misses", "dtlb-load-misses": [.walking]
        case "page-faults", "minor-faults", "major-faults": [.touchingPages]
        case "context-switches": [.sleeping]
        case "cpu-migrations": [.moving]
        case "cgroup-switches": []
        // What PAPI's name stands for is not known here: something of everything that a processor does.
        default: [.spinning, .guessing, .multiplying, .walking]
        }
    }

    /// What was done, as far as it is not known before.
    package struct Done: Hashable, Sendable {
        /// Processor time of the thread meanwhile, in nanoseconds.
        package var processorTime: Double
        /// Time that passed meanwhile, in nanoseconds.
        package var elapsed: Double
        /// How often the thread was moved: none where there is no second processor.
        package var moves: Int
    }

    /// Does the work, on the calling thread.
    package func perform() -> Done {
        let (begin, beginTime) = (now(CLOCK_MONOTONIC), now(CLOCK_THREAD_CPUTIME_ID))
        var moves = 0
        for part in Part.allCases where parts.contains(part) {
            switch part {
            case .spinning: ccounters_spin(UInt64(Self.spins))
            case .guessing: ccounters_guess(UInt64(Self.guesses))
            case .multiplying: ccounters_multiply(100_000)
            // Twice what most processors hold in their caches for one core; it takes some milliseconds.
            case .walking: ccounters_walk(8 << 20)
            case .touchingPages: ccounters_touch_pages(Self.pages)
            case .sleeping: ccounters_sleep(Self.sleeps)
            case .moving: moves = ccounters_move(Self.moves)
            }
        }
        let processorTime = now(CLOCK_THREAD_CPUTIME_ID) - beginTime
        return Done(processorTime: processorTime, elapsed: now(CLOCK_MONOTONIC) - begin, moves: moves)
    }

    /// Between what a count of an event must lie, if it was counted. Bounded above only where the work was done for this
    /// event alone: there the rest is what reading the counters costs, and what the thread meets on its way.
    package func plausible(_ event: CounterEvent, after done: Done) -> ClosedRange<Double> {
        let isAlone = parts == Set(Self.parts(for: event))
        func count(_ least: Int, times most: Double = 1.5) -> ClosedRange<Double> {
            Double(least)...(isAlone ? Double(least) * most + 50_000 : .infinity)
        }
        switch event.name {
        case "instructions": return count(Self.spins * Int(CCOUNTERS_SPIN_INSTRUCTIONS))
        case "branches": return count(Self.spins)
        // Two instructions that depend on each other from step to step: no processor does two steps in a cycle.
        case "cycles": return Double(Self.spins) * 0.9 ... .infinity
        // Half are wrong; a processor that finds a pattern in them would have to be a very good one.
        case "branch-misses": return Double(Self.guesses) * 0.05 ... .infinity
        // They hold time that the host took away, which the thread's own time does not; 50 ms for an interruption between
        // the work and a reading.
        case "task-clock", "cpu-clock": return done.processorTime * 0.5...done.elapsed * 2 + 5e7
        case "page-faults", "minor-faults": return count(Self.pages)
        case "context-switches": return count(Self.sleeps)
        case "cpu-migrations": return count(done.moves)
        // These cannot be made to happen at will: a program's pages are in memory already, and its control group is its
        // only one. None is a truthful answer, and the kernel counts them as it does the others.
        case "major-faults", "cgroup-switches": return 0 ... .infinity
        default: return 1 ... .infinity
        }
    }
}

private func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
