import CLinux
import Glibc
import Results

/// The counters of the processor, tried by opening one and counting a loop with it.
func hardwareCounters(_ files: KernelFiles) -> Capability {
    let circumstances = CounterCircumstances(
        paranoid: files.number("/proc/sys/kernel/perf_event_paranoid"),
        isVirtual: Enclosure(files).virtualMachine != nil,
        isFiltered: values(of: "Seccomp", in: files.text("/proc/self/status").value ?? "").first == "2")
    return Capability(
        "hardware counters", for: "instructions, cycles and cache misses",
        hardwareCounterState(errno: clinux_try_hardware_counter(), circumstances))
}

/// What bears upon a refusal to count.
package struct CounterCircumstances: Sendable {
    /// `kernel.perf_event_paranoid`; nil where the kernel has no such setting.
    package var paranoid: Int?
    package var isVirtual: Bool
    /// Whether a seccomp filter stands between this process and the kernel.
    package var isFiltered: Bool

    package init(paranoid: Int?, isVirtual: Bool, isFiltered: Bool) {
        self.paranoid = paranoid
        self.isVirtual = isVirtual
        self.isFiltered = isFiltered
    }
}

/// What the result of trying a counter means (perf_event_open(2), “ERRORS”); 0 is a count that was read.
package func hardwareCounterState(errno number: Int32, _ circumstances: CounterCircumstances) -> Capability.State {
    let virtualRemedy =
        "measure on a machine of one's own, or let the host pass its counters on (with KVM: processor model “host”)"
    switch number {
    case 0:
        return .available("this machine counts instructions; this version of TaskMeter does not record them yet")
    case ENOENT, EOPNOTSUPP, ENODEV, ENXIO:
        return circumstances.isVirtual
            ? .unavailable(reason: "this virtual machine has no performance counters", remedy: virtualRemedy)
            : .unavailable(
                reason: "the kernel has no driver for this processor's counters (\(errnoText(number)))", remedy: nil)
    case ENODATA:
        return .unavailable(
            reason: "a counter can be opened, but it does not count",
            remedy: circumstances.isVirtual ? virtualRemedy : nil)
    case EACCES, EPERM:
        if let paranoid = circumstances.paranoid, paranoid > 2 {
            return .unavailable(
                reason: "kernel.perf_event_paranoid is \(paranoid): counters are not for ordinary users",
                remedy: "sudo sysctl kernel.perf_event_paranoid=2")
        }
        if circumstances.isFiltered {
            return .unavailable(
                reason: "the container's seccomp filter forbids perf_event_open",
                remedy: "start the container with a seccomp profile that allows it (with Docker: --cap-add PERFMON)")
        }
        let setting = circumstances.paranoid.map { " though kernel.perf_event_paranoid is \($0)" } ?? ""
        return .unavailable(
            reason: "not permitted (\(errnoText(number)))\(setting)",
            remedy: "run with the capability CAP_PERFMON, or look for what else restricts perf_event_open here")
    case ENOSYS:
        return .unavailable(
            reason: circumstances.isFiltered
                ? "perf_event_open is hidden from this process by a seccomp filter or a sandbox"
                : "this kernel was built without performance events",
            remedy: nil)
    default:
        return .unavailable(reason: "perf_event_open: \(errnoText(number))", remedy: nil)
    }
}

/// The library that names the same event on every processor.
func countersLibrary() -> Capability {
    // Distributions differ in how much of the version they put into the name that programs link with.
    let names = ["libpapi.so"] + ["7.2", "7.1", "7.0", "7", "6.0", "6", "5"].map { "libpapi.so." + $0 }
    let state: Capability.State
    if let name = names.first(where: { SharedLibrary($0) != nil }) {
        state = .available("\(name); this version of TaskMeter does not use it yet")
    } else {
        state = .unavailable(
            reason: "no libpapi is installed; this version of TaskMeter does not use it yet", remedy: nil)
    }
    return Capability("PAPI library", for: "counters by the same name on every processor", state)
}
