import Results

/// What the scheduler did with the threads of this process so far, those that have ended left out. A count is nil where
/// the kernel does not keep it: it needs `CONFIG_SCHED_DEBUG`.
package struct SchedulerCounts: Hashable, Sendable {
    /// How often a thread was stopped though it could have gone on.
    package var involuntarySwitches: Int?
    /// How often a thread was moved to another processor.
    package var migrations: Int?

    /// Reads them of all threads; some ten microseconds each.
    package init(_ files: KernelFiles = KernelFiles()) {
        for thread in files.names(in: "/proc/self/task") {
            // A thread that ended meanwhile has no file any more.
            guard let text = files.text("/proc/self/task/\(thread)/sched").value else { continue }
            func number(_ key: String) -> Int? { values(of: key, in: text).first.flatMap { Int($0) } }
            if let switches = number("nr_involuntary_switches") {
                involuntarySwitches = (involuntarySwitches ?? 0) + switches
            }
            if let moves = number("se.nr_migrations") { migrations = (migrations ?? 0) + moves }
        }
    }

    /// What happened between two readings. Threads that ended in between took their counts with them: a difference that
    /// is negative for that is not known.
    package static func - (later: SchedulerCounts, earlier: SchedulerCounts) -> SchedulerCounts {
        func difference(_ count: KeyPath<SchedulerCounts, Int?>) -> Int? {
            guard let end = later[keyPath: count], let begin = earlier[keyPath: count], end >= begin else { return nil }
            return end - begin
        }
        var counts = later
        counts.involuntarySwitches = difference(\.involuntarySwitches)
        counts.migrations = difference(\.migrations)
        return counts
    }
}
