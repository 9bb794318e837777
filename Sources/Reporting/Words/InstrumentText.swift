import Results
import Words

/// What a run knows of its own instrument: what it costs, and how its clock went.
enum InstrumentText {
    /// Rows for a table of facts; none for what the run did not measure.
    static func facts(_ run: Run) -> [(String, Fact)] { clockFacts(run.clock) + costFacts(run.selfCost) }

    /// One sentence each, for a terminal.
    static func sentences(_ run: Run) -> [String] {
        var sentences: [String] = []
        if let clock = run.clock {
            sentences.append(
                "Clock: \(named(clock)); \(PlainDuration.rough(clock.readCost)) a reading, "
                    + (clock.resolution.map { "smallest step seen \(PlainDuration.rough($0))" } ?? "no step seen") + "."
            )
        }
        if let cost = run.selfCost {
            sentences.append(
                "Instrument: \(PlainDuration.rough(cost.beginEnd)) to begin and end a task, "
                    + "\(PlainDuration.rough(cost.insideSpent)) of them inside spent; "
                    + "\(PlainDuration.rough(cost.submit)) to submit one, \(PlainDuration.rough(cost.mark)) a mark, "
                    + "\(PlainDuration.rough(cost.sample)) a sample.")
        }
        return sentences
    }

    private static func named(_ clock: ClockFacts) -> String {
        let reason = clock.reason.isEmpty ? "" : " (\(PlainText.oneLine(clock.reason)))"
        return PlainText.oneLine(clock.source) + reason
    }

    private static func clockFacts(_ clock: ClockFacts?) -> [(String, Fact)] {
        guard let clock else { return [] }
        func rate(_ partsPerMillion: Double?) -> Fact {
            guard let rate = partsPerMillion else { return .unavailable(reason: "not known") }
            return .known((rate > 0 ? "+" : "") + PlainNumber.significant(rate, digits: 2) + " ppm")
        }
        let backwards: Fact =
            switch clock.backwardSteps {
            case nil: .unavailable(reason: "could not be tested")
            case .some(let step) where step > 0: .known("up to \(PlainDuration.rough(step))")
            case .some: .known("none seen")
            }
        return [
            ("Clock that was read", .known(named(clock))),
            ("A reading of it costs, at the least", .known(PlainDuration.rough(clock.readCost))),
            (
                "Its smallest step seen",
                clock.resolution.map { .known(PlainDuration.rough($0)) }
                    ?? .unavailable(reason: "all readings were alike")
            ),
            ("Its steps backwards between processors", backwards),
            ("Its drift against the raw hardware clock", rate(clock.driftAgainstRaw)),
            ("Slew of the kernel’s monotonic clock", rate(clock.slewOfMonotonic)),
            (
                "Suspended during the run",
                // Less is the time between two readings, and no suspension.
                .known(clock.suspended >= .milliseconds(1) ? PlainDuration.long(clock.suspended) : "no")
            ),
        ]
    }

    private static func costFacts(_ cost: SelfCost?) -> [(String, Fact)] {
        guard let cost else { return [] }
        return [
            ("Cost of reading the clock (median)", cost.clockRead), ("Cost of submitting a task", cost.submit),
            ("Cost of beginning and ending a task", cost.beginEnd), ("Of that inside spent", cost.insideSpent),
            ("Cost of a mark", cost.mark), ("Cost of a sample", cost.sample),
        ].map { ($0, .known(PlainDuration.rough($1))) }
    }
}
