import Glibc
import Results

/// What all processors together did since boot, in the kernel's steps of some milliseconds: the first line of `/proc/stat`
/// (proc(5)).
package struct ProcessorUse: Hashable, Sendable {
    /// Time that the host of this virtual machine gave to others while a processor here had work to do; the eighth number.
    /// On a machine of its own it is zero.
    package var stolen: Nanoseconds
    /// Time with work, of programs and of the kernel: the first, second, third, sixth and seventh number (user, nice, system and
    /// both kinds of interrupts). Guests' time is in the first two already.
    package var busy: Nanoseconds

    /// Nil where the kernel does not tell.
    package init?(_ files: KernelFiles) {
        let perSecond = sysconf(Int32(_SC_CLK_TCK))
        guard perSecond > 0, let text = files.text("/proc/stat").value else { return nil }
        let fields = text.prefix { !$0.isNewline }.split(separator: " ")
        guard fields.count > 8, fields[0] == "cpu" else { return nil }
        let numbers = fields[1...8].compactMap { Int64($0) }
        guard numbers.count == 8 else { return nil }
        let tick = 1_000_000_000 / Int64(perSecond)
        stolen = Nanoseconds(numbers[7] * tick)
        busy = Nanoseconds((numbers[0...2] + numbers[5...6]).reduce(0, +) * tick)
    }
}
