/// What the kernel counts, over the measured part of a trial.
///
/// Metrics of a process speak of all of it, from before the first task or sample to after the last. Those of a thread,
/// whose names begin with `thread_`, speak of the work's batches of a sampled benchmark alone: what lies between batches,
/// and the empty ones, are not in them.
extension Metric {
    /// Processor time of all threads, user and system, those that ended among them (`CLOCK_PROCESS_CPUTIME_ID`).
    package static let processorTime = Metric("cpu_time", "ns", .operatingSystem, .process)
    /// The part of it outside of the kernel and the part inside (getrusage(2)). Their sum is exact; most kernels split it
    /// by looking at every tick where the thread is, and of little time know neither.
    package static let userTime = Metric("user_time", "ns", .operatingSystem, .process)
    package static let systemTime = Metric("system_time", "ns", .operatingSystem, .process)
    /// How often a thread stopped because it waited for something (`ru_nvcsw`).
    package static let voluntarySwitches = Metric("voluntary_switches", "1", .operatingSystem, .process)
    /// How often a thread was stopped though it could have gone on (`ru_nivcsw`).
    package static let involuntarySwitches = Metric("involuntary_switches", "1", .operatingSystem, .process)
    /// Pages that were touched and had to be mapped, without reading (`ru_minflt`) and with reading from a disk (`ru_majflt`).
    package static let minorFaults = Metric("minor_faults", "1", .operatingSystem, .process)
    package static let majorFaults = Metric("major_faults", "1", .operatingSystem, .process)
    /// How often a thread was moved to another processor.
    package static let migrations = Metric("migrations", "1", .operatingSystem, .process)
    /// Time in which threads could have gone on and had no processor (second number of `schedstat`).
    package static let runQueueWait = Metric("run_queue_wait", "ns", .operatingSystem, .process)
    /// Highest resident memory that the suite process ever had (`VmHWM` of `/proc/self/status`, see proc(5)), the part of the
    /// instrument's own logs that was mapped then among it.
    package static let peakResidentMemory = Metric("peak_resident", "B", .operatingSystem, .process, .level)
    /// How much more memory was resident after the measured part than before; negative when there was less.
    package static let residentGrowth = Metric("resident_growth", "B", .operatingSystem, .process, .level)
    /// Most threads of the process that were seen at once, by looking from outside some twenty times a second.
    package static let peakThreads = Metric("peak_threads", "1", .operatingSystem, .process, .level)
    /// Bytes that read and write calls moved, and how many calls they were: files, pipes and terminals, but not what goes by `send`
    /// and `recv` (`rchar`, `wchar`, `syscr`, `syscw` of `/proc/self/io`, see proc(5)).
    package static let readBytes = Metric("read_bytes", "B", .operatingSystem, .process)
    package static let writtenBytes = Metric("written_bytes", "B", .operatingSystem, .process)
    package static let readCalls = Metric("read_calls", "1", .operatingSystem, .process)
    package static let writeCalls = Metric("write_calls", "1", .operatingSystem, .process)
    /// Bytes that were fetched from, and will be sent to, a disk (`read_bytes` and `write_bytes` there).
    package static let diskReadBytes = Metric("disk_read_bytes", "B", .operatingSystem, .process)
    package static let diskWrittenBytes = Metric("disk_written_bytes", "B", .operatingSystem, .process)

    package static let ofProcess: [Metric] = [
        .processorTime, .userTime, .systemTime, .voluntarySwitches, .involuntarySwitches, .minorFaults, .majorFaults,
        .migrations, .runQueueWait, .peakResidentMemory, .residentGrowth, .peakThreads, .readBytes, .writtenBytes,
        .readCalls, .writeCalls, .diskReadBytes, .diskWrittenBytes,
    ]

    /// Less what as many empty iterations took; negative where noise outweighs the work, as times are.
    package static let threadProcessorTime = Metric("thread_cpu_time", "ns", .operatingSystem, .thread)
    package static let threadUserTime = Metric("thread_user_time", "ns", .operatingSystem, .thread)
    package static let threadSystemTime = Metric("thread_system_time", "ns", .operatingSystem, .thread)
    package static let threadVoluntarySwitches = Metric("thread_voluntary_switches", "1", .operatingSystem, .thread)
    package static let threadInvoluntarySwitches = Metric(
        "thread_involuntary_switches", "1", .operatingSystem, .thread)
    package static let threadMinorFaults = Metric("thread_minor_faults", "1", .operatingSystem, .thread)
    package static let threadMajorFaults = Metric("thread_major_faults", "1", .operatingSystem, .thread)
    package static let threadRunQueueWait = Metric("thread_run_queue_wait", "ns", .operatingSystem, .thread)

    package static let ofThread: [Metric] = [
        .threadProcessorTime, .threadUserTime, .threadSystemTime, .threadVoluntarySwitches, .threadInvoluntarySwitches,
        .threadMinorFaults, .threadMajorFaults, .threadRunQueueWait,
    ]

    // Of a trial as a whole: no task or iteration costs a part of these.

    /// Time that the host gave to others while a trial ran, over all processors.
    package static let stealTime = Metric("steal_time", "ns", .machine, .machine, .level)
    /// Processor time that everything but the suite's process used while it was measured, the kernel's own work among it;
    /// in the kernel's steps of some milliseconds.
    package static let otherProcessorTime = Metric("other_cpu_time", "ns", .machine, .machine, .level)
    /// How often processors were slowed down, by heat or by a quota, while a trial ran.
    package static let throttled = Metric("throttled", "1", .machine, .machine, .level)

    package static let ofMachine: [Metric] = [.stealTime, .otherProcessorTime, .throttled]
}
