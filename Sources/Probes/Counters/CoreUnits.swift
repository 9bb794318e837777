/// A kind of processor core with counters of its own, as the kernel lists it.
package struct CoreUnit: Hashable, Sendable {
    /// For example `cpu_core` and `cpu_atom`, or `armv8_cortex_a53`.
    package var name: String
    /// What stands for it in `perf_event_attr`.
    package var type: UInt32

    package init(name: String, type: UInt32) {
        self.name = name
        self.type = type
    }

    /// The kinds of cores of this machine where there are several; empty where all cores are alike, or there are no
    /// counters.
    ///
    /// Only units of such machines have a file `cpus`; uncore units have `cpumask` (sysfs-bus-event_source-devices).
    package static func ofHybrid(_ files: KernelFiles = KernelFiles()) -> [CoreUnit] {
        let folder = "/sys/bus/event_source/devices"
        let units = files.names(in: folder).compactMap { name -> CoreUnit? in
            guard let processors = files.text("\(folder)/\(name)/cpus").value, !processors.isEmpty,
                let type = files.number("\(folder)/\(name)/type").flatMap({ UInt32(exactly: $0) })
            else { return nil }
            return CoreUnit(name: name, type: type)
        }
        return units.count > 1 ? units : []
    }

    /// An event as this kind of core counts it: a generic event is bound to a unit by the upper half of its number
    /// (PERF_HW_EVENT_MASK in linux/perf_event.h, Linux 5.13).
    func encoding(_ event: PerfEncoding) -> PerfEncoding {
        PerfEncoding(type: event.type, config: event.config | UInt64(type) << 32)
    }
}
