import Glibc
import Probes

/// The most memory that this process has resident from now on.
///
/// The kernel keeps a peak for as long as a process lives, and forgets it when asked to (proc_pid_clear_refs(5)). It
/// counts pages by the processor and adds up now and then, and what the allocator keeps of memory that was freed before
/// is used first: a difference of less than `resolution` may be none.
package enum PeakMemory {
    /// The peak is counted anew, from so many bytes.
    case counting(from: Double)
    /// It cannot be had, and why.
    case refused(reason: String)

    /// By how many bytes a difference may be off.
    package static let resolution: Double = 256 * 1_024

    /// Begins anew.
    package static func begin() -> PeakMemory {
        let file = open("/proc/self/clear_refs", O_WRONLY)
        guard file >= 0 else { return refused("cannot be opened") }
        defer { close(file) }
        guard write(file, "5", 1) == 1 else { return refused("cannot be written") }
        guard let start = peakResidentMemory() else { return .refused(reason: "the kernel does not tell VmHWM") }
        return .counting(from: start)
    }

    private static func refused(_ what: String) -> PeakMemory {
        .refused(
            reason: "the peak cannot be forgotten: /proc/self/clear_refs \(what): \(String(cString: strerror(errno)))")
    }
}
