import CCounters

/// The kernel's own counters, by perf_event_open(2): for what PAPI cannot do.
package struct PerfSource: CounterSource {
    package let name = "perf_event_open"
    /// The kinds of cores, where there are several.
    package var units: [CoreUnit]

    package init(units: [CoreUnit] = CoreUnit.ofHybrid()) { self.units = units }

    package func start(_ events: [CounterEvent]) throws(CounterRefusal) -> any CounterSet {
        PerfCounters(try PerfGroups(events, units: units))
    }
}

/// Counters of the kernel for the thread that started them.
package final class PerfCounters: CounterSet {
    package let layout: CounterLayout
    private let thread = ccounters_thread()
    private var groups: PerfGroups?

    init(_ groups: PerfGroups) {
        self.groups = groups
        layout = groups.layout
    }

    // hot path: no allocation, no lock, no call that can block
    package func read(into words: UnsafeMutableBufferPointer<UInt64>) -> CounterFault? {
        guard ccounters_thread() == thread else { return .wrongThread }
        guard let groups else { return .ended }
        return groups.read(into: words)
    }

    package func end() { groups = nil }
}
