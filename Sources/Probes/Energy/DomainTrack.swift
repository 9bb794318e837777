import Results

/// What a domain has taken since its meter began, as far as it was seen.
package struct EnergyTotal: Hashable, Sendable {
    /// Of counters, in their own unit: whole numbers stay exact however long it runs.
    package var counts: UInt64 = 0
    /// Of everything else.
    package var joules = Joules.zero
    /// In how many of the counter's finest steps it came; a sensor of power has none.
    package var steps = 0.0
    /// For how long a sensor of power really looked; nil where a counter counts all of the time.
    package var sensed: Nanoseconds?
    /// How often a part of it was lost; a window in which that happened has no reading.
    package var losses = 0
    package var lastLoss = ""
}

/// One domain while it is counted: its source kept open, and its total since the meter began.
struct DomainTrack {
    let domain: EnergyDomain
    let source: String
    let scale: EnergyScale
    let limits: WindowLimits
    private let reader: any EnergyReader
    private var last: (readout: EnergyReadout, moment: EnergyMoment)?
    private(set) var total = EnergyTotal()

    init?(_ found: FoundDomain) {
        guard case .open(let reader, let scale, let limits) = found.access else { return nil }
        domain = found.domain
        source = found.source
        self.scale = scale
        self.limits = limits
        self.reader = reader
        if case .power = scale { total.sensed = .zero }
    }

    /// Whether its last read gave something to go on from.
    var isCounting: Bool { last != nil }

    /// How long ago it was read; nothing where that failed, which is tried again after a whole interval.
    func age(at now: EnergyMoment) -> Nanoseconds {
        guard let last else { return .zero }
        return now.awakeTime(since: last.moment)
    }

    /// What was taken between two totals.
    func energy(from earlier: EnergyTotal, to later: EnergyTotal) -> Joules {
        guard case .counter(let counter) = scale else { return later.joules - earlier.joules }
        return Joules(Double(later.counts &- earlier.counts) * counter.unit.count)
    }

    /// How long to wait between two reads at most.
    var samplingInterval: Nanoseconds {
        switch scale {
        // Not below 10 ms: a thread that is awake all the time takes energy itself.
        case .counter(let counter): max(counter.samplingInterval, .milliseconds(10))
        // Some sensors are asked through a slow bus, or keep a card awake: seldom enough to disturb nothing.
        case .power: .seconds(1)
        // Often enough to see a charger that was connected for a while.
        case .batteries: .seconds(10)
        }
    }

    /// Reads it now, and adds what it took since it was read last.
    mutating func sample(_ clock: () -> EnergyMoment) -> EnergyMoment {
        let moment = clock()
        let readout = reader.read(at: moment)
        if case .failed(let reason) = readout {
            lose("\(domain.label) could not be read: \(reason)")
            last = nil
            return moment
        }
        if let last { add(from: last, to: (readout, moment)) }
        last = (readout, moment)
        return moment
    }

    private mutating func lose(_ reason: String) {
        total.losses += 1
        total.lastLoss = reason
    }

    private mutating func add(
        from earlier: (readout: EnergyReadout, moment: EnergyMoment),
        to later: (readout: EnergyReadout, moment: EnergyMoment)
    ) {
        if let slept = later.moment.suspension(since: earlier.moment) {
            return lose("the machine was suspended for \(inWords(slept)): nobody counted meanwhile")
        }
        let time = later.moment.awakeTime(since: earlier.moment)
        switch (scale, earlier.readout, later.readout) {
        case (.counter(let counter), .count(let from), .count(let to)):
            add(counter.step(from: from, to: to, over: time), counter, time)
        case (.power(let sensed), .power(let from), .power(let to)):
            // The line between two samples is as good a guess as any.
            total.joules += Watts((from.count + to.count) / 2) * time
            total.sensed = (total.sensed ?? .zero) + min(sensed, time)
        case (.batteries, .batteries(let from), .batteries(let to)):
            switch from.step(to: to, over: time) {
            case .counted(let energy):
                total.joules += energy
                total.steps += energy.count / DeviceBatteries.quantum.count
            case .estimated(let energy):
                total.joules += energy
                // Firmware shows an average of about a second.
                total.sensed = (total.sensed ?? .zero) + min(.seconds(1), time)
            case .lost(let reason): lose(reason)
            }
        default: lose("\(domain.label) was read as something else than before")
        }
    }

    private mutating func add(_ step: WrappingCounter.Step, _ counter: WrappingCounter, _ time: Nanoseconds) {
        switch step {
        case .counted(let rise):
            total.counts &+= rise
            total.steps += Double(rise) / counter.quantum
        case .reset: lose("the counter of \(domain.label) was reset")
        case .leapt:
            lose("the counter of \(domain.label) rose by more in \(inWords(time)) than it can take: it was reset")
        case .fellFromUnknownRange:
            lose("the counter of \(domain.label) fell, and the kernel does not tell its range (max_energy_range_uj)")
        case .ambiguous:
            lose(
                "the counter of \(domain.label) was not read for \(inWords(time)): it may have gone round more than once"
            )
        }
    }
}

/// A length of time for people, as short as it can be told: `12 ms`, `1.5 s`, `31 min`.
func inWords(_ time: Nanoseconds) -> String {
    func rounded(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }
    switch time.seconds {
    case ..<1: return "\(rounded(time.seconds * 1000)) ms"
    case ..<120: return "\(rounded(time.seconds)) s"
    default: return "\(rounded(time.seconds / 60)) min"
    }
}
