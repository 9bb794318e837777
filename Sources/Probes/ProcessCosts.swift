import FoundationEssentials
import Glibc
import Results

/// What this process has cost so far. Each reading enters the kernel: take it before and after what is measured.
package enum ProcessCosts {
    /// Processor time of all threads, those that ended included.
    package static func processorTime() -> Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The most memory that this program had resident, in bytes; nil where the kernel does not tell.
    ///
    /// Not `ru_maxrss`: that still holds the peak of the process that forked this one, from before its exec.
    package static func peakResidentMemory() -> Double? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return kibibytes * 1024
    }
}
