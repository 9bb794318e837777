import Results

/// Where energy can be read from: one file for each, all of them in `energySources(_:)`.
package protocol EnergySource: Sendable {
    /// What people know it by.
    var name: String { get }
    /// Tries everything that this source could give on this machine, once.
    func find() -> EnergyFinding
}

/// What was read of a domain at one moment.
package enum EnergyReadout: Hashable, Sendable {
    /// A counter that rises, in its own unit.
    case count(UInt64)
    /// What a sensor of power shows.
    case power(Watts)
    case batteries(DeviceBatteries)
    /// It could not be read now; it is tried again at the next sample.
    case failed(String)
}

/// A domain whose source is kept open. Used by one thread at a time; closes what it opened when it is released.
package protocol EnergyReader: AnyObject {
    /// - Parameter moment: now, by the clock of the meter.
    func read(at moment: EnergyMoment) -> EnergyReadout
}

/// What the reads of a domain mean.
package enum EnergyScale: Hashable, Sendable {
    case counter(WrappingCounter)
    /// Power that is sampled and added up. A reading tells the time for which it counted: `sensed` each sample.
    case power(sensed: Nanoseconds)
    case batteries
}

/// For how long a window must last with a source, by how often its numbers change.
package struct WindowLimits: Hashable, Sendable {
    /// A shorter window has no reading.
    package var shortest: Nanoseconds
    /// A shorter window has a reading that is doubted.
    package var trusted: Nanoseconds

    /// Processors update their counters about each millisecond, without telling when: up to one update is lost at each end
    /// (Hähnel and others, “Measuring energy for short code paths using RAPL”, 2012). Of 300 ms that is below 1 %.
    package static let processor = WindowLimits(shortest: .milliseconds(20), trusted: .milliseconds(300))
    /// Graphics cards update theirs each 10 to 100 ms.
    package static let graphics = WindowLimits(shortest: .milliseconds(200), trusted: .seconds(10))
    /// Batteries are looked at by their firmware each 5 to 60 s, in steps of some 10 mWh.
    package static let battery = WindowLimits(shortest: .milliseconds(20), trusted: .seconds(600))
}

/// A domain that a source has: one that can be read, or why it cannot.
package struct FoundDomain {
    package var domain: EnergyDomain
    /// The name of its source.
    package var source: String
    package var access: Access

    package enum Access {
        case open(any EnergyReader, EnergyScale, WindowLimits)
        /// `unsupported` or `denied`.
        case none(Reading)
    }

    package init(_ domain: EnergyDomain, source: String, _ access: Access) {
        self.domain = domain
        self.source = source
        self.access = access
    }

    package var isOpen: Bool { if case .open = access { true } else { false } }
    package var absence: Reading? { if case .none(let reading) = access { reading } else { nil } }
}

/// What a source gives on this machine.
package struct EnergyFinding {
    package var source: String
    package var domains: [FoundDomain]
    package var state: State

    /// The state of a source, for people.
    package enum State: Hashable, Sendable {
        case found(String)
        case unsupported(reason: String, remedy: String?)
        case denied(reason: String, remedy: String)

        /// The reading of everything that the source would have given; nil when it gives something.
        package var absence: Reading? {
            switch self {
            case .found: nil
            case .unsupported(let reason, _): .unsupported(reason: reason)
            case .denied(let reason, let remedy): .denied(reason: reason, remedy: remedy)
            }
        }
    }

    package init(source: String, domains: [FoundDomain], state: State) {
        self.source = source
        self.domains = domains
        self.state = state
    }

    /// The state of a source with these domains: found when one can be read, else what is said of the first.
    package init(source: String, domains: [FoundDomain], otherwise empty: @autoclosure () -> State) {
        self.source = source
        self.domains = domains
        let open = domains.filter(\.isOpen).map(\.domain.label)
        let absences = domains.filter { !$0.isOpen }
        if !open.isEmpty {
            let others = absences.map { "; \($0.domain.label): \($0.absence?.reason ?? "")" }.joined()
            state = .found(open.joined(separator: ", ") + others)
        } else if case .denied(let reason, let remedy)? = absences.lazy.compactMap(\.absence).first(where: \.isDenied) {
            state = .denied(reason: reason, remedy: remedy)
        } else if let reason = absences.first?.absence?.reason {
            state = .unsupported(reason: reason, remedy: nil)
        } else {
            state = empty()
        }
    }
}

extension Reading {
    var isDenied: Bool { if case .denied = self { true } else { false } }
}

/// Every source of energy, best first: where two give the same domain, the first that can be read is taken.
package func energySources(_ files: KernelFiles = KernelFiles()) -> [any EnergySource] {
    [
        PowercapSource(files), PerfPowerSource(files), HwmonSource(files), BatterySource(files),
        NVMLSource(),
    ]
}
