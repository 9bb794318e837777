import Results

/// What the scheduler did with each thread of this process so far, those that have ended left out: they take their counts with
/// them.
package struct ThreadSchedules: Sendable {
    package struct Counts: Sendable {
        /// Processor time, and time in which it could have gone on and had no processor (schedstat, first two numbers), ns.
        var ran: Int64
        var waited: Int64
        /// How often it was moved to another processor; nil where the kernel does not keep it (it needs `CONFIG_SCHED_DEBUG`).
        var migrations: Int64?
    }

    private var threads: [String: Counts] = [:]

    /// Reads them of all threads; some twenty microseconds each.
    package init(_ files: KernelFiles) {
        for thread in files.names(in: "/proc/self/task") {
            let folder = "/proc/self/task/\(thread)"
            // A thread that ended meanwhile has no file any more.
            guard let numbers = files.text(folder + "/schedstat").value?.split(separator: " "), numbers.count >= 2,
                let ran = Int64(numbers[0]), let waited = Int64(numbers[1])
            else { continue }
            let migrations = files.text(folder + "/sched").value
                .flatMap { values(of: "se.nr_migrations", in: $0).first }.flatMap { Int64($0) }
            threads[thread] = Counts(ran: ran, waited: waited, migrations: migrations)
        }
    }

    /// Threads that the kernel still knows must have used nearly all of the processor time, or what they tell is not the whole.
    private static let leastShare = 0.99
    /// The kernel brings a thread's own count up to date at its ticks only: ten milliseconds, at the most, may be missing.
    private static let tick: Int64 = 10_000_000

    /// What happened since an earlier reading, in which the process used so much processor time.
    package func readings(since earlier: ThreadSchedules, processorTime: Int64) -> [(Metric, Reading)] {
        guard !threads.isEmpty else {
            let missing = Reading.unsupported(reason: "this kernel keeps no /proc/self/schedstat")
            return [(.runQueueWait, missing), (.migrations, missing)]
        }
        var sum = Counts(ran: 0, waited: 0, migrations: 0)
        for (thread, now) in threads {
            let before = earlier.threads[thread]
            sum.ran += now.ran - (before?.ran ?? 0)
            sum.waited += now.waited - (before?.waited ?? 0)
            sum.migrations = sum.migrations.flatMap { sum in
                now.migrations.map { sum + $0 - (before.flatMap(\.migrations) ?? 0) }
            }
        }
        let missing = processorTime - sum.ran
        guard Double(missing) <= (1 - Self.leastShare) * Double(processorTime) || missing <= Self.tick else {
            let lost = Reading.notCounted(
                reason: "threads that used more than 1 % of the processor time ended, and took their counts with them")
            return [(.runQueueWait, lost), (.migrations, lost)]
        }
        return [
            (.runQueueWait, .measured(Double(sum.waited))),
            (
                .migrations,
                sum.migrations.map { .measured(Double($0)) }
                    ?? .unsupported(reason: "this kernel was built without CONFIG_SCHED_DEBUG")
            ),
        ]
    }
}

/// Threads that a process has now (`Threads` of its status, proc(5)); nil when there is no such process any more.
package func threadCount(ofProcess process: Int32, _ files: KernelFiles) -> Int? {
    files.text("/proc/\(process)/status").value.flatMap { values(of: "Threads", in: $0).first }.flatMap { Int($0) }
}
