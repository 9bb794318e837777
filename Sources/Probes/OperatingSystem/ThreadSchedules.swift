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
    /// Threads and processes that were started on this system so far; nil where the kernel does not tell.
    private let started: Int64?

    /// Reads them of all threads; some twenty microseconds each.
    package init(_ files: KernelFiles) {
        started = files.text("/proc/stat").value.flatMap { values(of: "processes", in: $0, separator: " ").first }
            .flatMap { Int64($0) }
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

    /// Whether a thread may have ended since an earlier reading: one that was there is gone, or more were started than are new. Others
    /// on the machine start threads too, and then it is not known.
    private func mayLack(since earlier: ThreadSchedules) -> Bool {
        guard earlier.threads.keys.allSatisfy({ threads[$0] != nil }), let started, let before = earlier.started else {
            return true
        }
        return started - before > Int64(threads.count - earlier.threads.count)
    }

    /// What happened since an earlier reading.
    package func readings(since earlier: ThreadSchedules) -> [(Metric, Reading)] {
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
        guard !mayLack(since: earlier) else {
            let lost = Reading.notCounted(
                reason:
                    "threads ended meanwhile, or others on the machine started some, and one that ends takes its counts with it"
            )
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
