import Results

/// How an event is named to perf_event_open(2): `type` and `config` of `struct perf_event_attr`.
package struct PerfEncoding: Hashable, Sendable {
    package var type: UInt32
    package var config: UInt64

    package init(type: UInt32, config: UInt64) {
        self.type = type
        self.config = config
    }

    /// Whether the processor's own counters count it: hardware and cache events by the kernel's generic names.
    package var isOfProcessor: Bool { type == 0 || type == 3 }
}

/// Where a counter counts: the kernel and PAPI leave the kernel out unless they are told otherwise, and then read 0 for
/// what happens only there.
package enum CounterDomain: Hashable, Sendable {
    case user
    case userAndKernel
}

/// An event that can be counted, as a person names it by `--counters`.
///
/// Different names of the same event are one event: `TOT_INS`, `PAPI_TOT_INS`, `perf::INSTRUCTIONS` and `instructions`.
/// Hardware events are counted in user mode only, which every permission allows; software events with the kernel, where
/// most of them happen.
package struct CounterEvent: Hashable, Sendable {
    /// Its name in messages.
    package let name: String
    /// Whether the kernel counts it by itself, without the processor's counters.
    package let isSoftware: Bool
    /// Whether it happens in the kernel only: a count of user mode alone would be 0 for ever.
    package let happensInKernel: Bool
    /// Whether it is a time in nanoseconds, which counts in every domain alike.
    package let isClock: Bool
    /// Its name to the kernel; nil for what only PAPI knows by name.
    package let perf: PerfEncoding?
    /// What PAPI may know it by, without a domain; the first that it knows is taken.
    package let papiNames: [String]
    /// Where it is to be counted.
    package var domain: CounterDomain

    private let fileName: String

    init(
        name: String, fileName: String, isSoftware: Bool = false, happensInKernel: Bool = false, isClock: Bool = false,
        perf: PerfEncoding? = nil, papiNames: [String], domain: CounterDomain
    ) {
        self.name = name
        self.fileName = fileName
        self.isSoftware = isSoftware
        self.happensInKernel = happensInKernel
        self.isClock = isClock
        self.perf = perf
        self.papiNames = papiNames
        self.domain = domain
    }

    /// Whether its count leaves out a part that it has on a machine that permits more.
    package var lacksKernelPart: Bool { isSoftware && !isClock && domain == .user }

    /// The same event in user mode only, for a process that may not count the kernel; nil where nothing would be left.
    package var inUserModeOnly: CounterEvent? {
        guard domain == .userAndKernel, !happensInKernel else { return nil }
        var event = self
        event.domain = .user
        return event
    }

    /// Nanoseconds for clocks, else a plain number.
    package var unit: String { isClock ? "ns" : "1" }

    /// Its name in files: lower-case letters, digits and underscores. A count without its kernel part has a name of its
    /// own, so that it is never compared with one that has it.
    package var metricName: String { fileName + (lacksKernelPart ? "_user" : "") }

    /// How its values are described in a run. A count of a whole process is another metric than the one of a thread.
    package func metric(_ scope: Metric.Scope) -> Metric {
        Metric(scope.counterPrefix + metricName, unit, .counters, scope)
    }
}

extension Metric.Scope {
    /// What stands before the names of counted events: the same event of a thread, a task and a process are three metrics.
    var counterPrefix: String {
        switch self {
        case .thread, .machine: ""
        case .process: "process_"
        case .task: "task_"
        }
    }
}

extension CounterEvent: CustomStringConvertible {
    package var description: String { name + (lacksKernelPart ? " (user mode only)" : "") }
}

/// A name that stands for no event.
package struct CounterNameError: Error, Hashable, CustomStringConvertible {
    package var name: String
    package var problem: String

    package var description: String { "“\(name)”: \(problem)" }
}
