import CCounters
import Glibc
import Results

/// The counters of the processor, tried by opening one and counting a loop with it.
func hardwareCounters(_ files: KernelFiles) -> Capability {
    Capability(
        "hardware counters", for: "instructions, cycles and cache misses",
        hardwareCounterState(errno: triedInstructions(), .current(files)))
}

/// What a counter of instructions answers to being tried: 0 where it counts, else an errno.
func triedInstructions() -> Int32 { ccounters_try_instructions() }

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

    /// Those of this process.
    package static func current(_ files: KernelFiles = KernelFiles()) -> CounterCircumstances {
        CounterCircumstances(
            paranoid: files.number("/proc/sys/kernel/perf_event_paranoid"),
            isVirtual: Enclosure(files).virtualMachine != nil,
            isFiltered: values(of: "Seccomp", in: files.text("/proc/self/status").value ?? "").first == "2")
    }
}

/// What the result of trying a counter means (perf_event_open(2), “ERRORS”); 0 is a count that was read.
package func hardwareCounterState(errno number: Int32, _ circumstances: CounterCircumstances) -> Capability.State {
    let virtualRemedy =
        "measure on a machine of one's own, or let the host pass its counters on (with KVM: processor model “host”)"
    switch number {
    case 0:
        return .available("this machine counts instructions; “--counters” records them")
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
    case EMFILE:
        return .unavailable(
            reason: "the process has no file descriptor left for a counter", remedy: "allow more open files (ulimit -n)"
        )
    default:
        return .unavailable(reason: "perf_event_open: \(errnoText(number))", remedy: nil)
    }
}

/// The library that names the same event on every processor.
func countersLibrary() -> Capability {
    let library = PAPILibrary.shared
    let state: Capability.State =
        library.refusal.map {
            .limited($0, remedy: "nothing need be done: events are counted by perf_event_open, as far as it knows them")
        } ?? .available("PAPI \(library.version)")
    return Capability("PAPI library", for: "counters by the same name on every processor", state)
}
