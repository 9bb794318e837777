import Glibc
import Results

/// What the kernel counts for the whole process over the measured part of a trial.
///
/// Files that are read for it are opened before, and what is dear to read is read first at the begin and last at the end: what
/// one reading costs falls into the bracket of no cheaper one.
package struct ProcessCosts: Sendable {
    /// Before the measured part, and after it.
    private var before: Snapshot?
    private var after: Snapshot?
    private let files: KernelFiles
    /// What reading `io` itself adds to what is read there next.
    private var ioFloor: IOCounts?

    package init(_ files: KernelFiles = KernelFiles()) { self.files = files }

    /// Reads what there is before the first task or sample.
    package mutating func begin() {
        let threads = ThreadSchedules(files)
        let resident = residentMemory(files)
        let first = IOCounts(files)
        let io = IOCounts(files)
        // Read right before: its text is as long as the one whose reading the bracket holds.
        ioFloor = first.flatMap { first in io.map { $0 - first } }
        before = Snapshot(usage: ProcessUsage(), threads: threads, resident: resident, io: io)
    }

    /// Reads what there is after the last.
    package mutating func end() {
        let usage = ProcessUsage()
        let io = IOCounts(files)
        after = Snapshot(
            usage: usage, threads: ThreadSchedules(files), resident: residentMemory(files), io: io)
    }

    private struct Snapshot: Sendable {
        var usage: ProcessUsage
        var threads: ThreadSchedules
        var resident: Double?
        var io: IOCounts?
    }

    /// What was spent in between.
    package var readings: [(Metric, Reading)] {
        guard let before, let after else {
            let reading = Reading.notCounted(reason: "measuring did not come to its end")
            return Metric.ofProcess.filter { $0 != .peakThreads }.map { ($0, reading) }
        }
        return (after.usage - before.usage).readings
            + after.threads.readings(since: before.threads)
            + memoryReadings(before.resident, after.resident)
            + ioReadings(before.io, after.io)
    }

    private func memoryReadings(_ before: Double?, _ after: Double?) -> [(Metric, Reading)] {
        let growth = before.flatMap { before in after.map { $0 - before } }
        return [
            (
                .peakResidentMemory,
                peakResidentMemory(files).map { .measured($0) }
                    ?? .unsupported(reason: "/proc/self/status has no VmHWM")
            ),
            (.residentGrowth, growth.map { .measured($0) } ?? .unsupported(reason: "/proc/self/statm cannot be read")),
        ]
    }

    private func ioReadings(_ before: IOCounts?, _ after: IOCounts?) -> [(Metric, Reading)] {
        guard let before, let after, let ioFloor else {
            let reason = files.text("/proc/self/io").reason ?? "/proc/self/io holds no counts"
            return IOCounts.metrics.map { ($0.metric, .unsupported(reason: reason)) }
        }
        let spent = after - before - ioFloor
        return IOCounts.metrics.map { ($0.metric, .measured(Double(spent[keyPath: $0.count]))) }
    }
}

/// Processor time, switches and faults of the process since its start, threads that ended among it.
struct ProcessUsage: Sendable {
    var processorTime: Int64 = 0
    var userTime: Int64 = 0
    var systemTime: Int64 = 0
    var voluntarySwitches: Int64 = 0
    var involuntarySwitches: Int64 = 0
    var minorFaults: Int64 = 0
    var majorFaults: Int64 = 0

    /// Reads them now; some two microseconds.
    init() {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        userTime = usage.ru_utime.nanoseconds
        systemTime = usage.ru_stime.nanoseconds
        voluntarySwitches = Int64(usage.ru_nvcsw)
        involuntarySwitches = Int64(usage.ru_nivcsw)
        minorFaults = Int64(usage.ru_minflt)
        majorFaults = Int64(usage.ru_majflt)
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        processorTime = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    static func - (later: ProcessUsage, earlier: ProcessUsage) -> ProcessUsage {
        var usage = later
        for path in [\.userTime, \.systemTime] + fields.map(\.count) { usage[keyPath: path] -= earlier[keyPath: path] }
        return usage
    }

    private static let fields: [(metric: Metric, count: WritableKeyPath<ProcessUsage, Int64> & Sendable)] = [
        (.processorTime, \.processorTime), (.voluntarySwitches, \.voluntarySwitches),
        (.involuntarySwitches, \.involuntarySwitches),
        (.minorFaults, \.minorFaults), (.majorFaults, \.majorFaults),
    ]

    var readings: [(Metric, Reading)] {
        let split = TimeSplit.readings(user: Double(userTime), system: Double(systemTime))
        return Self.fields.map { ($0.metric, .measured(Double(self[keyPath: $0.count]))) }
            + [(.userTime, split.user), (.systemTime, split.system)]
    }
}

/// The counts of `/proc/self/io` (proc(5)): of the whole process, threads that ended among it.
struct IOCounts: Sendable {
    private var counts: [Int64]

    static let metrics: [(metric: Metric, count: KeyPath<IOCounts, Int64> & Sendable)] = [
        (.readBytes, \.counts[0]), (.writtenBytes, \.counts[1]), (.readCalls, \.counts[2]), (.writeCalls, \.counts[3]),
        (.diskReadBytes, \.counts[4]), (.diskWrittenBytes, \.counts[5]),
    ]
    private static let names = ["rchar", "wchar", "syscr", "syscw", "read_bytes", "write_bytes"]

    /// Nil where the kernel does not keep them, or does not show them.
    init?(_ files: KernelFiles) {
        guard let text = files.text("/proc/self/io").value else { return nil }
        counts = Self.names.compactMap { values(of: $0, in: text).first.flatMap { Int64($0) } }
        guard counts.count == Self.names.count else { return nil }
    }

    static func - (later: IOCounts, earlier: IOCounts) -> IOCounts {
        var difference = later
        for index in difference.counts.indices { difference.counts[index] -= earlier.counts[index] }
        return difference
    }
}

/// Memory that is resident now, in bytes (second number of `/proc/self/statm`, in pages); nil where the kernel does not tell.
func residentMemory(_ files: KernelFiles) -> Double? {
    let fields = files.text("/proc/self/statm").value?.split(separator: " ")
    guard let fields, fields.count > 1, let pages = Double(fields[1]) else { return nil }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
}

/// The most memory that this program had resident, in bytes; nil where the kernel does not tell.
///
/// Not `ru_maxrss`: that still holds the peak of the process that forked this one, from before its exec.
package func peakResidentMemory(_ files: KernelFiles = KernelFiles()) -> Double? {
    files.text("/proc/self/status").value.flatMap { values(of: "VmHWM", in: $0).first }
        .flatMap { Double($0.prefix { $0.isNumber }) }.map { $0 * 1024 }
}
