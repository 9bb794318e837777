import Glibc
import Results

/// Time that the host of this virtual machine gave to others while a processor here had work to do: the sum over all
/// processors since boot, in the kernel's steps of some milliseconds. Nil where the kernel does not tell.
///
/// The eighth number of the first line of `/proc/stat` (proc(5)); on a machine of its own it is zero.
package func stealTime(_ files: KernelFiles) -> Nanoseconds? {
    let perSecond = sysconf(Int32(_SC_CLK_TCK))
    guard perSecond > 0, let text = files.text("/proc/stat").value else { return nil }
    let fields = text.prefix { !$0.isNewline }.split(separator: " ")
    guard fields.count > 8, fields[0] == "cpu", let ticks = Int64(fields[8]) else { return nil }
    return Nanoseconds(ticks * (1_000_000_000 / Int64(perSecond)))
}
